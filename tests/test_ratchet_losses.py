"""What a candidate may not lose, whatever it gains, and what counts as a gain; thresholds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_lift.measure.coverage import Coverage, FileCoverage
from pytest_lift.ratchet import judge
from pytest_lift.requirements import Requirement, Requirements
from pytest_lift.run import Outcome, Run, TestResult
from pytest_lift.suite import Edit, Suite
from pytest_lift.trace import trace_run
from pytest_lift.trial import Figures, Trial

TEXT = '''
import pytest

@pytest.mark.req("R-1")
def test_one():
    """States what R-1 says."""
    assert double(2) == 4

@pytest.mark.req("R-2")
def test_two():
    """States what R-2 says."""
    assert double(3) == 6
'''
ASKED = Requirements(
    tuple(
        Requirement(
            name, name, "d", ("a",), (), "r.yml", 1, examples=(f">>> double({n})\n{2 * n}",)
        )
        for name, n in (("R-1", 2), ("R-2", 3))
    )
)
OURS = Suite("tests").apply(Edit({"tests/test_a.py": TEXT}))
THEIRS = Suite("tests", OURS.files)
ALL = {"test_one": "passed", "test_two": "passed"}
LINES, BRANCHES = frozenset({1, 2, 3}), frozenset({(1, 2), (2, 3)})


def trial(
    outcomes: dict[str, Outcome] | None = None,
    suite: Suite = OURS,
    lines: frozenset[int] = LINES,
    branches: frozenset[tuple[int, int]] = BRANCHES,
) -> Trial:
    """A measured suite: what its tests did and which lines and branches they executed."""
    named = {"test_one": ("R-1",), "test_two": ("R-2",)}
    results = [
        TestResult(f"tests/test_a.py::{name}", outcome, 0.1, requirements=named[name])
        for name, outcome in (ALL if outcomes is None else outcomes).items()  # type: ignore[misc]
    ]
    run = Run("passed", {one.node: one for one in results})
    empty: frozenset[int] = frozenset()
    file = FileCoverage("m.py", lines, LINES - lines, empty, branches, BRANCHES - branches)
    return Trial(suite, run, Coverage({"m.py": file}), trace_run(ASKED, run, suite))


ONE = {"test_one": "passed"}
LOST = {
    "a branch": (trial(), trial(branches=frozenset({(1, 2)})), "1 covered branch at m.py:2"),
    "a line": (trial(), trial(lines=frozenset({1, 2})), "1 covered line"),
    "a test of the user's": (
        trial(suite=THEIRS),
        trial({"test_one": "passed", "test_two": "failed"}, THEIRS),
        "1 test of yours that passed before: tests/test_a.py::test_two",
    ),
    "a test of the tool's": (
        trial(),
        trial(ONE),  # type: ignore[arg-type]
        "1 accepted test: tests/test_a.py::test_two",
    ),
    "a verified requirement": (trial(), trial(ONE), "the verification of R-2"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", LOST)
def test_no_gain_makes_up_for_a_loss(name: str) -> None:
    before, after, told = LOST[name]
    found = judge(before, after)
    assert told in found.losses
    assert not found.accepted
    file = after.coverage.files["m.py"]
    richer = replace(
        file,
        executed=file.executed | {4, 5},
        executed_branches=file.executed_branches | {(3, 4), (4, 5)},
    )
    found = judge(before, replace(after, coverage=Coverage({"m.py": richer})))
    assert told in found.losses
    assert found.gains
    assert not found.accepted


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (trial(), trial(lines=LINES | {4}), "1 line"),
        (trial(), trial(branches=BRANCHES | {(3, 4)}), "1 branch"),
        (trial(ONE), trial(), "1 verified requirement"),  # type: ignore[arg-type]
    ],
)
def test_a_gain_without_a_loss_is_accepted(before: Trial, after: Trial, told: str) -> None:
    found = judge(before, after)
    assert found.accepted
    assert found.losses == ()
    assert told in found.gains


def test_the_same_is_no_gain() -> None:
    found = judge(trial(), trial())
    assert (found.accepted, found.gains, found.losses) == (False, (), ())


FIGURES = Figures(1, 1, 0, 0, 80.0, 70.0, 4, 3, 3, 0, 0, mutation_percent=60.0)


@pytest.mark.parametrize(
    ("name", "reached"), [("line", 80), ("branch", 70), ("requirements", 75), ("mutation", 60)]
)
def test_a_threshold_that_is_met_exactly_is_met(name: str, reached: float) -> None:
    assert FIGURES.missed({name: reached}) == ()
    assert FIGURES.missed({name: reached + 0.01}) == (name,)
    assert FIGURES.missed({name: reached, "line": 81}) == ("line",)
