"""The state a lift begins with: the suite as found, from an earlier run, or changed by the user."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from pytest_lift.evolve.acceptance import Decision
from pytest_lift.evolve.attempt import publish, with_mutants
from pytest_lift.evolve.resume import Resumed, requirements_fingerprint
from pytest_lift.evolve.setup import Setup
from pytest_lift.evolve.state import State
from pytest_lift.measure.measurement import Knowledge, Measurement
from pytest_lift.measure.time_budget import TimeIsUp, spoken
from pytest_lift.requirements.doubtful import still_doubtful
from pytest_lift.requirements.requirement import still_stated
from pytest_lift.suite.suite import Suite
from pytest_lift.trace.covering import still_said


def begin(setup: Setup, suite: Suite) -> State:
    """Measures the suite as found, mutants and order dependence included: iteration 0.

    Raises LiftError, or TimeIsUp, while there is nothing to keep.
    """
    with setup.timed("measure"):
        measurement = setup.measurer.measure(suite, Knowledge(worthless=setup.worthless))
    setup.say(_estimate(setup, measurement))
    measurement = with_mutants(setup, measurement)
    if setup.faults.mutator is not None:
        with suppress(TimeIsUp), setup.timed("orders", setup.kept_for_iteration):
            setup.faults.examine_orders(measurement)
    state = found(setup, measurement)
    setup.log.close("baseline", state, Decision(True))
    return state


def found(setup: Setup, measurement: Measurement, before: State | None = None) -> State:
    """Returns the state in which `measurement` is accepted as found; `before` is what it
    replaces."""
    located = setup.located(measurement)
    return setup.find((before or State(located, located.suite)).restarted(located))


def go_on(setup: Setup, now: Suite, resumed: Resumed) -> State:
    """Continues an earlier run; what changed since then becomes an iteration of its own."""
    measurer, standing = setup.measurer, resumed.standing
    begin = resumed.begin(
        now, measurer.program, measurer.requirements, landing=setup.publisher.landing
    )
    setup.log.go_on(resumed.iterations, standing.accepted, resumed.elapsed)
    with setup.timed("measure"):
        measurement = measurer.measure(begin.suite, _still_valid(setup, resumed))
    setup.say(_estimate(setup, measurement))
    located = setup.located(with_mutants(setup, measurement))
    known_failures = standing.known_failures
    state = State(located, located.suite, known_failures=known_failures).restarted(located)
    state = publish(setup, setup.find(state), state.accepted)
    if begin.changed:
        setup.log.close("resumed", state, Decision(True), why=begin.changed)
        return state
    setup.log.timer.take()  # what it took to be there again is no part of an iteration
    state = replace(
        state, mode=standing.mode, corrections=standing.corrections, feedback=standing.feedback
    )
    if state.mode != "correct":
        return setup.find(state, standing.findings)
    known = state.accepted.suite
    working = replace(standing.working, outside=known.outside, uncollected=known.uncollected)
    return replace(state, working=working, findings=standing.findings)


def _still_valid(setup: Setup, resumed: Resumed) -> Knowledge:
    """Expectations and grades of the earlier run whose words the requirements still have."""
    standing, requirements = resumed.standing, setup.measurer.requirements
    same = standing.requirements == requirements_fingerprint(requirements)
    grades = [grade for grade in standing.link_grades if same or still_said(grade, requirements)]
    expectations = still_stated(standing.expectations, requirements)
    doubts = still_doubtful(standing.doubts, requirements)
    known = Knowledge(expectations, doubts=doubts, left_out=standing.left_out)
    return replace(known.with_grades(grades), worthless=setup.worthless)


def with_user_changes(setup: Setup, state: State) -> State | None:
    """Returns the state after the user changed tests or sources; None where nothing changed."""
    measurer = setup.measurer
    theirs = setup.publisher.changed_by_the_user()
    changed = [path for path in measurer.workspace.sync() if measurer.depends_on(path)]
    if theirs is None and not changed:
        return None
    measurer.reread()
    measurement = measurer.measure(theirs or state.accepted.suite, state.knowledge)
    until = setup.time.aim("mutate", setup.least)
    return found(setup, setup.faults.measure(measurement, until), state)


def _estimate(setup: Setup, measurement: Measurement) -> str:
    """Says how long an iteration will take, and whether there is time for one."""
    trying, left, least = setup.measurer.times.trying, setup.time.left, setup.least
    text = f"the suite itself takes {spoken(measurement.run.seconds)}; "
    text += f"an iteration will take about {spoken(setup.time.about(trying))}"
    if left is not None and left < least:
        text += (
            f", at least {spoken(least)}: {spoken(left)} of {setup.time.told} are left, "
            "so this lift measures the suite and ends"
        )
    return text
