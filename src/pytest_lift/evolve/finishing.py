"""The end of a lift: fewer tests (`--lift-minimise`), and mutants that were cut off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pytest_lift.evolve.acceptance import Decision
from pytest_lift.evolve.attempt import publish
from pytest_lift.evolve.beginning import with_user_changes
from pytest_lift.evolve.setup import Setup
from pytest_lift.evolve.state import State
from pytest_lift.measure.fault_measurer import FaultMeasurer
from pytest_lift.measure.measurement import Measurement
from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.measure.time_budget import TimeIsUp
from pytest_lift.redundancy.merging import merge_alike
from pytest_lift.redundancy.minimising import Measure, losses, minimise, propose
from pytest_lift.redundancy.redundancy import COPIES
from pytest_lift.run.formatting import formatted
from pytest_lift.suite.suite import Suite
from pytest_lift.text.wording import count
from pytest_lift.trace.statuses import BAD


def make_smaller(setup: Setup, state: State) -> Iterator[State]:
    """Runs an iteration that leaves out tests that add nothing."""
    with setup.timed("notice"):
        state = with_user_changes(setup, state) or state
    yield state
    before = state.accepted
    with setup.timed("minimise") as until:
        measurement = smaller(before, setup.faults, setup.seed, until)
    decision = Decision(measurement is not before, (_spared(before, measurement),))
    why = "no test can be removed or merged into another"
    if decision.accepted:
        state, why = setup.find(publish(setup, state, measurement)), ""
        yield state
    setup.log.close("minimise", state, decision, why=why)


def measure_what_was_cut_off(setup: Setup, state: State) -> State:
    """Measures mutants of the suite that stays, where time ran out before all of them were run.

    Without a score in the end it is as if this had not been tried. What the tests of this lift
    notice is confirmed as that of a candidate is.
    """
    known = state.accepted.mutation
    if not setup.faults.has_time or (known is not None and known.has_score):
        return state
    before = replace(state.accepted, suite=setup.publisher.found, mutation=None)
    try:
        with setup.timed("mutate") as until:
            measurement = setup.faults.measure(state.accepted, until, before)
    except TimeIsUp:
        return state
    if measurement.mutation is None or not measurement.mutation.has_score:
        return state
    state = setup.find(replace(state, accepted=measurement))
    setup.log.close("mutants", state, Decision(True), why="its mutants were measured at the end")
    return state


def smaller(
    accepted: Measurement, faults: FaultMeasurer, seed: int, until: float | None = None
) -> Measurement:
    """Returns the measurement without the tool's tests that add nothing, and with similar tests
    merged into rows of one test.

    `accepted` itself if nothing can be removed. The user's tests stay as they are, and the last
    gate must accept the result. Nothing that was measured is lost: branches, lines, detected
    mutants, verified requirements. Where mutants were measured and there is no time to do so again,
    only copies are removed.
    """

    measurer = faults.measurer

    def measure(suite: Suite) -> Measurement:
        return faults.measure(measurer.measure(suite, accepted.knowledge), until)

    begin, groups = accepted, propose(accepted)
    if accepted.mutation is not None and not faults.has_time:
        begin = replace(accepted, mutation=None)
        groups = propose(begin, likenesses=COPIES)
    found = minimise(begin, measure, losses, groups=groups)
    found = _merged(found, begin, measurer, measure)
    if found is begin or not _is_steady(found, measurer, seed):
        return accepted
    gate = measurer.last_gate
    if gate is not None and gate.refused(found.suite, accepted.suite, accepted.broken):
        return accepted
    return found


def _merged(
    found: Measurement, begin: Measurement, measurer: SuiteMeasurer, measure: Measure
) -> Measurement:
    """Returns the suite with tests that differ only in literals as rows of one test, if that loses
    nothing."""
    spared = {test for test, _ in found.knowledge.link_grades}
    edit = merge_alike(found.suite, spared)
    if not edit:
        return found
    suite = formatted(found.suite.apply(edit), found.suite, measurer.workspace, measurer.jail)
    merged = measure(suite)
    as_many_rows = len(merged.run.results) == len(found.run.results)
    lost = merged.broken - begin.broken or losses(begin, merged)
    return merged if as_many_rows and not lost else found


def _is_steady(measurement: Measurement, measurer: SuiteMeasurer, seed: int) -> bool:
    """Whether the suite passes backwards, too; tests that fail anyway are left out."""
    again = measurer.repeat(measurement.suite, ~seed)
    bad = {result.function for result in again.results.values() if result.outcome in BAD}
    owned = {test.node for test in measurement.suite.owned_tests()}
    return again.cut_short is None and not (bad - measurement.broken) & owned


def _spared(before: Measurement, after: Measurement) -> str:
    functions = [sum(1 for _ in measured.suite.tests()) for measured in (before, after)]
    return f"the same with {count(functions[0] - functions[1], 'test function')} less"
