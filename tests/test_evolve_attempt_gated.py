"""What of an edit the loop runs: what was refused in this lift is left out, and said so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from plain_project import FLAT, benched, write

from pytest_lift.agents.offline.family import offline_agents
from pytest_lift.coverage.coverage import Coverage
from pytest_lift.evolve.attempt import gated
from pytest_lift.evolve.feedback import CORRECTIONS, after_screening
from pytest_lift.evolve.publisher import IterationLog, Publisher
from pytest_lift.evolve.screening import ScreenedCandidate
from pytest_lift.evolve.setup import Setup
from pytest_lift.evolve.state import State
from pytest_lift.measure.fault_measurer import FaultMeasurer
from pytest_lift.measure.measurement import Measurement
from pytest_lift.run.result import Run, TestResult
from pytest_lift.store.history import History
from pytest_lift.suite.suite import Edit, Suite, suite_of
from pytest_lift.trace.trace import Trace


def suite(*files: tuple[str, str]) -> Suite:
    return suite_of("tests", {}).apply(Edit(dict(files)))


def test_the_loop_leaves_out_what_was_refused_and_says_so(tmp_path: Path) -> None:
    """All else of the edit is let through; what changes settings of pytest makes it new."""
    with benched(write(tmp_path / "project", FLAT)) as (measurer, suite):
        run = History.open(tmp_path / "project").start_run()
        publisher = Publisher(tmp_path / "project", measurer, run, suite)
        told = IterationLog(publisher, None, lambda name, iteration: None)
        setup = Setup(FaultMeasurer(measurer), offline_agents(), told)
        state = State(Measurement(suite, Run("passed"), Coverage(), Trace(())), suite)
        text = FROM_MOD + BOTH
        first = gated(setup, state, Edit({NEW: text})).suite
        refused = state.refused.noting(first, {f"{NEW}::test_sign_of_two": "why"})
        state = replace(state, refused=refused)
        again = text.replace("test_sign_of_two", "test_sign_anew")
        found = gated(setup, state, Edit({NEW: again}))
        assert [t.node for t in found.suite.owned_tests()] == [f"{NEW}::test_sign_of_one"]
        assert found.again == {f"{NEW}::test_sign_anew"}
        assert [one.tests for one in found.refused] == [(f"{NEW}::test_sign_anew",)]
        assert measurer.depends_on("pytest.toml")
        assert measurer.depends_on("pkg/mod.py")
        assert not measurer.depends_on("README.md")


def test_what_still_fails_when_it_is_given_up_is_not_tried_again(tmp_path: Path) -> None:
    node = f"{NEW}::test_sign_of_two"
    with benched(write(tmp_path / "project", FLAT)) as (measurer, suite):
        run = History.open(tmp_path / "project").start_run()
        told = IterationLog(
            Publisher(tmp_path / "project", measurer, run, suite), None, lambda *_: None
        )
        setup = Setup(FaultMeasurer(measurer), offline_agents(), told)
        state = State(Measurement(suite, Run("passed"), Coverage(), Trace(())), suite)
        edit = Edit({NEW: FROM_MOD + BOTH})
        candidate = gated(setup, state, edit)
        results = {node: TestResult(node, "failed", 0.1)}
        first = Measurement(candidate.suite, Run("failed", results), Coverage(), Trace(()))
        settled = ScreenedCandidate(
            first, state.accepted, True, {node: "AssertionError", "x": "flaky"}
        )
        assert settled.failing == {node: "AssertionError"}
        for attempt in range(CORRECTIONS + 1):
            assert not gated(setup, state, edit).again, attempt
            state = after_screening(state, settled)
        assert state.mode == "refine"
        assert gated(setup, state, edit).again == {node}


NEW = "tests/test_mod.py"
FROM_MOD = "from pkg.mod import sign\n\n\n"
BOTH = '''def test_sign_of_two():
    """The sign of two.

    :emergent: observed
    """
    assert sign(2) == 1


def test_sign_of_one():
    """The sign of one.

    :emergent: observed
    """
    assert sign(1) == 1
'''
