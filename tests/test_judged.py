"""A grade holds as long as the test and the words hold that it rests upon."""

from __future__ import annotations

from collections import Counter

import pytest

from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.trace.covering import LinkGrade, still_said

ITEM = Requirement("R-1", "t", "It has `three` letters.", ("a",), (), "r.yml", 1)
ONE = LinkGrade("t.py::test", "R-1", "verifies", "it has three letters", ("len(x) == 3",))


def test_more_checks_are_fine_and_fewer_are_not() -> None:
    assert ONE.holds(Counter(["len(x) == 3", "x"]))
    assert not ONE.holds(Counter(["x"]))


@pytest.mark.parametrize(
    ("word", "still"),
    [
        (ONE, True),
        (LinkGrade("t", "R-1", "verifies", "it has four letters"), False),
        (LinkGrade("t", "R-1", "touches"), False),
        (LinkGrade("t", "R-9", "verifies", "it has three letters"), False),
    ],
)
def test_a_grade_without_words_is_void_when_requirements_change(
    word: LinkGrade, still: bool
) -> None:
    assert still_said(word, Requirements((ITEM,))) is still


def test_a_word_holds_while_the_test_checks_at_least_what_it_checked() -> None:
    one = LinkGrade("t", "R-1", "verifies", checks=("a", "b", "b"))
    assert one.holds(Counter("abb"))
    assert one.holds(Counter("abbc"))
    assert not one.holds(Counter("ab"))
    assert LinkGrade("t", "R-1", "verifies").holds(Counter())
