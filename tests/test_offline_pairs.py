"""Calls that differ in few arguments are told together, each result with what it is of."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.agents.offline.writing.pairs import compared
from pytest_lift.agents.offline.writing.told import Wording
from pytest_lift.calls.case import Raised

WORDS = Wording({"rank": ("value",), "irr": ("values",)})


def equals(expression: str, expected: str) -> StepCheck:
    return StepCheck("equals", expression, expected)


def fails(expression: str) -> StepCheck:
    raised = Raised("KeyError", "builtins", "no such", "m.py", 3, True)
    return StepCheck("raises", expression, raised=raised, match="no such")


DEEP = "{'a': 1, 'b': {'c': 22222222222222, 'd': 33333333333333333}, 'e': 4444444444444}"
FLAT = "{'a': 1, 'b.c': 22222222222222, 'e': 4444444444444, 'long': 5555555555555555555}"


@pytest.mark.parametrize(
    ("checks", "sentence"),
    [
        (
            [equals("rank(1)", "'A'"), equals("rank(9)", "'B'")],
            "rank(value) gives 'A' for 1, and 'B' for 9",
        ),
        (
            [equals("rank(1)", "'A'"), equals("rank(2)", "'A'"), equals("rank(9)", "'B'")],
            "rank(value) gives 'A' for 1 and 2, and 'B' for 9",
        ),
        (
            [equals("dumps([1])", "'[1]'"), equals("dumps([1], indent=1)", "'[\\n 1]'")],
            "dumps([1]) gives '[1]', and '[\\n 1]' with indent=1",
        ),
        (
            [equals("level()", "30"), equals("level(name='a')", "30")],
            "level() gives 30, also with name='a'",
        ),
        (
            [equals("round(irr([1, 2]), 5)", "0.5"), equals("round(irr([3, 4]), 5)", "0.7")],
            "round(irr(values), 5) is 0.5 for [1, 2], and 0.7 for [3, 4]",
        ),
        (
            [equals("find('a', default=1)", "1"), fails("find('a')")],
            "find('a') gives 1 with default=1, and raises KeyError without it: no such",
        ),
        (
            [equals("find('a', default=1, lax=True)", "1"), fails("find('a')")],
            "find('a') gives 1 with default=1 and lax=True, and raises KeyError without them: "
            "no such",
        ),
        (
            [
                equals("[item.name for item in sort('ba')]", "['a', 'b']"),
                equals("[(item.at, item.name) for item in sort('ba', skip=1)]", "[(1, 'b')]"),
            ],
            "sort('ba') gives items with name 'a' and 'b', and one item with at and name (1, 'b') "
            "with skip=1",
        ),
        (
            [
                equals("[one.name for one in find('a', lax=True)]", "['b']"),
                fails("list(find('a'))"),
            ],
            "find('a') gives one item with name 'b' with lax=True, and raises KeyError without it: "
            "no such",
        ),
        (
            [equals("flat({})", FLAT), equals("flat({}, depth=1)", DEEP)],
            "flat({}) gives a dict with 'b.c': 22222222222222, 'long': 5555555555555555555, and "
            "a dict with 'b': {'c': 22222222222222, 'd': 33333333333333333} with depth=1",
        ),
    ],
)
def test_what_differs_is_told_with_its_result(checks: Sequence[StepCheck], sentence: str) -> None:
    (*_, first) = reversed(list(compared(checks, WORDS)))
    assert first.replace("'[\n 1]'", "'[\\n 1]'") == sentence


@pytest.mark.parametrize(
    "checks",
    [
        [equals("rank(1)", "'A'")],
        [equals("rank(1)", "'A'"), equals("range(1)", "'B'")],
        [equals("clip(1, 2, 3)", "'A'"), equals("clip(4, 5, 6)", "'B'")],
        [equals("f(1)", "'A'"), equals("f(1, b=2)", "'B'"), equals("f(3, b=2)", "'A'")],
        [equals("rank(1)", "'A'"), equals("rank(1, 2)", "'B'")],
        [equals("rank(*pair(1))", "'A'"), equals("rank(*pair(2))", "'B'")],
    ],
)
def test_calls_that_share_little_are_not_told_together(checks: Sequence[StepCheck]) -> None:
    assert list(compared(checks, WORDS)) == []


def test_results_after_the_third_stand_alone() -> None:
    checks = [equals(f"rank({n})", f"'{n}'") for n in (1, 2, 3, 4)]
    assert "rank(value) gives '1' for 1, then '2', '3' and '4'" in list(compared(checks, WORDS))


def test_equal_results_after_the_first_are_told_once() -> None:
    """A table of seven spellings that all mean the same would name the result seven times."""
    checks = [equals(f"rank({n})", f"'{n > 1}'") for n in (1, 2, 3, 4)]
    assert "rank(value) gives 'False' for 1, and 'True' for the others" in list(
        compared(checks, WORDS)
    )


def test_of_two_results_the_rarer_one_is_told_with_what_it_is_of() -> None:
    checks = [equals(f"rank({n})", str(n < 7)) for n in (8, 1, 2, 9, 3, 4)]
    assert "rank(value) gives False for 8 and 9, and True for the others" in list(
        compared(checks, WORDS)
    )
