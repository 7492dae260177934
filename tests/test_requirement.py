"""Requirements as values: exempt or testable, merged from several files, and their own words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.requirements.requirement import (
    Expectation,
    Requirement,
    Requirements,
    has_words,
    merge,
    stands_in,
)

ONE = Requirement("R-1", "Title", "It says `hello there`.", ("It is so.",), (), "a.yml", 1)

EXPECTED = Expectation("R-1", "Halves go up.", "rounded(2.5)", expected="3")


@pytest.mark.parametrize("field", ["non_goal", "untestable", "waived"])
def test_each_exemption_is_a_reason(field: str) -> None:
    exempt = replace(ONE, **{field: "why"})
    assert (ONE.exempt, exempt.exempt) == (None, "why")
    assert Requirements((ONE, replace(exempt, id="R-2"))).testable == (ONE,)


def test_its_text_is_all_that_the_author_wrote() -> None:
    whole = replace(ONE, examples=(">>> f()",), scenario="Given x")
    assert whole.text.split("\n") == [
        "Title", "It says `hello there`.", "It is so.", ">>> f()", "Given x",
    ]  # fmt: skip
    assert replace(ONE, title="", acceptance=("",)).text == ONE.description


def test_they_are_known_by_id_in_their_order() -> None:
    two = replace(ONE, id="R-2")
    both = Requirements((two, ONE))
    assert ([*both], len(both), both.by_id["R-1"]) == ([two, ONE], 2, ONE)
    assert "R-2" in both
    assert "R-3" not in both


def test_loaders_are_merged_and_what_two_read_is_one() -> None:
    two = replace(ONE, id="R-2")
    merged = merge([Requirements((ONE,), ("w",)), Requirements((replace(ONE), two), ("w", "v"))])
    assert merged.items == (ONE, two)
    assert merged.warnings == ("w", "v")


@pytest.mark.parametrize("other", [{"file": "b.yml"}, {"line": 9}])
def test_an_id_in_two_places_is_refused(other: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=r"'R-1' is taken by a\.yml:1"):
        merge([Requirements((ONE,)), Requirements((replace(ONE, **other),))])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("hello there", True),
        ("HELLO   there.", True),
        ("'it is so'", True),
        ("so. title", False),
        ("there hello", False),
        ("say", False),
        ("says", True),
        ("", False),
    ],
)
def test_words_that_stand_in_it(quote: str, expected: bool) -> None:
    assert stands_in(quote, ONE) is expected


def test_three_letters_say_nothing() -> None:
    assert not has_words("abc abcd", "abc")
    assert has_words("abc abcd", "abcd")


def test_the_key_is_of_what_is_expected_and_not_of_the_ruling() -> None:
    assert replace(EXPECTED, ruling="stands", why="x", suspect="program").key == EXPECTED.key
    assert replace(EXPECTED, expected="2").key != EXPECTED.key
    assert len(EXPECTED.key) == 16
    assert replace(EXPECTED, call="f('\ud800')").key != replace(EXPECTED, call="f('\udfff')").key
