"""An ordinary session of pytest leaves the reports that it is asked for."""

from __future__ import annotations

import csv
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import Project
from reported_session import REQUIREMENTS, TESTS, report

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


def test_a_suite_without_requirements_has_a_report_too(project: Project) -> None:
    project.write({"tests/test_a.py": "def test_a():\n    pass\n"})
    result = project.pytest("--lift-report=json:out/report.json")
    assert result.status == 0, result.text
    assert report(project)["tests"][0]["standing"] == "unlinked"
