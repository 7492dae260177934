"""What a candidate may not lose, whatever it gains, and what counts as a gain; thresholds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.evolve.acceptance import decide
from pytest_lift.measure.measurement import Figures, Measurement
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.run.result import Failure, Outcome, Run, TestResult
from pytest_lift.suite.suite import Edit, Suite
from pytest_lift.trace.covering import Shown
from pytest_lift.trace.trace import Link, RequirementTrace, Trace, trace_run

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


def measurement(
    outcomes: dict[str, Outcome] | None = None,
    suite: Suite = OURS,
    lines: frozenset[int] = LINES,
    branches: frozenset[tuple[int, int]] = BRANCHES,
) -> Measurement:
    """A measured suite: what its tests did and which lines and branches they executed."""
    named = {"test_one": ("R-1",), "test_two": ("R-2",)}
    results = [
        TestResult(f"tests/test_a.py::{name}", outcome, 0.1, requirements=named[name])
        for name, outcome in (ALL if outcomes is None else outcomes).items()  # type: ignore[misc]
    ]
    run = Run("passed", {one.node: one for one in results})
    empty: frozenset[int] = frozenset()
    file = FileCoverage("m.py", lines, LINES - lines, empty, branches, BRANCHES - branches)
    return Measurement(suite, run, Coverage({"m.py": file}), trace_run(ASKED, run, suite))


ONE = {"test_one": "passed"}
LOST = {
    "a branch": (
        measurement(),
        measurement(branches=frozenset({(1, 2)})),
        "1 covered branch at m.py:2",
    ),
    "a line": (measurement(), measurement(lines=frozenset({1, 2})), "1 covered line"),
    "a test of the user's": (
        measurement(suite=THEIRS),
        measurement({"test_one": "passed", "test_two": "failed"}, THEIRS),
        "1 test of yours that passed before: tests/test_a.py::test_two",
    ),
    "a test of the tool's": (
        measurement(),
        measurement(ONE),  # type: ignore[arg-type]
        "1 accepted test: tests/test_a.py::test_two",
    ),
    "a verified requirement": (measurement(), measurement(ONE), "the verification of R-2"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", LOST)
def test_no_gain_makes_up_for_a_loss(name: str) -> None:
    before, after, told = LOST[name]
    found = decide(before, after)
    assert told in found.losses
    assert not found.accepted
    file = after.coverage.files["m.py"]
    richer = replace(
        file,
        executed=file.executed | {4, 5},
        executed_branches=file.executed_branches | {(3, 4), (4, 5)},
    )
    found = decide(before, replace(after, coverage=Coverage({"m.py": richer})))
    assert told in found.losses
    assert found.gains
    assert not found.accepted


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (measurement(), measurement(lines=LINES | {4}), "1 line"),
        (measurement(), measurement(branches=BRANCHES | {(3, 4)}), "1 branch"),
        (measurement(ONE), measurement(), "1 verified requirement"),  # type: ignore[arg-type]
    ],
)
def test_a_gain_without_a_loss_is_accepted(
    before: Measurement, after: Measurement, told: str
) -> None:
    found = decide(before, after)
    assert found.accepted
    assert found.losses == ()
    assert told in found.gains


def test_the_same_is_no_gain() -> None:
    found = decide(measurement(), measurement())
    assert (found.accepted, found.gains, found.losses) == (False, (), ())


FIGURES = Figures(1, 1, 0, 0, 80.0, 70.0, 4, 3, 3, 0, 0, mutation_percent=60.0)


@pytest.mark.parametrize(
    ("name", "reached"), [("line", 80), ("branch", 70), ("requirements", 75), ("mutation", 60)]
)
def test_a_threshold_that_is_met_exactly_is_met(name: str, reached: float) -> None:
    assert FIGURES.missed({name: reached}) == ()
    assert FIGURES.missed({name: reached + 0.01}) == (name,)
    assert FIGURES.missed({name: reached, "line": 81}) == ("line",)


def told_of(
    *statuses: str,
    shown: tuple[int, ...] = (),
    linked: tuple[Outcome | None, ...] = (),
    **trial_of: Any,
) -> Measurement:
    """A trial whose trace says this of R-1, R-2, ...: the status, how many of its sentences are
    shown, and the outcome of a test that is linked to it."""
    found = []
    for number, status in enumerate(statuses):
        outcome = linked[number] if number < len(linked) else None
        many = shown[number] if number < len(shown) else 0
        points = tuple(Shown(f"it {n}", "sentence", n < many) for n in range(9))
        item = Requirement(f"R-{number + 1}", "t", "d", ("a",), (), "r.yml", 1)
        links = (Link(f"t::{number}", item.id, "touches", "person", outcome),) if outcome else ()
        found.append(RequirementTrace(item, status, links, (), points))  # type: ignore[arg-type]
    return replace(measurement(**trial_of), trace=Trace(tuple(found)))


def gains(before: Measurement, after: Measurement) -> tuple[str, ...]:
    found = decide(before, after)
    assert found.losses == ()
    return found.gains


def test_what_is_gained_is_told_in_numbers() -> None:
    wide = {"branches": BRANCHES | {(3, 4), (4, 5)}, "lines": LINES | {4, 5}}
    assert gains(measurement(), measurement(**wide)) == ("2 branches", "2 lines")  # type: ignore[arg-type]
    two = told_of("verified", "verified")
    assert gains(told_of("touched", "touched"), two) == ("2 verified requirements",)


def test_what_a_passing_test_touches_first_is_a_gain() -> None:
    nothing = told_of("uncovered", "uncovered", "uncovered")
    one = told_of("touched", "uncovered", "uncovered", linked=("passed",))
    assert gains(nothing, one) == ("a test for 1 requirement",)
    two = told_of("touched", "touched", "uncovered", linked=("passed", "passed"))
    assert gains(nothing, two) == ("a test for 2 requirements",)
    both = told_of("verified", "touched", "uncovered", linked=("passed", "passed"))
    assert gains(nothing, both) == ("1 verified requirement", "a test for 1 more requirement")
    assert gains(one, one) == ()
    for status, outcome in (("failing", "passed"), ("failing", "failed"), ("not-run", "skipped")):
        some = told_of(status, "uncovered", "uncovered", linked=(outcome,))  # type: ignore[arg-type]
        assert gains(nothing, some) == (), (status, outcome)


def test_sentences_count_where_no_requirement_is_newly_verified() -> None:
    before = told_of("verified", "touched", shown=(1,))
    assert gains(before, told_of("verified", "touched", shown=(3,))) == ("2 acceptance sentences",)
    assert gains(before, told_of("verified", "verified", shown=(3,))) == ("1 verified requirement",)


def test_a_sentence_that_is_shown_no_more_is_a_loss_unless_the_requirement_is_lost() -> None:
    before = told_of("verified", "verified", shown=(2, 1))
    found = decide(before, told_of("verified", "verified", shown=(0, 1)))
    assert found.losses == ("what showed 2 acceptance sentences: R-1 (1), R-1 (2)",)
    assert found.lost == {"R-1 (1)", "R-1 (2)"}
    found = decide(before, told_of("touched", "verified", shown=(0, 1)))
    assert found.losses == ("the verification of R-1",)
    assert found.lost == {"R-1"}


def test_what_is_lost_is_listed_thing_by_thing() -> None:
    found = decide(measurement(), measurement(branches=frozenset()))
    assert found.losses == ("2 covered branches at m.py:1, m.py:2",)
    assert found.lost == {str(("m.py", *branch)) for branch in BRANCHES}
    found = decide(measurement(), replace(measurement(), unmeasurable="it hangs"))
    assert found.losses == ("the measuring of mutants: it hangs",)
    assert found.lost == {"the measuring of mutants"}


@pytest.mark.parametrize(
    ("many", "told"),
    [
        (5, "R-1, R-2, R-3, R-4, R-5"),
        (6, "R-1, R-2, R-3, R-4, R-5 and 1 more"),
        (7, "R-1, R-2, R-3, R-4, R-5 and 2 more"),
    ],
)
def test_five_are_named(many: int, told: str) -> None:
    found = decide(told_of(*["verified"] * many), told_of(*["touched"] * many))
    assert found.losses == (f"the verification of {told}",)


def test_a_test_that_passes_again_is_a_gain() -> None:
    failing = measurement({"test_one": "failed", "test_two": "passed"}, THEIRS)
    assert "1 repaired test" in decide(failing, measurement(suite=THEIRS)).gains
    both = measurement({"test_one": "failed", "test_two": "error"}, THEIRS)
    assert "2 repaired tests" in decide(both, measurement(suite=THEIRS)).gains
    assert not any("repaired" in gain for gain in decide(measurement(), measurement()).gains)


def test_less_tests_are_a_gain_where_nothing_else_is_one() -> None:
    """Of the user's own that are gone nothing is known here: no test of the tool's is lost."""
    nothing = replace(measurement(suite=THEIRS), trace=Trace())
    fewer = replace(measurement({"test_one": "passed"}, THEIRS), trace=Trace())
    dropped = {"tests/test_a.py::test_two": "flaky"}
    found = decide(nothing, fewer, dropped)
    assert any("1 test of yours" in loss for loss in found.losses)
    assert found.gains == ("the same with 1 test less",)
    wide = replace(fewer, coverage=measurement(lines=LINES | {4}).coverage)
    assert decide(nothing, wide, dropped).gains == ("1 line",)
    wide = replace(fewer, coverage=measurement(branches=BRANCHES | {(3, 4)}).coverage)
    assert decide(nothing, wide, dropped).gains == ("1 branch",)
    told = replace(fewer, trace=told_of("verified").trace)
    assert decide(nothing, told, dropped).gains == ("1 verified requirement",)
    told = replace(fewer, trace=told_of("touched", linked=("passed",)).trace)
    assert decide(nothing, told, dropped).gains == ("a test for 1 requirement",)
    told = replace(fewer, trace=told_of("touched", shown=(1,)).trace)
    assert decide(nothing, told, dropped).gains == ("1 acceptance sentence",)
    assert decide(nothing, nothing).gains == ()


BROKEN = '''
@pytest.mark.xfail(strict=True, raises=AssertionError, reason="contradicts R-1: it gives 4")
def test_broken_{n}():
    """R-1 says: "five" """
    assert double({n}) == 5
'''


def contradicted(*numbers: int, outcome: Outcome = "xfailed") -> Measurement:
    """The suite with so many tests of contradictions beside its own."""
    text = TEXT + "".join(BROKEN.format(n=n) for n in numbers)
    suite = Suite("tests").apply(Edit({"tests/test_a.py": text}))
    one = measurement(suite=suite)
    failure = Failure("call", "XPASS(strict)", "", "tests/test_a.py", 1, "", ())
    why = failure if outcome == "failed" else None
    rows = [TestResult(f"tests/test_a.py::test_broken_{n}", outcome, 0.1, why) for n in numbers]
    results = {**one.run.results, **{row.node: row for row in rows}}
    return replace(one, run=Run("passed", results))


def test_contradictions_that_are_written_down_or_taken_back_are_told() -> None:
    assert contradicted(1).contradicting == {"tests/test_a.py::test_broken_1"}
    assert decide(contradicted(), contradicted(1)).gains == ("1 contradiction written down",)
    assert decide(contradicted(), contradicted(1, 2)).gains == ("2 contradictions written down",)
    found = decide(contradicted(1, 2, 3), contradicted(3))
    assert (found.gains, found.losses) == (("2 contradictions no longer stated",), ())
    assert decide(contradicted(1), contradicted()).gains == ("1 contradiction no longer stated",)
    assert decide(contradicted(1), contradicted(1)).gains == ()


def test_a_contradiction_that_is_gone_because_it_holds_is_not_told_as_taken_back() -> None:
    settled = contradicted(1, outcome="failed")
    assert settled.settled == settled.contradicting
    assert decide(settled, contradicted()).gains == ()


def test_a_test_of_the_tools_that_failed_before_is_no_loss() -> None:
    failing = measurement({"test_one": "passed", "test_two": "failed"})
    assert decide(failing, failing).losses == ()
