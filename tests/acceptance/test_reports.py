"""An ordinary session of pytest leaves the reports that it is asked for, and keeps the gates."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from conftest import Project

REQUIREMENTS = """
core:
  - {id: R-1, title: Doubling, description: "`double(2)` is 4", acceptance: doubled, level: unit}
  - {id: R-2, title: Rows, description: r, acceptance: a}
  - {id: R-3, title: Classes, description: c, acceptance: a}
  - {id: R-4, title: Properties, description: p, acceptance: a, level: system}
  - {id: R-5, title: Later, description: d, acceptance: a, waived: {reason: later, date: 2026-11-20}}
"""
TESTS = """
import pytest
from thing import double

@pytest.mark.req("R-1", id="R-2")
def test_double():
    \"\"\"Doubles.\"\"\"
    assert double(2) == 4

@pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.req("R-2"))])
def test_rows(x):
    assert x

@pytest.mark.verifies("R-3")
class TestGroup:
    def test_inside(self):
        assert double(1) == 2

def test_property(record_property):
    record_property("covers", "R-4, R-2")

@pytest.mark.req("R-9")
def test_unknown():
    assert double(1) == 2

@pytest.fixture
def marking(request):
    request.node.add_marker(pytest.mark.req("R-4"))

@pytest.mark.req("R-2")
def test_marked_by_a_fixture(marking):
    assert double(1) == 2

@pytest.mark.emergent("nobody asked for it")
def test_emergent():
    assert double(1) == 2
