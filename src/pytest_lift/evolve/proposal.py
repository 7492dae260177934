"""Asks the agents: expectations from texts, an edit, and rulings on differences."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import replace

from pytest_lift.evolve.setup import Setup
from pytest_lift.evolve.state import State
from pytest_lift.gate.diagnosis.diagnosing import Diagnoser
from pytest_lift.gate.repair.edits import repaired_edit
from pytest_lift.gate.repair.repairing import Repairer
from pytest_lift.requirements.doubtful import DoubtfulRequirement, still_doubtful
from pytest_lift.requirements.requirement import Expectation
from pytest_lift.run.result import Run
from pytest_lift.suite.suite import Edit

FIRST_TESTS, MORE_TESTS = 1.5, 1.2
"""How many times longer a first suite runs than none, about, since most is importing the program,
and a suite with what is proposed for it than without."""


def expect(setup: Setup, state: State) -> State:
    """Has an agent derive expectations from the texts before any agent sees the code."""
    derive = setup.agents.expect
    if derive is None:
        return state
    with setup.timed("expect", setup.measurer.times.trying) as until:
        said = derive(setup.brief(state, until=until))
        doubted = (one for one in said if isinstance(one, DoubtfulRequirement))
        doubts = still_doubtful(doubted, setup.measurer.requirements)
        state = learn(setup, state, [one for one in said if isinstance(one, Expectation)])
        state = state.knowing(state.knowledge.with_doubts(doubts))
        return state if state.mode == "correct" else setup.find(state, state.refusals)


def propose(setup: Setup, state: State) -> Generator[State, None, tuple[State, Edit]]:
    """Asks the generator, and for rulings on the differences that it saw; yields as it learns.

    Returns the state and the edit.
    """
    with setup.timed("generate", setup.measurer.times.trying, growth(state.accepted.run)) as until:
        edit = setup.agents.generator(setup.brief(state, until=until))
        edit = _repaired(setup, state, edit)
        edit = replace(edit, doubts=still_doubtful(edit.doubts, setup.measurer.requirements))
        state = learn(setup, state, edit.expectations)
        state = state.having_tried(edit)
        setup.keep_worthless(state.knowledge)
    yield state
    if edit.expectations and setup.agents.rule is not None:
        with setup.timed("expect"):
            state = learn(setup, state, setup.agents.rule(setup.brief(state)))
        yield state
    return state, edit


def growth(run: Run) -> float:
    """Returns how many times longer than this run of the accepted suite one of a candidate takes,
    about."""
    return MORE_TESTS if run.results else FIRST_TESTS


def _repaired(setup: Setup, state: State, edit: Edit) -> Edit:
    """Repairs what agents without a language server of their own proposed, before the gate."""
    measurer = setup.measurer
    diagnoser = Diagnoser(measurer.program, state.working, measurer.workspace.root)
    return repaired_edit(Repairer(diagnoser), edit, state.accepted.suite)


def learn(setup: Setup, state: State, said: Iterable[Expectation]) -> State:
    """Adds expectations, or replaces those of the same key, and traces the accepted suite anew."""
    knowledge = state.knowledge.with_expectations(said)
    if knowledge.expectations == state.knowledge.expectations:
        return state
    return replace(state, accepted=setup.measurer.retrace(state.accepted, knowledge))
