"""Which class a parameter takes: by docstring, name and attributes."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.classes import ClassMatcher, documented_types
from pytest_lift.agents.offline.arguments.uses import ParameterUse

CARDS = """
    class Card:
        def __init__(self, suit):
            self.suit = suit

        def beats(self, other):
            return self.suit > other.suit


    class TrumpCard(Card):
        rank = 1


    class CardDeck:
        def draw(self):
            return 1
"""


@pytest.fixture
def matcher(tmp_path: Path) -> ClassMatcher:
    return ClassMatcher(write_program(tmp_path, {"cards.py": CARDS}))


def test_attributes_are_inherited(matcher: ClassMatcher) -> None:
    assert matcher.attributes["TrumpCard"] >= {"suit", "beats", "rank"}


def test_the_smallest_class_with_the_attributes_comes_first(matcher: ClassMatcher) -> None:
    assert matcher.having(frozenset({"suit"})) == ["Card", "TrumpCard"]
    assert matcher.having(frozenset({"suit", "draw"})) == []
    assert matcher.having(frozenset()) == []


@pytest.mark.parametrize(
    ("parameter", "found"),
    [
        ("card", [("Card", False), ("TrumpCard", False)]),
        ("cards", [("Card", True), ("TrumpCard", True)]),
        ("deck", [("CardDeck", False)]),
        ("own_deck", [("CardDeck", False)]),
        ("count", []),
    ],
)
def test_a_name_tells_the_class(
    matcher: ClassMatcher, parameter: str, found: list[tuple[str, bool]]
) -> None:
    assert matcher.named(parameter) == found


@pytest.mark.parametrize(
    "doc",
    [
        ":param Card first: it",
        ":type first: Card",
        "Args:\n    first (Card): it",
        "Parameters\n----------\nfirst : Card\n    it",
    ],
)
def test_docstrings_of_each_style_tell_the_type(matcher: ClassMatcher, doc: str) -> None:
    assert list(documented_types(doc, "first")) == ["Card"]
    assert matcher.documented(doc, "first") == [("Card", False)]
    assert matcher.documented(doc, "second") == []


def test_a_list_of_objects_is_told(matcher: ClassMatcher) -> None:
    assert matcher.documented(":type hand: list of Card", "hand") == [("Card", True)]


@pytest.mark.parametrize(
    ("function", "found"),
    [
        ("trump_to_card", [("TrumpCard", False)]),
        ("convert_Trump_to_Card", [("TrumpCard", False)]),
        ("trump_to_text", []),
        ("text_to_card", []),
        ("trump", []),
    ],
)
def test_the_name_of_a_conversion_tells_the_class(
    matcher: ClassMatcher, function: str, found: list[tuple[str, bool]]
) -> None:
    assert matcher.converted(function) == found
    usage = ParameterUse(attributes=["suit"])
    known = matcher.fitting(usage, "", "one", function)
    assert known == (found or [("Card", False), ("TrumpCard", False)])
