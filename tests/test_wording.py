"""What figures are in words: plurals, and what became of tests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.text.wording import apart, count, outcomes, some, verb

WORDS = st.text("ab ", max_size=120) | st.text("a", min_size=30, max_size=90)


@pytest.mark.parametrize(
    ("number", "noun", "told"),
    [
        (0, "test", "0 tests"),
        (1, "test", "1 test"),
        (1200, "test", "1,200 tests"),
        (1, "branch", "1 branch"),
        (2, "branch", "2 branches"),
        (2, "suspected defect", "2 suspected defects"),
        (2, "symbol that is left", "2 symbols that is left"),
        (1, "symbol that is left", "1 symbol that is left"),
    ],
)
def test_a_count_has_the_plural_of_its_number(number: int, noun: str, told: str) -> None:
    assert count(number, noun) == told


@pytest.mark.parametrize(
    ("number", "plural", "told"),
    [(1, "fail", "1 fails"), (2, "fail", "2 fail"), (1, "are", "1 is"), (0, "are", "0 are")],
)
def test_a_verb_agrees_with_its_number(number: int, plural: str, told: str) -> None:
    assert verb(number, plural) == told


@pytest.mark.parametrize(
    ("figures", "told"),
    [
        ((0, 0, 0, 0), "there are no tests"),
        ((1, 1, 0, 0), "1 test passes"),
        ((4, 4, 0, 0), "4 tests pass"),
        ((6, 3, 1, 0), "3 tests pass, 1 fails, 2 are expected to fail"),
        ((5, 3, 0, 2), "3 tests pass, 2 are skipped"),
        ((2, 0, 1, 1), "0 tests pass, 1 fails, 1 is skipped"),
    ],
)
def test_what_became_of_tests(figures: tuple[int, int, int, int], told: str) -> None:
    assert outcomes(*figures) == told


@given(*[st.integers(0, 30)] * 4)
def test_who_is_skipped_or_expected_to_fail_has_not_failed(
    passed: int, failed: int, skipped: int, expected: int
) -> None:
    told = outcomes(passed + failed + skipped + expected, passed, failed, skipped)
    words = told.replace("expected to fail", "").replace(",", "").split()
    assert ("fail" in words or "fails" in words) == (failed > 0)
    assert ("skipped" in told) == (skipped > 0)


@given(WORDS, WORDS)
def test_what_differs_is_shown_and_short(one: str, other: str) -> None:
    first, second = apart(one, other, 40)
    assert max(len(first), len(second)) <= 40
    assert (first == second) == (one.split() == other.split())


def test_the_front_is_cut_where_it_is_the_same() -> None:
    front = "x" * 100
    assert apart(f"{front} one", f"{front} two", 20) == ("...xxxx one", "...xxxx two")
    assert apart("one  line", "two\nlines", 20) == ("one line", "two lines")


def test_the_first_names_are_told_and_sets_are_sorted() -> None:
    assert some({"c", "a", "b"}) == "a, b, c"
    assert some("abcde") == "a, b, c, d, e"
    assert some({*"gfedcba"}) == "a, b, c, d, e and 2 more"
    assert some(["c", "a", "b"], 2) == "c, a and 1 more"
