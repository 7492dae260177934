"""A parameter of which nothing is told takes what others of its name in the program take."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

CODE = """
    def create(func, short_args=True, depth: int = None, mark="-", value=1):
        return func


    def other(mark=2):
        return mark


    def populate(parser, short_args, depth, mark, value):
        parser.add(short_args, depth, mark, value)


    if not create:
        def never(short_args={[]: 1}):
            return short_args


    def used(short_args):
        return short_args.split()
"""


@pytest.mark.parametrize(
    ("symbol", "name", "kinds"),
    [
        ("populate", "short_args", ["bool"]),
        ("populate", "depth", ["int"]),
        ("populate", "mark", []),
        ("populate", "value", []),
        ("used", "short_args", ["str", "iterable"]),
    ],
)
def test_others_of_a_name_tell_what_it_takes(
    tmp_path: Path, symbol: str, name: str, kinds: list[str]
) -> None:
    """Two that differ tell nothing, nor does a name that says nothing."""
    program = write_program(tmp_path, {"parsers.py": CODE})
    targets = {t.symbol: t for t in find_targets(program, Resolver(program))}
    parameter = next(one for one in targets[symbol].parameters if one.name == name)
    assert Inputs(program, random.Random(1)).kinds(targets[symbol], parameter) == kinds


def test_a_class_that_is_the_default_of_others_of_a_name_is_taken(tmp_path: Path) -> None:
    code = """
        def load(text, _dict=dict):
            return _dict(text)


        class Value:
            def __init__(self, val, _dict):
                self.val, self._dict = val, _dict

            def dump(self):
                return isinstance(self.val, self._dict)
        """
    program = write_program(tmp_path, {"values.py": code})
    targets = {t.symbol: t for t in find_targets(program, Resolver(program))}
    inputs = Inputs(program, random.Random(1))
    value, taken = targets["Value"], targets["Value"].parameters[1]
    assert inputs.kinds(value, taken) == ["type"]
    assert inputs.pool(value, taken)[0] == "dict"
    fitness = Naturalness(inputs, [*targets.values()]).fitness
    assert [fitness.misfit(value, "_dict", one) for one in ("dict", "{1: 'a'}")] == [0.0, 1.0]


def test_the_text_that_others_of_a_name_have_by_default_is_typed(tmp_path: Path) -> None:
    code = """
        class Emitter:
            def __init__(self, delimiter=".", mark="*", text="hello"):
                self.tree = Tree(delimiter, mark, text, "")


        def marked(mark="+", ending="." + __name__):
            return mark + ending


        class Tree:
            def __init__(self, delimiter: str, mark: str, text: str, ending: str):
                self.delimiter, self.mark, self.text = delimiter, mark, text + ending
        """
    program = write_program(tmp_path, {"emitters.py": code})
    targets = {t.symbol: t for t in find_targets(program, Resolver(program))}
    natural = Naturalness(Inputs(program, random.Random(1)), [*targets.values()])
    typed = {name: natural.typed(targets["Tree"], name)[:1] for name in ("delimiter", "mark")}
    assert typed == {"delimiter": ("'.'",), "mark": ()}, "two that differ tell nothing"
    assert "'.'" not in natural.typed(targets["Emitter"], "delimiter")
    assert "'hello'" not in natural.typed(targets["Tree"], "text"), "the name tells nothing"
    assert natural.typed(targets["Tree"], "ending") == (), "what is computed is no text"
