"""What the loop does with measuring that does not end in time."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.evolve.acceptance import Decision
from pytest_lift.evolve.attempt import may_gain, with_mutants
from pytest_lift.evolve.finishing import measure_what_was_cut_off
from pytest_lift.evolve.iteration_log import IterationLog
from pytest_lift.evolve.setup import Setup
from pytest_lift.evolve.state import State
from pytest_lift.measure.activity import Activity
from pytest_lift.measure.fault_measurer import FaultMeasurer
from pytest_lift.measure.measurement import Measurement
from pytest_lift.measure.time_budget import UNLIMITED, TimeBudget
from pytest_lift.mutation.mutants import Mutant
from pytest_lift.mutation.mutation import Mutation
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.run.result import Run, TestResult
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Edit, Suite, suite_of
from pytest_lift.trace.trace import Trace

TEST = "def test_a():\n    assert 1\n"
MUTANTS = {"m": Mutant("m", "pkg/mod.py", 1, "sign", "", "", "")}
KNOWN = Mutation(MUTANTS, {"m": "killed"})
FOUND = suite_of("tests", {"tests/test_a.py": TEST})


@dataclass
class Measuring(FaultMeasurer):
    """Measures for `seconds`; what it was told of the time is kept."""

    seconds: float = 600.0
    found: Mutation | None = None
    before: list[Measurement | None] = field(default_factory=list)
    until: list[float | None] = field(default_factory=list)

    def measure(
        self,
        measurement: Measurement,
        until: float | None = None,
        before: Measurement | None = None,
    ) -> Measurement:
        self.until.append(until)
        self.before.append(before)
        time.sleep(self.seconds)
        return replace(measurement, mutation=self.found or measurement.mutation)

    @property
    def has_time(self) -> bool:
        return self.mutator is not None


@dataclass
class Closing(IterationLog):
    """Iterations are kept as what was tried, and written nowhere."""

    closed: list[tuple[str, Measurement]] = field(default_factory=list)

    def close(
        self, mode: str, measurement: Measurement, judgement: Decision, **more: object
    ) -> None:
        self.closed.append((mode, measurement))


def setup(budget: TimeBudget, run: float = 0.0, seconds: float = 600.0) -> tuple[Setup, list[str]]:
    """A set-up in which running the suite takes `run` seconds; its warnings."""
    warned: list[str] = []
    measurer = SimpleNamespace(
        time=budget,
        run_seconds=run,
        activity=Activity(),
        scope=None,
        program=Program(("pkg",), ("pkg",), ("",)),
        requirements=Requirements(),
    )
    faults = Measuring(measurer, mutator=SimpleNamespace(), seconds=seconds)  # type: ignore[arg-type]
    faults.warn = warned.append
    publisher = SimpleNamespace(measurer=measurer, found=suite_of("tests", {}), on_disk=FOUND)
    chronicle = Closing(publisher, None, lambda *told: None)  # type: ignore[arg-type]
    agents = SimpleNamespace(reads_feedback=True)
    return Setup(faults, agents, chronicle), warned  # type: ignore[arg-type]


def measurement(suite: Suite, mutation: Mutation | None = None) -> Measurement:
    results = {test.node: TestResult(test.node, "passed", 0.1) for test in suite.tests()}
    return Measurement(suite, Run("passed", results), Coverage(), Trace(), mutation)


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


def test_a_candidate_may_gain_what_mutants_show_as_long_as_there_is_time() -> None:
    begun, _ = setup(UNLIMITED)
    known = measurement(FOUND)
    more = measurement(FOUND.apply(Edit({"tests/test_b.py": TEST})))
    assert may_gain(begun, known, more)
    begun.faults.mutator = None
    assert not may_gain(begun, known, more)
    covered = FileCoverage("m.py", frozenset({1}), *4 * [frozenset[Any]()])
    assert may_gain(begun, known, replace(more, coverage=Coverage({"m.py": covered})))
