"""What a lift says of a session: briefly, what fails, and what is left out."""

from __future__ import annotations

import os
import re

import pytest
from conftest import Project
from scripted_session import FOUND, ONE, USERS


@pytest.fixture
def lifted(project: Project) -> Project:
    """One test of the user's, and agents that add one more."""
    return project.write({"tests/test_mine.py": USERS}).script(FOUND)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "status"), [pytest.param(60, 0, marks=pytest.mark.slow), (99, 1)]
)
def test_a_coverage_limit_is_held_against_the_whole_suite(
    lifted: Project, limit: int, status: int
) -> None:
    """The user's tests alone reach about 50 %, with those of the tool it is about 75 %."""
    ini = f"[pytest]\naddopts = --cov=thing --cov-fail-under={limit}\n"
    result = lifted.write({"pytest.ini": ini}).lift(ONE)
    assert (result.status, lifted.outcome["exit_code"]) == (status, status), result.text
    missed = re.search(r"threshold missed: --cov-fail-under 7\d.\d %, wanted 99 %", result.text)
    assert bool(missed) == bool(status)
    lifted.write({"tests/test_bad.py": "def test_bad():\n    assert 1 == 2\n"})
    assert lifted.lift("--lift-iterations=0").status == 1


@pytest.mark.slow
def test_an_outcome_of_before_is_not_taken_for_this_one(lifted: Project) -> None:
    assert lifted.lift(ONE, "--lift-json=out.json").status == 0
    lifted.write(
        {"conftest.py": lifted.read("conftest.py").replace("return Edit(", "return Adit(")}
    )
    result = lifted.lift(ONE, "--lift-json=out.json")
    assert result.status == 3
    assert "crash.txt" in result
    assert lifted.outcome["outcome"] == "failed"
    assert lifted.outcome["tests"] == 0
    assert lifted.read("out.json") == lifted.read(".lift/run.json")


def test_quiet_is_quiet(lifted: Project) -> None:
    """One line an iteration, and the outcome."""
    text = lifted.lift(ONE, "-q").text
    lines = [line for line in text.splitlines() if line.startswith("lift ")]
    assert [line.split(":")[0] for line in lines] == ["lift 0", "lift 1"]
    assert "; accepted: " in lines[1]
    assert "an iteration will take" not in text
    assert text.splitlines()[-1].strip("= ").startswith("lift: iterations, 2 tests pass")


def test_what_fails_and_what_is_left_out_is_said(lifted: Project) -> None:
    """An ownership file that cannot be read makes tests the user's; a pipe cannot be copied."""
    lifted.write({"tests/test_bad.py": "def test_bad():\n    assert 1 == 2\n"})
    lifted.write({"tests/.lift.json": "<<<"})
    os.mkfifo(lifted.root / "pipe")
    lifted.write({".script/1/elsewhere/test_b.py": "def test_b():\n    assert 1\n"})
    result = lifted.lift(ONE)
    assert "tests/.lift.json is not JSON" in result
    assert "pipe is left out: neither a file nor a link" in result
    assert "elsewhere/test_b.py is outside the test root tests" in result
    assert result.status == 1
    assert "failed before the lift and still fails: tests/test_bad.py::test_bad" in result
    assert "test_doubles" in lifted.read("tests/test_thing.py")
    assert lifted.outcome["failed"] == 1
