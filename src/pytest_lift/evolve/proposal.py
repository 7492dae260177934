"""A generator's edit, after expectations were written down and the gate has looked at it."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace

from pytest_lift.evolve.setup import Setup
from pytest_lift.evolve.state import State
from pytest_lift.findings.finding import Finding
from pytest_lift.gate.contradictions import with_contradictions
from pytest_lift.gate.gating import Gated, gate
from pytest_lift.measure.time_budget import RUNS_OF_A_TRY
from pytest_lift.requirements.requirement import Expectation
from pytest_lift.suite.respelling import respelled
from pytest_lift.suite.suite import Edit


def expect(setup: Setup, state: State) -> State:
    """Has an agent derive expectations from the texts before any agent sees the code."""
    derive = setup.agents.expect
    if derive is None:
        return state
    with setup.timed("expect", RUNS_OF_A_TRY * setup.measurer.run_seconds) as until:
        state = learn(setup, state, derive(setup.brief(state, until=until)))
        return state if state.mode == "correct" else setup.find(state, state.refusals)


def propose(setup: Setup, state: State) -> Generator[State, None, tuple[State, Edit]]:
    """Asks the generator, and for rulings on the differences that it saw; yields as it learns.

    Returns the state and the edit.
    """
    with setup.timed("generate", RUNS_OF_A_TRY * setup.measurer.run_seconds) as until:
        edit = setup.agents.generator(setup.brief(state, until=until))
        state = learn(setup, state, edit.expectations)
        state = state.having_tried(edit)
    yield state
    if edit.expectations and setup.agents.rule is not None:
        with setup.timed("expect"):
            state = learn(setup, state, setup.agents.rule(setup.brief(state)))
        yield state
    return state, edit


def learn(setup: Setup, state: State, said: tuple[Expectation, ...]) -> State:
    """Adds expectations, or replaces those of the same key, and traces the accepted suite anew."""
    knowledge = state.knowledge.with_expectations(said)
    if knowledge.expectations == state.knowledge.expectations:
        return state
    return replace(state, accepted=setup.measurer.retrace(state.accepted, knowledge))


def gated(setup: Setup, state: State, edit: Edit) -> Gated:
    """Returns the part of an edit that passes the rules, with tests of contradictions added.

    Links are spelled as the project can read them; tests that were refused before are left out.
    """
    measurer, accepted = setup.measurer, state.accepted.suite
    found = gate(edit, state.working, measurer.requirements, measurer.program, accepted)
    suite = with_contradictions(
        found.suite,
        measurer.contradictions(state.knowledge),
        measurer.program,
        measurer.requirements,
        passing=state.accepted.settled,
        rejected_contradictions=state.rejected_contradictions,
    )
    linked = bool(len(measurer.requirements))
    suite = respelled(suite, state.working, setup.marks, linked=linked)
    again = state.refused.again(suite, [test.node for test in accepted.tests()])
    refused = (*found.refused, *_refused_again(again))
    return replace(found, suite=suite.without(again), refused=refused, again=frozenset(again))


def _refused_again(again: Mapping[str, str]) -> Iterator[Finding]:
    for node, why in again.items():
        what = f"{node} was proposed again, unchanged since it was refused: {why}"
        yield Finding("refused", what, tests=(node,), todo="write another test")