"""
STATUSES = {
    "R-1": "verified",
    "R-2": "verified",
    "R-3": "verified",
    "R-4": "verified",
    "R-5": "waived",
}


@pytest.fixture
def asked(project: Project) -> Project:
    return project.write(
        {
            "reqs.yml": REQUIREMENTS,
            "tests/test_thing.py": TESTS,
            "pytest.ini": """
                [pytest]
                lift_requirements = reqs.yml
                lift_marker = verifies
                lift_property = covers
                markers = verifies: of another tool
            """,
        }
    )


def report(project: Project) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((project.root / "out/report.json").read_text("utf-8"))
    return data


@pytest.mark.parametrize("options", [(), ("-n", "2")])
def test_the_trace_is_that_of_the_marks_and_properties(
    asked: Project, options: tuple[str, ...]
) -> None:
    result = asked.pytest("--lift-report=json:out/report.json", *options)
    assert result.status == 0, result.text
    assert "report: out/report.json" in result
    data = report(asked)
    assert {item["id"]: item["status"] for item in data["requirements"]} == STATUSES
    assert data["requirements"][-1]["waived_on"] == "2026-11-20"
    standings = {test["node"].rpartition("::")[2]: test["standing"] for test in data["tests"]}
    assert standings == {
        "test_double": "linked",
        "test_rows": "linked",
        "test_inside": "linked",
        "test_property": "linked",
        "test_unknown": "unknown-id",
        "test_marked_by_a_fixture": "linked",
        "test_emergent": "emergent",
    }
    assert data["tests"][0]["source"].startswith(
        '@pytest.mark.req("R-1", id="R-2")\ndef test_double():'
    )
    assert (data["line_percent"], data["gap_files"]) == (None, None)
    assert data["requirements"][0]["links"][0]["evidence"] == {
        "named": ["double"],
        "executed": None,
    }


def test_what_the_users_own_coverage_saw_is_evidence(asked: Project) -> None:
    measured = ("--cov=thing", "--cov-branch", "--cov-context=test")
    result = asked.pytest("--lift-report=json:out/report.json", *measured)
    assert result.status == 0, result.text
    data = report(asked)
    assert data["requirements"][0]["links"][0]["evidence"]["executed"] == ["double"]
    assert 0 < data["line_percent"] <= 100
    lines_only = asked.pytest("--lift-report=json:out/report.json", "--cov=thing")
    assert lines_only.status == 0, lines_only.text
    assert report(asked)["branch_percent"] is None
    assert report(asked)["line_percent"] == data["line_percent"]


def test_every_format_is_written_where_it_is_asked_for(asked: Project, tmp_path: Path) -> None:
    formats = ("html", "json", "markdown", "csv", "needs")
    job = tmp_path / "summary.md"
    job.write_text("before\n", "utf-8")
    result = asked.pytest(
        *(f"--lift-report={name}" for name in formats),
        f"--lift-report=csv:{tmp_path}/m.csv",
        GITHUB_STEP_SUMMARY=str(job),
    )
    assert result.status == 0, result.text
    folder = asked.root / ".lift/report"
    names = {path.name for path in folder.iterdir()}
    assert names == {"index.html", "report.json", "report.md", "matrix.csv", "needs.json"}
    assert (asked.root / ".lift/.gitignore").read_text() == "*\n"
    assert job.read_text("utf-8").startswith("before\n## ")
    assert (folder / "report.md").read_text("utf-8") in job.read_text("utf-8")
    rows = list(csv.DictReader((tmp_path / "m.csv").open(encoding="utf-8")))
    assert [row["test"] for row in rows if row["requirement"] == "R-3"] == [
        "tests/test_thing.py::TestGroup::test_inside"
    ]


@pytest.mark.parametrize("options", [(), ("-n", "2")])
def test_junit_carries_the_ids_under_the_name_that_is_asked_for(
    asked: Project, options: tuple[str, ...]
) -> None:
    named = ("--lift-junit-property=test_key", "--junitxml=j.xml")
    result = asked.pytest("--requirements=reqs.yml", *named, *options)
    assert result.status == 0, result.text
    found = {
        case.get("name"): [
            p.get("value") for p in case.iter("property") if p.get("name") == "test_key"
        ]
        for case in ElementTree.parse(asked.root / "j.xml").iter("testcase")
    }
    assert found["test_double"] == ["R-1, R-2"]
    assert (found["test_rows[1]"], found["test_rows[2]"]) == ([], ["R-2"])
    assert found["test_inside"] == ["R-3"]
    assert found["test_marked_by_a_fixture"] == ["R-2, R-4"]


@pytest.mark.parametrize(
    ("options", "status", "told"),
    [
        (("--lift-fail-under=100",), 0, ""),
        (("--lift-strict",), 1, "missed: unknown ids: 1, wanted 0 (--lift-strict): R-9"),
        (("--lift-strict", "--deselect=tests/test_thing.py::test_unknown"), 0, ""),
        (("--lift-fail-under=80", "--deselect=tests/test_thing.py::test_double"), 1,
         "missed: verified requirements 50.0 %, wanted 80 % (--lift-fail-under)"),
        (("--lift-strict", "--deselect=tests/test_thing.py::test_double"), 1,
         "missed: not-run requirements: 1, wanted 0 (--lift-strict): R-1"),
    ],
)  # fmt: skip
def test_gates_fail_a_build(
    asked: Project, options: tuple[str, ...], status: int, told: str
) -> None:
    result = asked.pytest("--requirements=reqs.yml", *options)
    assert result.status == status, result.text
    assert told in result
    assert ("missed:" in result.text) == bool(told)


def test_a_report_that_cannot_be_written_is_told(asked: Project) -> None:
    asked.write({"file": ""})
    result = asked.pytest("--lift-report=csv:file/m.csv")
    assert result.status == 3
    assert "no report: " in result
    assert "Traceback" not in result


@pytest.mark.parametrize(
    ("option", "told"),
    [("pdf", "'pdf' is not a report format"), (":x", "'' is not a report format")],
)
def test_an_unknown_format_is_a_usage_error(asked: Project, option: str, told: str) -> None:
    result = asked.pytest(f"--lift-report={option}")
    assert result.status == 4
    assert told in result


def test_nodes_are_those_of_the_project_whatever_the_rootdir(project: Project) -> None:
    (project.root / "setup.cfg").unlink()
    (project.root / ".git").mkdir()
    project.write({"tests/test_a.py": "def test_a():\n    pass\n"})
    result = project.pytest("--lift-report=json:../out/report.json", "test_a.py", cwd="tests")
    assert result.status == 0, result.text
    (test,) = report(project)["tests"]
    assert (test["node"], test["line"]) == ("tests/test_a.py::test_a", 1)


def test_a_suite_without_requirements_has_a_report_too(project: Project) -> None:
    project.write({"tests/test_a.py": "def test_a():\n    pass\n"})
    result = project.pytest("--lift-report=json:out/report.json")
    assert result.status == 0, result.text
    assert report(project)["tests"][0]["standing"] == "unlinked"


CUT = """
import pytest

@pytest.mark.req("R-1")
@pytest.mark.parametrize("x", range(3))
def test_rows(x):
    if x == 1:
        pytest.exit("enough", returncode=0)

