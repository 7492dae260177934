"""Mutants as values, and what calls on them showed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_lift.mutation.mutants import MANY_CALLS, NOTHING_OBSERVED, Mutant, Observed

ONE = Mutant("pkg.m.xǁAǁf__mutmut_12", "pkg/m.py", 3, "A.f", "a", "b", "@@ -3 +3 @@\n-a\n+b")
SHOWN = Observed(2, "f(1)", "gives 1", "gives 2")


def test_all_mutants_of_a_function_have_its_name() -> None:
    assert ONE.function == "pkg.m.xǁAǁf"
    assert replace(ONE, key="pkg.m.xǁAǁf__mutmut_1").function == ONE.function


def test_a_change_is_the_same_wherever_it_stands() -> None:
    assert replace(ONE, line=9, key="x", diff="").diff_text == ONE.diff_text
    for field in ("symbol", "before", "after"):
        assert replace(ONE, **{field: "c"}).diff_text != ONE.diff_text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("same", "call", "stubborn"),
    [(MANY_CALLS, "", True), (MANY_CALLS - 1, "", False), (MANY_CALLS, "f(1)", False)],
)
def test_what_many_calls_do_not_show_is_stubborn(same: int, call: str, stubborn: bool) -> None:
    assert Observed(same, call).is_stubborn is stubborn


@pytest.mark.parametrize(
    ("usual", "other", "same"),
    [
        ("raises ValueError: a", "raises ValueError: b", True),
        ("raises ValueError", "raises ValueError: b", True),
        ("raises ValueError: a", "raises TypeError: a", False),
        ("gives 'a: b'", "gives 'a: c'", False),
        ("", "", False),
    ],
)
def test_the_same_error_in_other_words(usual: str, other: str, same: bool) -> None:
    assert Observed(0, "f()", usual, other).raises_the_same is same


def test_what_shows_it_first_stays_and_calls_are_counted() -> None:
    later = Observed(3, "f(2)", "gives 2", "gives 3")
    assert NOTHING_OBSERVED + later == later
    assert SHOWN + later == replace(SHOWN, same=5)
    assert Observed(4) + SHOWN == replace(SHOWN, same=6)
