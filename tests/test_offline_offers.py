"""Items of what a method returns are arguments of the other methods of its object."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.stories.offers import Offers
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Outcome
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

GAME = """
    class Game:
        def moves(self):
            return [[1, 2], [3, 4]]

        def play(self, move):
            return move

        def say(self, text: str):
            return text

    def free(move):
        return move
    """


@pytest.fixture
def targets(tmp_path: Path) -> tuple[Inputs, dict[str, Target]]:
    program = write_program(tmp_path, {"game.py": GAME})
    found = find_targets(program, Resolver(program))
    return Inputs(program, random.Random(1)), {target.symbol: target for target in found}


def drawn(offers: Offers, target: Target) -> set[str | None]:
    return {offers.draw(target, target.parameters[0]) for _ in range(80)}


def test_items_of_a_result_are_drawn_where_they_fit(
    targets: tuple[Inputs, dict[str, Target]],
) -> None:
    inputs, known = targets
    offers = Offers(inputs, random.Random(1))
    assert drawn(offers, known["Game.play"]) == {None}
    offers.note(Call(known["Game.moves"]), Outcome(source="[[1, 2], [3, 4]]"))
    offers.note(Call(known["Game.moves"]), Outcome(source="{'left': Box(1)}"))
    offers.note(Call(known["Game.moves"]), Outcome(source="[Box(2), None]"))
    offers.note(Call(known["free"]), Outcome(source="['other']"))
    assert drawn(offers, known["Game.play"]) == {None, "[1, 2]", "[3, 4]", "'left'"}
    assert drawn(offers, known["Game.say"]) == {None, "'left'"}
    assert drawn(offers, known["free"]) == {None}


def test_the_latest_items_are_kept(targets: tuple[Inputs, dict[str, Target]]) -> None:
    inputs, known = targets
    offers = Offers(inputs, random.Random(1))
    for number in range(40):
        offers.note(Call(known["Game.moves"]), Outcome(source=f"[{number}]"))
    found = drawn(offers, known["Game.play"]) - {None}
    assert len(found) <= 16
    assert min(int(text) for text in found if text is not None) >= 24


RECORDS = """
    def parse(text):
        return {"kind": "word", "parts": [{"kind": "letter", "parts": []}], "text": text}

    def kind_of(node):
        return node["kind"], len(node["parts"])

    def label(node):
        return node["label"]
    """


def test_a_table_with_the_keys_that_are_looked_up_is_drawn(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"records.py": RECORDS})
    known = {target.symbol: target for target in find_targets(program, Resolver(program))}
    offers = Offers(Inputs(program, random.Random(1)), random.Random(1))
    inner = "{'kind': 'letter', 'parts': []}"
    outer = f"{{'kind': 'word', 'parts': [{inner}]}}"
    offers.note(Call(known["parse"]), Outcome(source=outer))
    offers.note(Call(known["parse"]), Outcome(attributes=(("tree", "{'kind': Box(1)}"),)))
    assert drawn(offers, known["kind_of"]) == {None, inner, outer}
    assert drawn(offers, known["label"]) == {None}
    assert drawn(offers, known["parse"]) == {None}


CODEC = """
    def encode(value):
        return "<%s>" % value

    def decode(text: str):
        return text[1:-1]

    def pack(value):
        return value.encode()

    def unpack(data: bytes):
        return data.decode()

    def greet(name: str):
        return name
    """


def test_what_a_call_wrote_is_read_by_others(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"codec.py": CODEC})
    known = {target.symbol: target for target in find_targets(program, Resolver(program))}
    offers = Offers(Inputs(program, random.Random(1)), random.Random(1))
    offers.note(Call(known["encode"]), Outcome(type="str", source="'<ada>'"))
    offers.note(Call(known["encode"]), Outcome(type="str", source="'a'"))
    offers.note(Call(known["decode"]), Outcome(type="str", source="'plain'"))
    offers.note(Call(known["pack"]), Outcome(type="bytes", source="b'packed'"))
    assert drawn(offers, known["decode"]) == {None, "'<ada>'"}
    assert drawn(offers, known["unpack"]) == {None, "b'packed'"}
    assert drawn(offers, known["greet"]) == {None}