@pytest.mark.req("R-2")
@pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.skip(reason="not here"))])
def test_skipped_row(x):
    assert x
"""


def test_rows_that_did_not_run_verify_nothing(asked: Project) -> None:
    asked.write({"tests/test_thing.py": CUT})
    result = asked.pytest(
        "--requirements=reqs.yml", "--lift-strict", "--lift-report=json:out/report.json"
    )
    assert result.status == 1, result.text
    assert "uncovered requirements: 2" in result
    data = report(asked)
    assert data["verdict"]["headline"].startswith("The session was cut short, 4 tests did not run")
    assert data["verdict"]["tone"] == "bad"


def test_a_skipped_row_leaves_it_open_whether_it_would_pass(asked: Project) -> None:
    asked.write({"tests/test_thing.py": CUT.replace("x == 1", "x == 9")})
    result = asked.pytest("--lift-report=json:out/report.json")
    assert result.status == 0, result.text
    statuses = {item["id"]: item["status"] for item in report(asked)["requirements"]}
    assert (statuses["R-1"], statuses["R-2"]) == ("verified", "incomplete")
    assert report(asked)["seconds"] > 0


@pytest.mark.parametrize("option", ["--lift-strict", "--lift-fail-under=99"])
def test_a_gate_alone_is_enough(asked: Project, option: str) -> None:
    assert asked.pytest(option, "--deselect=tests/test_thing.py::test_double").status == 1
    asked.write({"pytest.ini": "[pytest]\nmarkers = verifies: x\n"})
    result = asked.pytest(option)
    assert result.status == 4
    assert "there are no requirements to hold the tests against" in result


@pytest.mark.parametrize("option", ["--collect-only", "--fixtures", "--setup-plan"])
def test_who_only_looks_gets_no_report(asked: Project, option: str) -> None:
    result = asked.pytest("--lift-report=json:out/report.json", "--lift-strict", option)
    assert result.status == 0, result.text
    assert not (asked.root / "out").exists()


def test_without_a_terminal_reports_are_written_and_gates_held(asked: Project) -> None:
    failing = TESTS.replace("== 4", "== 5")
    asked.write({"tests/test_thing.py": failing})
    asked.pytest("-p", "no:terminal", "--lift-report=json:out/report.json")
    assert report(asked)["requirements"][0]["status"] == "failing"


def test_a_report_that_cannot_be_written_keeps_no_other_back(
    asked: Project, tmp_path: Path
) -> None:
    (asked.root / "folder").mkdir()
    wanted = ("csv:a.csv", "json:folder", "csv:b.csv")
    nowhere = str(tmp_path / "no/where")
    result = asked.pytest(*(f"--lift-report={one}" for one in wanted), GITHUB_STEP_SUMMARY=nowhere)
    assert result.status == 3
    assert (asked.root / "a.csv").exists()
    assert (asked.root / "b.csv").exists()
    assert "report: a.csv" in result
    assert "no report: " in result
    assert "the summary of this job could not be written" in result
    alone = asked.pytest("--lift-report=csv:a.csv", GITHUB_STEP_SUMMARY=nowhere)
    assert alone.status == 0, alone.text


@pytest.mark.parametrize("place", ["reqs.yml", "pytest.ini", "tests/test_thing.py"])
def test_no_report_takes_the_place_of_an_input(asked: Project, place: str) -> None:
    before = asked.read(place)
    result = asked.pytest("--requirements=reqs.yml", f"--lift-report=json:{place}")
    assert result.status == 4
    assert "is an input, and would be overwritten" in result
    assert asked.read(place) == before


def test_a_pipe_is_written_to_and_links_in_a_clone_are_not_followed(
    asked: Project, tmp_path: Path
) -> None:
    result = asked.pytest("-q", "--lift-report=csv:/dev/stdout")
    assert "requirement,title,scope" in result
    assert Path("/dev/stdout").is_symlink()
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "index.html").write_text("precious")
    (asked.root / ".lift").mkdir()
    (asked.root / ".lift/report").symlink_to(victim)
    (asked.root / ".lift/.gitignore").symlink_to(victim / "new")
    result = asked.pytest("--lift-report=html")
    assert "a symbolic link" in result
    assert (victim / "index.html").read_text() == "precious"
    assert not (victim / "new").exists()
