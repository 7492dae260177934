"""Which class a parameter takes: by docstring, name and attributes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.classes import ClassMatcher, documented_types
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.uses import ParameterUse
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

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
        "Parameters\n----------\nfirst : cards.deck.Card\n    it",
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


LENGTHS = """
    class Length:
        pass


    class Metre(Length):
        pass


    class Mile(Length):
        pass


    class OldMile(Mile):
        pass


    @converts(Mile, Metre)
    def shorten(length):
        return length.value * 1609


    def mile_to_metre(length):
        return length.value * 1609


    class LengthError(ValueError):
        pass


    class TooLongError(LengthError):
        pass


    @retried(TooLongError)
    def measure(length):
        return length
"""


@pytest.mark.parametrize(
    ("doc", "function", "sure"),
    [
        ("", "mile_to_metre", {"Mile", "OldMile"}),
        ("", "shorten", {"Mile", "OldMile"}),
        ("", "measure", set()),
        (":param length: how far", "lengthen", set()),
        (":type length: Metre", "lengthen", {"Metre"}),
        (":type length: Length", "lengthen", {"Length", "Metre", "Mile", "OldMile"}),
        (":type length: Metre or str", "lengthen", set()),
    ],
)
def test_the_class_of_an_argument_is_sure_where_it_is_told(
    tmp_path: Path, doc: str, function: str, sure: set[str]
) -> None:
    matcher = ClassMatcher(write_program(tmp_path, {"lengths.py": LENGTHS}))
    assert matcher.sure(doc, "length", function) == sure


def test_an_object_of_another_class_does_not_fit(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"lengths.py": LENGTHS})
    targets = find_targets(program, Resolver(program))
    natural = Naturalness(Inputs(program, random.Random(1)), targets)
    (target,) = (one for one in targets if one.symbol == "mile_to_metre")
    fitting = {
        value: natural.fits(Call(target, (("length", value),)))
        for value in ("Mile()", "OldMile()", "Metre()", "Length()", "made()")
    }
    assert [value for value, fits in fitting.items() if fits] == ["Mile()", "OldMile()", "made()"]


TABLE = """
    class Card:
        def __init__(self, suit="hearts"):
            self.suit = suit


    class TrumpCard(Card):
        rank = 1


    class Deck:
        def draw(self):
            return 1


    class Table:
        def __init__(self):
            self.cards = []

        def add_card(self, card):
            self.cards.append(card)

        def add_trump_card(self, card):
            self.cards.insert(0, card)

        def drop(self, card):
            self.cards.remove(card)
"""


def test_what_is_kept_under_the_name_of_a_class_is_an_object_of_it(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"table.py": TABLE})
    targets = find_targets(program, Resolver(program))
    natural = Naturalness(Inputs(program, random.Random(1)), targets)
    found = {target.leaf: target for target in targets}
    made = Call(found["Table"])

    def fits(method: str, value: str) -> bool:
        return natural.fits(Call(found[method], (("card", value),), receiver=made))

    taken = [value for value in ("Card()", "TrumpCard()", "Deck()", "1", "{'a': 1}", "None")
             if fits("add_card", value)]  # fmt: skip
    assert taken == ["Card()", "TrumpCard()", "None"]
    assert not fits("add_trump_card", "Card()")
    assert natural.inputs.matcher.kept("add_trump_card", "card") == [("TrumpCard", False)]
    assert natural.inputs.matcher.kept("add_card", "deck") == []
    assert fits("drop", "1")


COLOURS = """
    class RGB:
        pass


    class HSV:
        pass


    class Interval:
        pass


    class RomanNumeral:
        pass


    class Tag:
        def __init__(self, name="a"):
            self.name = name


    class Page:
        def __init__(self):
            self.tags = []

        def register_tag(self, tag):
            self.tags.append(tag.strip().lower())

        def push_tag(self, tag):
            self.tags.append(tag.name)

        def attach_tag(self, tag):
            self.tags.append(tag.colour)


    def rgb_to_hsv(red, green, blue):
        return red


    def int_to_roman(number):
        return "I" * number
"""


@pytest.mark.parametrize(
    ("name", "parameter", "fits"),
    [
        ("rgb_to_hsv", "red", True),
        ("int_to_roman", "number", True),
        ("register_tag", "tag", True),
        ("attach_tag", "tag", True),
        ("push_tag", "tag", False),
    ],
)
def test_a_guess_at_a_class_refuses_no_literal_that_the_code_may_read(
    tmp_path: Path, name: str, parameter: str, *, fits: bool
) -> None:
    program = write_program(tmp_path, {"colours.py": COLOURS})
    targets = find_targets(program, Resolver(program))
    likeness = Naturalness(Inputs(program, random.Random(1)), targets).fitness.likeness
    (target,) = (one for one in targets if one.leaf == name)
    (taken,) = (one for one in target.parameters if one.name == parameter)
    assert likeness.is_of_told_class(target, taken, "1") is fits
    assert likeness.is_of_told_class(target, taken, "None")


def test_the_class_that_is_converted_has_the_whole_word_of_the_function(tmp_path: Path) -> None:
    matcher = ClassMatcher(write_program(tmp_path, {"colours.py": COLOURS}))
    assert matcher.converted("int_to_roman") == []
    assert matcher.converted("interval_to_roman") == [("Interval", False)]
    assert matcher.converted("Roman_to_Interval") == [("RomanNumeral", False)]


@pytest.mark.parametrize("parameter", ["ag", "g", "_", "page"])
def test_a_part_of_a_word_is_not_what_is_kept(tmp_path: Path, parameter: str) -> None:
    matcher = ClassMatcher(write_program(tmp_path, {"colours.py": COLOURS}))
    assert matcher.kept("push_tag", "tag") == [("Tag", False)]
    assert matcher.kept("push_tag", parameter) == []
