"""`--lift-max-minutes` holds, whatever takes the time, and a lift says what there is time for."""

from __future__ import annotations

import pytest
from conftest import Project

SLOW = '''\
"""A suite that takes its time."""

import time

from thing import double


def test_slowly():
    time.sleep({seconds})
    assert double(2) == 4
'''
ENDLESS = "    while True:\n        pass\n"
DOUBLE = '''\
"""Tests of thing."""

import pytest

from thing import double


@pytest.mark.req("R-1")
def test_doubles():
    """Doubles a number."""
    assert double(21) == 42
'''


def within(project: Project, seconds: float) -> bool:
    """The bar is 10 %; on a machine that does other things nothing is exact to the second."""
    return float(project.outcome["seconds"]) <= 1.1 * seconds + 1.0


@pytest.mark.slow
def test_a_limit_that_cannot_hold_an_iteration_measures_and_says_so(project: Project) -> None:
    project.write({"tests/test_slow.py": SLOW.format(seconds=4)})
    result = project.lift("--lift-max-minutes=0.25", "--lift-sandbox=off")
    assert (result.status, project.outcome["outcome"], project.outcome["iterations"]) == (
        0,
        "budget",
        0,
    )
    assert within(project, 15)
    assert project.outcome["passed"] == 1
    assert "the suite itself takes " in result
    assert "so this lift measures the suite and ends" in result
    assert "ended because: an iteration takes about " in result
    assert "of --lift-max-minutes 0.25 are left; allow --lift-max-minutes " in result


def test_a_suite_that_takes_longer_than_the_limit_is_not_begun(project: Project) -> None:
    project.write({"tests/test_slow.py": SLOW.format(seconds=2.5)})
    result = project.lift("--lift-max-minutes=0.03", "--lift-sandbox=off")
    assert (result.status, project.outcome["outcome"]) == (0, "budget")
    assert "lift: running the suite takes about " in result
    assert "nothing is measured, and nothing changed" in result
    assert result.text.count(" takes about ") == 1
    assert "Traceback" not in result


@pytest.mark.slow
def test_an_agent_that_never_comes_back_is_stopped(project: Project) -> None:
    project.script(DOUBLE)
    text = project.read("conftest.py").replace("    folder = HERE", f"{ENDLESS}    folder = HERE")
    project.write({"conftest.py": text})
    result = project.lift("--lift-max-minutes=0.6", "--lift-sandbox=off")
    assert (result.status, project.outcome["outcome"], project.outcome["iterations"]) == (
        5,
        "budget",
        0,
    )
    assert within(project, 36)
    assert "is used up; unfinished work does not count" in result
    assert project.texts() == {}


@pytest.mark.slow
def test_tests_that_hang_are_stopped_with_the_lift(project: Project) -> None:
    project.script(DOUBLE.replace("    assert", "    while True: pass\n    assert"))
    result = project.lift("--lift-max-minutes=0.2", "--lift-sandbox=off")
    assert (result.status, project.outcome["outcome"]) == (5, "budget")
    assert within(project, 12)
