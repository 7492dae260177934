"""What trying a candidate will take, by the runs that were made so far."""

from __future__ import annotations

import pytest

from pytest_lift.evolve.proposal import growth
from pytest_lift.measure.run_times import RunTimes
from pytest_lift.run.result import Run, TestResult


def test_as_long_as_nothing_else_is_known_all_runs_take_as_long() -> None:
    assert RunTimes(2.0).trying == pytest.approx(6.0)


def test_a_plain_run_of_next_to_nothing_and_the_tests_tell_what_runs_without_coverage_take() -> (
    None
):
    times = RunTimes(9.0)
    times.note_start(0.3)
    times.note_measured(1.0, in_tests=0.1)
    assert times.again == pytest.approx(0.4)
    assert times.trying == pytest.approx(1.8)


def test_a_whole_run_without_coverage_tells_more() -> None:
    times = RunTimes()
    times.note_start(0.3)
    times.note_measured(1.0, in_tests=0.1)
    times.note_bare(0.6)
    times.note_start(0.2)
    times.note_measured(1.2, in_tests=0.1)
    assert times.again == pytest.approx(0.6)


def test_no_run_takes_longer_without_coverage() -> None:
    times = RunTimes(1.0)
    times.note_bare(5.0)
    assert times.trying == pytest.approx(3.0)


def test_a_candidate_takes_longer_than_the_suite_that_it_grows_from() -> None:
    one = TestResult("tests/test_a.py::test_a", "passed", 0.1)
    assert growth(Run("passed", {})) > growth(Run("passed", {one.node: one})) > 1.0
