"""How the acceptance of a requirement becomes points: list entries, list items, sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.requirements.points import Point, points, sentences_of
from pytest_lift.requirements.requirement import Requirement


def stated(*acceptance: str, examples: tuple[str, ...] = ()) -> tuple[Point, ...]:
    return points(Requirement("R-1", "t", "d", acceptance, ("s",), "r.yml", 1, examples=examples))


def texts(*acceptance: str) -> list[str]:
    return [point.text for point in stated(*acceptance)]


def test_entries_of_a_list_are_a_point_each_whatever_stands_in_them() -> None:
    assert texts("One. And more of it.", "- two") == ["One. And more of it.", "- two"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The total is 0.", ["The total is 0."]),
        ("The total is 0. A refund is negative!  Nothing else? `x` stays.",
         ["The total is 0.", "A refund is negative!", "Nothing else?", "`x` stays."]),
        ("A folded\nline. Another\none.", ["A folded line.", "Another one."]),
        ("It gives:\n- one,\n  which is short\n- two. Or so.\n", ["one, which is short", "two. Or so."]),
        ("1. first\n2) second\n\nAnd a third. A fourth.", ["first", "second", "And a third.", "A fourth."]),
        ("Values, e.g. `A. B`, stay. So does \"C. D\" here.", ["Values, e.g. `A. B`, stay.", "So does \"C. D\" here."]),
        ("Version 3.20.1. is told, i.e. The text is.", ["Version 3.20.1. is told, i.e. The text is."]),
        ("It ends (as it should.) Then it begins.", ["It ends (as it should.)", "Then it begins."]),
        ("only this:", ["only this:"]),
        ("Given a cart\nWhen it is empty\nThen it costs nothing", ["Given a cart When it is empty Then it costs nothing"]),
    ],
)  # fmt: skip
def test_a_lone_text_is_split(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_a_session_in_a_text_is_one_point_and_what_introduces_it_is_none() -> None:
    found = stated(
        "Prices add up. So:\n\n>>> total(1, 2)\n3\n>>> total()\n0\n\nNothing is rounded."
    )
    assert found == (
        Point("Prices add up."),
        Point(">>> total(1, 2)\n3\n>>> total()\n0", "example"),
        Point("Nothing is rounded."),
    )


def test_examples_come_last_and_one_that_prints_nothing_asks_for_nothing() -> None:
    session, silent, prose = ">>> f(1)\n2", ">>> import f", "f(1) gives 2"
    found = stated("a", "b", examples=(session, silent, prose))
    assert found[2:] == (Point(session, "example"), Point(prose, "example"))


WORDS = st.sampled_from(
    [
        "A",
        "b",
        "`c. D`",
        "e.g.",
        "1.",
        "x.",
        "Y!",
        '"Q. R"',
        "(s.)",
        "\n",
        "\n\n",
        "- ",
        "3.1",
        "`",
        '"',
        "é.",
        "?",
    ]
)
PROSE = st.lists(WORDS, max_size=25).map(" ".join)


@given(st.one_of(PROSE, st.text(max_size=60)))
def test_sentences_are_the_text_cut_and_nothing_else(text: str) -> None:
    found = sentences_of(text)
    assert " ".join(" ".join(found).split()) == " ".join(text.split())
    assert all(sentence == sentence.strip() != "" for sentence in found)


@given(PROSE)
def test_a_sentence_is_not_split_again(text: str) -> None:
    for sentence in sentences_of(text):
        assert sentences_of(sentence) == [sentence]


@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=2, max_size=5))
def test_a_list_has_a_point_for_each_entry(entries: list[str]) -> None:
    assert texts(*entries) == [entry.strip() for entry in entries]


@given(st.one_of(PROSE, st.text()).filter(str.strip))
def test_whatever_a_text_says_it_has_a_point(text: str) -> None:
    found = stated(text)
    assert all(point.text.strip() for point in found)
    assert found or ">>>" in text or not text.replace("-", "").strip()
