"""Mutants of a candidate, within the time that an iteration leaves."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest
from measured_setup import FOUND, KNOWN, TEST, measurement, setup

from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.evolve.attempt import may_gain, with_mutants
from pytest_lift.measure.time_budget import UNLIMITED, TimeBudget
from pytest_lift.suite.suite import Edit


def test_mutants_of_the_suite_as_found_leave_the_time_for_an_iteration() -> None:
    """They are stopped where they are, 27 s (three runs, and some of looking) before the end."""
    begun, warned = setup(TimeBudget(28.0, time.monotonic()), run=8.0)
    found = with_mutants(begun, measurement(FOUND))
    assert found.mutation is None
    assert begun.time.left is not None
    assert 0 < begun.time.left <= 27.0
    assert len(warned) == 1
    assert warned[0].startswith("mutants are not measured this time: the time of --lift-max-")


def test_where_no_iteration_fits_all_the_time_is_theirs() -> None:
    begun, _ = setup(TimeBudget(2.0, time.monotonic()), run=8.0, seconds=0.0)
    with_mutants(begun, measurement(FOUND))
    (until,) = begun.faults.until  # type: ignore[attr-defined]
    assert until is not None
    assert until < time.monotonic() + 2.0


@pytest.mark.parametrize("run", [1.0, 8.0])
def test_mutants_of_a_candidate_leave_the_time_for_the_last_run(run: float) -> None:
    """What the accepted suite detects, the candidate detects, which has all of its tests."""
    begun, warned = setup(TimeBudget(run + 1.4, time.monotonic()), run=run)
    candidate = FOUND.apply(Edit({"tests/test_b.py": TEST.replace("_a", "_b")}))
    found = with_mutants(begun, measurement(candidate), measurement(FOUND, KNOWN))
    assert found.mutation is not None
    assert found.mutation.verdicts == KNOWN.verdicts
    assert found.mutation.earlier == "the suite with 1 test"
    assert found.figures.mutation_percent is None
    assert len(warned) == 1


def test_without_a_limit_they_take_what_they_take() -> None:
    begun, warned = setup(UNLIMITED, seconds=0.0)
    assert with_mutants(begun, measurement(FOUND, KNOWN)).mutation == KNOWN
    assert (begun.faults.until, warned) == ([None], [])  # type: ignore[attr-defined]


def test_where_mutants_are_off_nothing_is_measured() -> None:
    begun, _ = setup(UNLIMITED)
    begun.faults.mutator = None
    assert with_mutants(begun, measurement(FOUND)).mutation is None
    assert begun.faults.until == []  # type: ignore[attr-defined]


def test_a_candidate_may_gain_what_mutants_show_as_long_as_there_is_time() -> None:
    begun, _ = setup(UNLIMITED)
    known = measurement(FOUND)
    more = measurement(FOUND.apply(Edit({"tests/test_b.py": TEST})))
    assert may_gain(begun, known, more)
    begun.faults.mutator = None
    assert not may_gain(begun, known, more)
    covered = FileCoverage("m.py", frozenset({1}), *4 * [frozenset[Any]()])
    assert may_gain(begun, known, replace(more, coverage=Coverage({"m.py": covered})))


def test_what_takes_longer_afterwards_is_given_more_time() -> None:
    begun, _ = setup(TimeBudget(60.0, time.monotonic()), run=8.0)
    with begun.timed("generate", 24.0) as usual, begun.timed("generate", 24.0, 1.5) as earlier:
        assert usual is not None
        assert earlier is not None
        assert 5.0 < usual - earlier < 15.0
