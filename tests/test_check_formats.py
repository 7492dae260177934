"""`pytest-lift check --format`: JSON, GitHub's commands and SARIF for those who read them."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote

import pytest
from checked_project import Checked, CheckedProject

from pytest_lift.check.problems import RULES

ODD = "tests/dir é/test_100%,a:b.py"
TEXT = """
    @pytest.mark.req("ENC-1", "X%:,\\r\\nY")
    def test_a(): pass
    @pytest.mark.req
    def test_b(): pass
    @pytest.mark.req("X", "é")
    @pytest.mark.req("X")
    def test_c(): pass
"""


@pytest.fixture
def project(tmp_path: Path) -> CheckedProject:
    return CheckedProject(tmp_path).require("ENC-1", "ENC-2").tests(TEXT, ODD)


def test_json_holds_what_text_tells(project: CheckedProject) -> None:
    data = project.json().data
    assert {
        key: data[key] for key in ("version", "tests", "requirements", "tested", "percent")
    } == {
        "version": 1,
        "tests": 3,
        "requirements": 2,
        "tested": 1,
        "percent": 50.0,
    }
    assert (data["errors"], data["warnings"]) == (5, 2)
    assert len(data["problems"]) == 7
    (malformed,) = [found for found in data["problems"] if found["rule"] == "malformed-mark"]
    assert malformed == {
        "rule": "malformed-mark",
        "severity": "error",
        "file": ODD,
        "line": 4,
        "column": 2,
        "end_line": 4,
        "end_column": 17,
        "what": "req names no requirement",
        "todo": 'write the ids as strings: @pytest.mark.req("ID")',
        "requirement": "",
        "test": f"{ODD}::test_b",
    }


def test_output_goes_to_a_file(project: CheckedProject) -> None:
    found = project.check("--format=json", "--output=found.json")
    assert (found.code, found.out) == (1, "")
    assert json.loads((project.root / "found.json").read_text("utf-8"))["errors"] == 5


def decoded(line: str) -> tuple[str, dict[str, str], str]:
    """(command, properties, message) as the runner of GitHub reads the line."""
    _, command, message = line.split("::", 2)
    kind, _, given = command.partition(" ")
    properties = dict(part.split("=", 1) for part in given.split(","))
    for old, new in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        properties = {key: value.replace(old, new) for key, value in properties.items()}
    for old, new in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        message = message.replace(old, new)
    return kind, properties, message


def test_github_reads_back_every_annotation(project: CheckedProject) -> None:
    problems = project.json().data["problems"]
    lines = project.check("--format=github").out.splitlines()
    assert len(lines) == len(problems) + 1
    for line, problem in zip(lines, problems, strict=False):
        kind, properties, message = decoded(line)
        assert kind == problem["severity"]
        assert properties["file"] == problem["file"]
        assert properties["title"] == f"pytest-lift: {problem['rule']}"
        assert int(properties["line"]) == problem["line"]
        assert message == f"{problem['what']}\n-> {problem['todo']}"
        assert int(properties["endColumn"]) >= int(properties["col"]) >= 1


def test_an_id_cannot_forge_a_command(tmp_path: Path) -> None:
    project = CheckedProject(tmp_path).require("ENC-1")
    project.tests(
        '@pytest.mark.req("x\\n::set-output name=a::b", "::stop::")\ndef test_a(): pass\n'
    )
    lines = project.check("--format=github").out.splitlines()
    assert [line.split(" ")[0] for line in lines[:-1]] == ["::warning", "::error", "::error"]


def sarif(found: Checked) -> tuple[dict, list[dict]]:
    data = json.loads(found.out)
    (run,) = data["runs"]
    return run, run["results"]


def test_sarif_has_what_the_schema_requires(project: CheckedProject) -> None:
    found = project.check("--format=sarif")
    data = json.loads(found.out)
    assert data["version"] == "2.1.0"
    assert data["$schema"].endswith("sarif-2.1.0.json")
    run, results = sarif(found)
    assert set(run) <= {"tool", "columnKind", "originalUriBaseIds", "results"}
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.name for rule in RULES]
    assert all(rule["shortDescription"]["text"] and rule["help"]["text"] for rule in rules)
    assert len(results) == 7
    for result in results:
        assert set(result) <= {
            "ruleId",
            "ruleIndex",
            "level",
            "message",
            "locations",
            "partialFingerprints",
        }
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"].endswith((".", "?"))
        (location,) = result["locations"]
        region = location["physicalLocation"]["region"]
        assert all(type(value) is int and value >= 1 for value in region.values())
        start, end = [(region[f"{k}Line"], region[f"{k}Column"]) for k in ("start", "end")]
        assert start <= end
        base = location["physicalLocation"]["artifactLocation"]["uriBaseId"]
        assert base in run["originalUriBaseIds"]
        assert all(type(value) is str for value in result["partialFingerprints"].values())


def test_sarif_addresses_are_relative_and_percent_encoded(project: CheckedProject) -> None:
    _, results = sarif(project.check("--format=sarif"))
    found = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results}
    assert found == {"tests/dir%20%C3%A9/test_100%25%2Ca%3Ab.py", "requirements.yml"}
    assert {unquote(uri) for uri in found} == {ODD, "requirements.yml"}


def test_sarif_fingerprints_are_unique_and_survive_edits_above(project: CheckedProject) -> None:
    def fingerprints() -> list[str]:
        _, results = sarif(project.check("--format=sarif"))
        return sorted(result["partialFingerprints"]["lift/v1"] for result in results)

    before = fingerprints()
    assert len(set(before)) == len(before)
    project.tests("# one more\n\n" + TEXT.replace("\n    ", "\n"), ODD)
    assert fingerprints() == before


def test_paths_are_those_of_the_repository(tmp_path: Path) -> None:
    project = CheckedProject(tmp_path / "inner").require("ENC-1")
    project.tests("@pytest.mark.req\ndef test_a(): pass\n")
    (tmp_path / ".git").mkdir()
    _, results = sarif(project.check("--format=sarif"))
    uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results}
    assert uris == {"inner/tests/test_a.py", "inner/requirements.yml"}
    assert "file=inner/tests/test_a.py" in project.check("--format=github").out


def test_names_that_are_no_text_can_be_written(project: CheckedProject) -> None:
    path = project.root / "tests" / "test_\udcff.py"
    path.write_bytes(b'import pytest\n@pytest.mark.req("\xff")\ndef test_a(): pass\n')
    for name in ("text", "json", "sarif", "github"):
        found = project.check(f"--format={name}", "--output=found")
        assert found.code == 1
        shown = "%FF" if name == "sarif" else "\\udcff"
        assert shown in (project.root / "found").read_text("utf-8")
