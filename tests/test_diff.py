"""Where two texts differ can be seen, however long they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.text.diff import apart

WORDS = st.text("ab ", max_size=120) | st.text("a", min_size=30, max_size=90)


@given(WORDS, WORDS)
def test_what_differs_is_shown_and_short(one: str, other: str) -> None:
    first, second = apart(one, other, 40)
    assert max(len(first), len(second)) <= 40
    assert (first == second) == (one.split() == other.split())


def test_the_front_is_cut_where_it_is_the_same() -> None:
    front = "x" * 100
    assert apart(f"{front} one", f"{front} two", 20) == ("...xxxx one", "...xxxx two")
    assert apart("one  line", "two\nlines", 20) == ("one line", "two lines")
