"""What a plain dict equals as well is asserted with its class."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.agents.offline.writing.oracles.plain_equals import with_classes

BOXES = """
    class Box(dict):
        pass

    class Crate(Box):
        pass

    class Own(dict):
        def __eq__(self, other):
            return isinstance(other, Own) and dict(self) == dict(other)

    class Pairs(OrderedDict):
        pass

    class Card(str):
        pass

    class Hand(list):
        pass

    class Backwards(list):
        def __getitem__(self, at):
            return super().__getitem__(-1 - at)

    class Deck:
        def __init__(self, cards):
            self.cards = cards
"""


@pytest.mark.parametrize(
    ("lines", "expression", "expected", "asserted"),
    [
        ([], "pack({'a': {}})", "Box({'a': Box({})})",
         ["result = pack({'a': {}})", "result", "isinstance(result['a'], Box)"]),
        ([], "pack([])", "Crate([1])", ["result = pack([])", "result", "isinstance(result, Crate)"]),
        ([], "pack(1)", "[1, ({'b': Box({})},)]",
         ["result = pack(1)", "result", "isinstance(result[1][0]['b'], Box)"]),
        (["box = Box()", "box.a = {}"], "box", "Box({'a': Box({})})",
         ["box = Box()", "box.a = {}", "box", "isinstance(box['a'], Box)"]),
        (["box = Box()", "box.a = 1"], "box", "Box({'a': 1})", ["box = Box()", "box.a = 1", "box"]),
        (["box = Box(a=Box())"], "box.copy()", "Box({'a': Box()})",
         ["box = Box(a=Box())", "box.copy()"]),
        ([], "Box({'a': 1})", "Box({'a': 1})", ["Box({'a': 1})"]),
        ([], "pack(own)", "Own({})", ["pack(own)"]),
        ([], "pack(1)", "{'a': 1}", ["pack(1)"]),
        *(([line], "pack(2)", "Box({})", [line, "pack(2)"]) for line in (
            "result = pack(1)", "result, rest = pack(1)", "with pack(1) as result:\n    pass",
            "print(result)")),
        ([], "result(1)", "Box({})", ["result(1)"]),
        ([], "pack(1)", "Box({'a': result})", ["pack(1)"]),
        ([], "pack(1)", "Shelf.Box({})", ["result = pack(1)", "result", "isinstance(result, Shelf.Box)"]),
        ([], "pack(1)", "Hand([Card('a')])",
         ["result = pack(1)", "result", "isinstance(result[0], Card)"]),
        ([], "pack(1)", "Backwards([Card('a'), Card('b')])",
         ["result = pack(1)", "result", "isinstance(result, Backwards)"]),
        ([], "pack(1)", "Pairs([('a', Pairs([('b', 1)]))])",
         ["result = pack(1)", "result", "isinstance(result, Pairs)"]),
        ([], "pack(1)", "Deck([Card('a')])", ["pack(1)"]),
        ([], "pack(1)", "Hand('a', [Card('a')])",
         ["result = pack(1)", "result", "isinstance(result, Hand)"]),
        ([], "pack(1)", "frozenset([Card('a')])", ["pack(1)"]),
    ],
)  # fmt: skip
def test_the_class_of_what_equals_a_plain_value_is_asserted(
    tmp_path: Path, lines: list[str], expression: str, expected: str, asserted: list[str]
) -> None:
    program = write_program(tmp_path, {"boxes.py": BOXES})
    checks = [StepCheck("none", line) for line in lines]
    checks.append(StepCheck("equals", expression, expected))
    assert [one.expression for one in with_classes(checks, program)] == asserted
