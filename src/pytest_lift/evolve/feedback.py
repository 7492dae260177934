"""Feedback on an iteration: a debugger on what failed, an evaluator on the accepted suite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from pytest_lift.agents.contract import Brief
from pytest_lift.evolve.acceptance import Decision
from pytest_lift.evolve.attempt import Attempt, Refusal
from pytest_lift.evolve.screening import ScreenedCandidate
from pytest_lift.evolve.setup import Setup
from pytest_lift.evolve.state import State
from pytest_lift.findings.feedback import Feedback
from pytest_lift.findings.finding import Finding
from pytest_lift.findings.page import page
from pytest_lift.gate.gating import Gated
from pytest_lift.measure.measurement import Measurement
from pytest_lift.measure.time_budget import TimeIsUp
from pytest_lift.suite.suite import Edit

CORRECTIONS = 2
"""Corrections in a row after which what still fails is given up."""
NOTHING_PROPOSED = "no change proposed"
ALL_REFUSED = "every change was refused"
REFUSED_BEFORE = "every change was refused before, unchanged"


def feed_back(
    setup: Setup, state: State, gated: Gated, tried: Attempt, refused: Refusal | None
) -> Iterator[State]:
    """Asks the agent whose turn it is; yields each state that holds if it is cut off."""
    screened = tried.screened
    state = after_screening(state, screened)
    if state.mode == "correct":
        measurement, agent = screened.first, setup.agents.debugger
    else:
        measurement, agent = state.accepted, setup.agents.evaluator
    yield state
    lost = refused.findings if refused else ()
    extra = [*gated.refused, *lost, *_refused_by_runs(state, screened)]
    yield from _hear(setup, state, agent, measurement, extra)


def after_screening(state: State, screened: ScreenedCandidate) -> State:
    """Returns the state in which a failing candidate is to be corrected, or the accepted suite
    refined."""
    refused = state.refused.noting(screened.first.suite, screened.refused_by_plain_pytest)
    corrections = state.corrections + 1 if screened.failed else 0
    state = replace(
        state,
        refused=refused,
        corrections=corrections,
        rejected_contradictions=state.rejected_contradictions | screened.rejected_contradictions,
    )
    if screened.failed and corrections <= CORRECTIONS:
        return replace(state, mode="correct", working=screened.first.suite)
    # Nobody has repaired it: the very same is not measured once more.
    refused = refused.noting(screened.first.suite, screened.failing)
    return replace(state, mode="refine", working=state.accepted.suite, refused=refused)


def close_unchanged(
    setup: Setup, state: State, gated: Gated, asked: tuple[object, ...], edit: Edit, why: str = ""
) -> Iterator[State]:
    """Closes an iteration whose edit changes nothing: no run is needed, every figure is the same.

    If the answer to the question `asked` was nothing at all, or nothing but what was refused
    before, the question is not asked again.
    """
    mode = state.mode
    by_gate = [one for one in gated.refused if not gated.again.intersection(one.tests)]
    refused = state.refused.noting_gate(state.working.apply(edit), by_gate)
    news = refused != state.refused
    idle = not why and not news and not edit.cut_short
    if not why:
        why = NOTHING_PROPOSED
        if gated.refused:
            why = ALL_REFUSED if news else REFUSED_BEFORE
    working = state.accepted.suite
    state = replace(state, refused=refused, working=working, mode="refine", corrections=0)
    yield state
    feedback = state.feedback
    if not (feedback and feedback.role == "evaluator" and feedback.asked):
        with suppress(TimeIsUp), setup.timed("feedback"):
            accepted, evaluator = state.accepted, setup.agents.evaluator
            for latest in _hear(setup, state, evaluator, accepted, gated.refused):
                state = latest
                yield state
    state = setup.find(state, gated.refused)
    yield state
    repeats = idle and setup.question(state) == asked
    setup.log.close(mode, state, Decision(False), why=why, repeats=repeats)


def _hear(
    setup: Setup,
    state: State,
    agent: Callable[[Brief], Feedback],
    measurement: Measurement,
    extra: Sequence[Finding],
) -> Iterator[State]:
    """Asks an agent about `measurement`; its grades of links become knowledge."""
    state = replace(state, findings=setup.findings_of(measurement, state, extra))
    yield state
    answer = agent(setup.brief(state, measurement))
    if answer.link_grades or answer.worthless:
        knowledge = state.knowledge.with_grades(answer.link_grades)
        knowledge = knowledge.with_worthless(answer.worthless)
        setup.keep_worthless(knowledge)
        is_accepted = measurement is state.accepted
        measurement = setup.measurer.retrace(measurement, knowledge)
        accepted = measurement
        if not is_accepted:
            accepted = setup.measurer.retrace(state.accepted, knowledge)
        state = replace(state, accepted=accepted)
        state = replace(state, findings=setup.findings_of(measurement, state, extra))
    scoped = measurement.scoped
    body = answer.body or page(answer, scoped.run, scoped.trace, scoped.coverage)
    yield replace(state, feedback=replace(answer, body=body))


PLAINLY = "write it so that it passes when the user types pytest, without this package"
GIVEN_UP = "write another test of this behaviour, or none"


def _refused_by_runs(state: State, screened: ScreenedCandidate) -> list[Finding]:
    """Returns findings on tests that runs took out, one for each reason. While a candidate is to
    be corrected, what failed has findings of its own."""
    plainly = screened.refused_by_plain_pytest
    dropped = plainly if state.mode == "correct" else screened.dropped
    reasons: dict[str, list[str]] = {}
    for node, why in dropped.items():
        if node not in screened.rejected_contradictions:
            reasons.setdefault(why, []).append(node)
    return [
        Finding(
            "refused",
            f"{nodes[0]} was left out: {why}",
            tests=tuple(nodes),
            todo=PLAINLY if nodes[0] in plainly else GIVEN_UP,
        )
        for why, nodes in reasons.items()
    ]
