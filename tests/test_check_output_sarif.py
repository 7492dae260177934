"""Findings of the check as SARIF: what its schema asks for, addresses and fingerprints."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote

import pytest
from checked_project import ODD_LINKS, ODD_PLACE, Checked, CheckedProject

from pytest_lift.check.problems import RULES


@pytest.fixture
def project(tmp_path: Path) -> CheckedProject:
    return CheckedProject(tmp_path).require("ENC-1", "ENC-2").tests(ODD_LINKS, ODD_PLACE)


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
    assert {unquote(uri) for uri in found} == {ODD_PLACE, "requirements.yml"}


def test_sarif_fingerprints_are_unique_and_survive_edits_above(project: CheckedProject) -> None:
    def fingerprints() -> list[str]:
        _, results = sarif(project.check("--format=sarif"))
        return sorted(result["partialFingerprints"]["lift/v1"] for result in results)

    before = fingerprints()
    assert len(set(before)) == len(before)
    project.tests("# one more\n\n" + ODD_LINKS.replace("\n    ", "\n"), ODD_PLACE)
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
