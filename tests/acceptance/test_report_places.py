"""Where reports go: no input, no link and no other report is lost by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Project
from reported_session import REQUIREMENTS, TESTS, report
from session_inside import Session, session_inside

__all__ = ["session_inside"]


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
@pytest.mark.usefixtures("asked")
def test_an_unknown_format_is_a_usage_error(
    session_inside: Session, option: str, told: str
) -> None:
    result = session_inside(f"--lift-report={option}")
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
def test_no_report_takes_the_place_of_an_input(
    asked: Project, session_inside: Session, place: str
) -> None:
    before = asked.read(place)
    result = session_inside("--requirements=reqs.yml", f"--lift-report=json:{place}")
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
    assert "a symbolic link has its name" in result
    assert (victim / "index.html").read_text() == "precious"
    assert not (victim / "new").exists()
