"""Arguments with which a program calls itself, and the classes that its parameters take."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.call_sites import CallSites
from pytest_lift.agents.offline.arguments.classes import ClassMatcher, documented_types
from pytest_lift.agents.offline.arguments.inference import Inference
from pytest_lift.calls.call import expression
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.source.program import Program

CARDS = """
    SUITS = ["Spades", "Hearts"]
    LIMIT = 3

    class Card:
        def __init__(self, value, suit):
            self.value = value
            self.suit = suit

    class Dealer:
        def __init__(self, deck, on_deal=None):
            self.deck = deck
            self.on_deal = on_deal

        def deal(self, number):
            if self.on_deal:
                self.on_deal(number)
            return self.deck[:number]

    def build():
        first = "Ace"
        return [Card(first, suit) for suit in SUITS]

    def start(hidden):
        dealer = Dealer(build())
        Card(hidden, "Clubs")
        Dealer("more", **hidden)
        return dealer.deal(LIMIT)

    def total(hand):
        return [one.value + one.suit for one in hand] and hand[0].suit

    def show(cards):
        for card in cards:
            print(card.suit)
    """


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, {"cards.py": CARDS})


def test_arguments_are_traced_to_values(program: Program) -> None:
    resolver = Resolver(program)
    sites = CallSites(program, find_targets(program, resolver), resolver)
    found = {(target.symbol, name, text) for target, name, text in sites.arguments()}
    assert ("Card", "value", "'Ace'") in found
    assert ("Card", "suit", "'Spades'") in found
    assert ("Card", "suit", "'Clubs'") in found
    assert ("Dealer", "deck", "build()") in found
    assert ("Dealer.deal", "number", "LIMIT") in found
    assert not any("hidden" in text for _, _, text in found)


def test_a_codec_of_a_text_is_no_argument_of_a_method_of_the_program(tmp_path: Path) -> None:
    code = """
        class Coder:
            def encode(self, value):
                return str(value).encode("utf-8")

        def told(coder):
            return coder.encode("total")
    """
    program = write_program(tmp_path, {"coding.py": code})
    resolver = Resolver(program)
    sites = CallSites(program, find_targets(program, resolver), resolver)
    assert [(name, text) for _, name, text in sites.arguments()] == [("value", "'total'")]


def test_a_parameter_that_an_object_keeps_is_followed_to_its_uses(program: Program) -> None:
    assert "callable" in Inference(program).usage("cards.py", "Dealer", "on_deal").kinds


def test_classes_are_found_by_name_and_by_attributes(program: Program) -> None:
    matcher, inference = ClassMatcher(program), Inference(program)
    assert matcher.named("card") == [("Card", False)]
    assert matcher.named("new_cards") == [("Card", True)]
    assert matcher.named("word") == []
    use = inference.usage("cards.py", "show", "cards")
    assert ("Card", True) in matcher.fitting(use, "", "whatever")
    assert matcher.having(frozenset({"suit", "value"})) == ["Card"]
    assert matcher.having(frozenset()) == []


@pytest.mark.parametrize(
    ("doc", "found"),
    [
        (":param Card card: the card", ["Card"]),
        (":arg list card:\n    cards", ["list"]),
        (":type card: Card or None", ["Card or None"]),
        ("Args:\n    card (Card): the card", ["Card"]),
        ("Parameters\n----------\ncard : Card\n    the card", ["Card"]),
        ("Parameters\n----------\n\ncard: Card\n    the card", ["Card"]),
        ("Args:\n    card: the card", []),
        ("the card is discarded: Card", []),
    ],
)
def test_types_are_read_from_docstrings_of_each_style(doc: str, found: list[str]) -> None:
    assert list(documented_types(doc, "card")) == found


def test_whole_calls_are_traced(program: Program) -> None:
    resolver = Resolver(program)
    sites = CallSites(program, find_targets(program, resolver), resolver)
    assert {expression(call) for call in sites.calls()} == {
        "Card('Ace', 'Spades')",
        "Dealer(build())",
        "build()",
    }


def test_what_stands_in_for_none_is_an_argument(tmp_path: Path) -> None:
    text = """
        class Encoder:
            def __init__(self, maker=None, size=None):
                self.maker = maker or Encoder
                self.size = 3 if size is None else size

        LIMIT = 4

        def dumps(obj, cls=None, most=None, least=None, other=None):
            if cls is None:
                cls = Encoder
            if not most:
                most = LIMIT
            least = obj if least is None else least
            if obj is None:
                other = Encoder
            return cls, most, least, other
        """
    program = write_program(tmp_path, {"encoder.py": text})
    resolver = Resolver(program)
    sites = CallSites(program, find_targets(program, resolver), resolver)
    found = {(target.symbol, name, value) for target, name, value in sites.arguments()}
    assert found == {
        ("Encoder", "maker", "Encoder"),
        ("dumps", "cls", "Encoder"),
        ("dumps", "most", "LIMIT"),
    }


def test_a_variable_called_like_a_builtin_is_no_builtin(tmp_path: Path) -> None:
    code = """
        class Web:
            def __init__(self, id, title):
                self.id, self.title = id, title


        def read(items):
            from math import pi
            try:
                id = items["id"]
            except KeyError:
                id = ""
            for type, title in items:
                yield Web(str(id), type)
            yield Web(pi, str(8))
    """
    program = write_program(tmp_path, {"webs.py": code})
    resolver = Resolver(program)
    sites = CallSites(program, find_targets(program, resolver), resolver)
    assert [text for _, _, text in sites.arguments()] == ["pi", "str(8)"]


def test_what_a_program_keeps_for_itself_is_no_argument(tmp_path: Path) -> None:
    text = """
        class State:
            def __init__(self, name):
                self.name = name

        ANY = State("__any__")
        OPEN = State("open")
        """
    program = write_program(tmp_path, {"states.py": text})
    resolver = Resolver(program)
    sites = CallSites(program, find_targets(program, resolver), resolver)
    assert [text for _, _, text in sites.arguments()] == ["'open'"]
    assert [call.text for call in sites.calls()] == ["State('open')"]


def test_what_tells_of_who_calls_is_no_argument(tmp_path: Path) -> None:
    text = """
        import inspect
        import sys

        class Memo:
            def __init__(self, names, depth=1):
                self.names = names

        HERE = Memo(globals(), 2)
        ABOVE = Memo(sys._getframe(1).f_locals)
        FRAME = Memo(inspect.currentframe().f_globals)
        KNOWN = Memo({"a": 1})
        """
    program = write_program(tmp_path, {"memos.py": text})
    resolver = Resolver(program)
    sites = CallSites(program, find_targets(program, resolver), resolver)
    assert [text for _, _, text in sites.arguments()] == ["2", "{'a': 1}"]
    assert [call.text for call in sites.calls()] == ["Memo({'a': 1})"]
