"""What is measured when a lift ends: mutants that were cut off, where there is time."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from measured_setup import FOUND, KNOWN, MUTANTS, measurement, setup

from pytest_lift.evolve.finishing import measure_what_was_cut_off
from pytest_lift.evolve.setup import Setup
from pytest_lift.evolve.state import State
from pytest_lift.measure.measurement import Measurement
from pytest_lift.measure.time_budget import UNLIMITED, TimeBudget
from pytest_lift.mutation.mutation import Mutation

CUT_OFF = Mutation(MUTANTS, {}, sample=frozenset({"m"}))


def at_the_end(
    mutation: Mutation | None,
    found: Mutation | None,
    budget: TimeBudget = UNLIMITED,
    **keywords: float,
) -> tuple[Setup, State, list[tuple[str, Measurement]]]:
    """The end of a lift whose accepted suite has `mutation`, and the iterations closed then."""
    begun, _ = setup(budget, **keywords)
    begun.faults.found = found  # type: ignore[attr-defined]
    state = measure_what_was_cut_off(begun, State(measurement(FOUND, mutation), FOUND))
    return begun, state, begun.log.closed  # type: ignore[attr-defined]


@pytest.mark.parametrize("mutation", [None, CUT_OFF, replace(KNOWN, earlier="another suite")])
def test_mutants_that_were_cut_off_are_measured_at_the_end(mutation: Mutation | None) -> None:
    """New tests are all that the suite as found has not: what they notice is confirmed."""
    begun, state, closed = at_the_end(mutation, KNOWN, seconds=0.0)
    assert state.accepted.figures.mutation_percent == 100.0
    assert [(mode, tried.mutation) for mode, tried in closed] == [("mutants", KNOWN)]
    (before,) = begun.faults.before  # type: ignore[attr-defined]
    assert (before.mutation, list(before.suite.tests())) == (None, [])


def test_mutants_that_have_a_score_are_not_measured_again() -> None:
    begun, _, closed = at_the_end(KNOWN, None, seconds=0.0)
    assert (begun.faults.until, closed) == ([], [])  # type: ignore[attr-defined]


def test_without_time_the_end_is_as_it_was() -> None:
    budget = TimeBudget(1.3, time.monotonic())
    _, state, closed = at_the_end(CUT_OFF, KNOWN, budget, seconds=600.0)
    assert (state.accepted.mutation, closed) == (CUT_OFF, [])
    _, state, closed = at_the_end(CUT_OFF, CUT_OFF, seconds=0.0)
    assert (state.accepted.mutation, closed) == (CUT_OFF, [])
