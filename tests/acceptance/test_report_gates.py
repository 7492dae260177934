"""Gates of an ordinary session: they fail a build for what is missing, and say so."""

from __future__ import annotations

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
    asked: Project,
    session_inside: Session,
    options: tuple[str, ...],
    status: int,
    told: str,
) -> None:
    result = session_inside("--requirements=reqs.yml", *options)
    assert result.status == status, result.text
    assert told in result
    assert ("missed:" in result.text) == bool(told)


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


def test_rows_that_did_not_run_verify_nothing(asked: Project, session_inside: Session) -> None:
    asked.write({"tests/test_thing.py": CUT})
    result = session_inside(
        "--requirements=reqs.yml", "--lift-strict", "--lift-report=json:out/report.json"
    )
    assert result.status == 1, result.text
    assert "uncovered requirements: 2" in result
    data = report(asked)
    assert data["verdict"]["headline"].startswith("The session was cut short, 4 tests did not run")
    assert data["verdict"]["tone"] == "bad"


def test_a_skipped_row_leaves_it_open_whether_it_would_pass(
    asked: Project, session_inside: Session
) -> None:
    asked.write({"tests/test_thing.py": CUT.replace("x == 1", "x == 9")})
    result = session_inside("--lift-report=json:out/report.json")
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
def test_who_only_looks_gets_no_report(
    asked: Project, session_inside: Session, option: str
) -> None:
    result = session_inside("--lift-report=json:out/report.json", "--lift-strict", option)
    assert result.status == 0, result.text
    assert not (asked.root / "out").exists()


def test_without_a_terminal_reports_are_written_and_gates_held(asked: Project) -> None:
    failing = TESTS.replace("== 4", "== 5")
    asked.write({"tests/test_thing.py": failing})
    asked.pytest("-p", "no:terminal", "--lift-report=json:out/report.json")
    assert report(asked)["requirements"][0]["status"] == "failing"
