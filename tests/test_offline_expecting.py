"""What requirement sentences write out is tried, and becomes tests, without a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.examples.sessions import requirement_session
from pytest_lift.agents.offline.expecting import expect, session_text, undisputed, written_out
from pytest_lift.calls.case import Case, Step
from pytest_lift.oracles.discrepancies import Discrepancy, Tried
from pytest_lift.requirements.requirement import Expectation, Requirement, Requirements
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.suite.suite import Suite
from pytest_lift.trace.trace import RequirementTrace, Trace


def asked(*acceptance: str, **given: object) -> Requirement:
    values: dict[str, object] = {"description": "", "scope": (), "file": "r.yml", "line": 1}
    return Requirement("G-1", title="Grades", acceptance=acceptance, **{**values, **given})  # type: ignore[arg-type]


def test_calls_with_results_errors_and_bounds_are_written_out() -> None:
    item = asked(
        "`grade(90)` is `'A'`.", "`grade(-1)` raises `ValueError`.", "`grade(50)` is below 'B'.",
        "`len(grade(3))` is at most 2.", "With `curve=True`, `grade(80)` gives `'A'`.",
    )  # fmt: skip
    told = [(one.call, one.relation, one.expected, one.sentence) for one in written_out(item)]
    assert told == [
        ("grade(90)", "equals", "'A'", "`grade(90)` is `'A'`."),
        ("grade(-1)", "raises", "ValueError", "`grade(-1)` raises `ValueError`."),
        ("len(grade(3)) <= 2", "holds", "", "`len(grade(3))` is at most 2."),
        ("grade(80, curve=True)", "equals", "'A'", "With `curve=True`, `grade(80)` gives `'A'`."),
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "`grade(points)` is `'A'`.",  # of which points?
        "With `curve`, `grade(80)` gives `'A'`.",  # how is it given?
        "From `Day(1)` to `Day(9)` the distance is 8.",  # a distance is no day
        "The length of `grade(80)` is 1.",
        "`grade(80)` prints `'A'`.",
        "`grade(80)` is not `'B'`.",
        "`grade(80)` is `'A'` or `'B'`.",
        "When the list is empty, `grade(80)` is `'B'`.",
        "`grade(80)` is `'B'` when the list is empty.",
        "`grade(80)` is `'B'` for children.",
        "On Fridays `grade(80)` is `'B'`.",
        "After `load('x')`, `grade(80)` is `'B'`.",
        "After that `grade(80)` is `'B'` again.",
        "Unless the list is full, `grade(80)` is `'B'`.",
        "The first `grade(80)` is `'B'`.",
        "By default, `grade(80)` uses `'A'`.",
        "`grade(80)` never raises `ValueError`.",
    ],
)
def test_nothing_else_is(sentence: str) -> None:
    assert [*written_out(asked(sentence))] == []


def brief(item: Requirement, outcomes: dict[str, str]) -> Brief:
    def tried(said: Sequence[Expectation]) -> dict[str, Tried]:
        return {one.key: Tried(outcomes[one.call], "'B'") for one in said}  # type: ignore[arg-type]

    program = Program((), (), ())
    wanted = Requirements((item,))
    return Brief(
        "initial", 1, Path(), None, program, wanted, Suite("tests"), try_expectations=tried  # type: ignore[arg-type]
    )  # fmt: skip


def test_a_difference_stands_and_agreement_needs_no_ruling() -> None:
    item = asked("`grade(90)` is `'A'`.", "`grade(10)` is `'D'`.", "`other(1)` is 2.")
    outcomes = {"grade(90)": "differs", "grade(10)": "holds", "other(1)": "broken"}
    rulings = {one.call: (one.ruling, one.suspect) for one in expect(brief(item, outcomes))}
    assert rulings == {
        "grade(90)": ("stands", "unclear"),
        "grade(10)": ("", ""),
        "other(1)": ("", ""),
    }


def test_the_search_makes_tests_of_them() -> None:
    item = asked("`grade(90)` is `'A'`.", "`grade(-1)` raises `ValueError`.")
    assert session_text(item) == (
        ">>> grade(90)\n'A'\n\n"
        ">>> grade(-1)\nTraceback (most recent call last):\n    ...\nValueError"
    )
    file = SourceFile("school.py", "school", "def grade(points): ...")
    program = Program(("school",), ("school.py",), ("",), {"school.py": file})
    session = requirement_session(item, program)
    assert session is not None
    assert (session.requirement, len(session.items)) == ("G-1", 2)
    assert requirement_session(asked("`grade` is fair."), program) is None


def test_what_a_requirement_contradicts_is_not_pinned() -> None:
    """Neither the value that the program gives, nor under another name of its module."""
    said = Discrepancy("G-1", "school.grade(90)", "'A'", "'B'")
    trace = Trace((RequirementTrace(asked(), "suspected-defect", contradictions=(said,)),))
    cases = [
        Case("school.py", "grade", (Step(source, check=check),))
        for source, check in [("grade(90)", True), ("grade(91)", True), ("grade(90)", False)]
    ]
    assert undisputed(cases, trace) == cases[1:]
    assert undisputed(cases, None) == cases
