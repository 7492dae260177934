"""A parameter of which the code only asks if it is true is True or False."""

from __future__ import annotations

import ast
import random
import time
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.known.flags import Flags
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

CODE = """
    class Node:
        def __init__(self, wildcard, label, noted):
            self.noted: "Noted" = noted
            self.wildcard = wildcard
            self.label = label

        def check(self, pattern):
            if self.noted:
                return ""
            if self.wildcard:
                return pattern.startswith("a")
            return self.label == pattern


    class Leaf(Node):
        def find(self, is_deep, pattern, hidden=None):
            return shown(is_deep, pattern, mark=hidden)


    def shown(deep, pattern, mark=False):
        return pattern if deep and not mark else pattern[1:]


    def spread(deep, *more):
        return shown(*more, "a", deep)


    def kept(thing, items, grow=None, other=None):
        if items:
            return thing
        if grow is None or other:
            return other
        return 1
"""


@pytest.mark.parametrize(
    ("symbol", "name", "flag"),
    [
        ("Node", "wildcard", True),
        ("Node", "label", False),
        ("Node", "noted", True),
        ("spread", "deep", False),
        ("Leaf.find", "is_deep", True),
        ("Leaf.find", "hidden", True),
        ("Leaf.find", "pattern", False),
        ("shown", "deep", True),
        ("kept", "thing", False),
        ("kept", "items", False),
        ("kept", "grow", False),
        ("kept", "other", False),
    ],
)
def test_what_is_only_asked_is_true_or_false(
    tmp_path: Path, symbol: str, name: str, flag: bool
) -> None:
    program = write_program(tmp_path, {"nodes.py": CODE})
    targets = {t.symbol: t for t in find_targets(program, Resolver(program))}
    inputs = Inputs(program, random.Random(1))
    target = targets[symbol]
    parameter = next(one for one in target.parameters if one.name == name)
    assert (inputs.kinds(target, parameter) == ["bool"]) is flag
    natural = Naturalness(inputs, [*targets.values()])
    assert bool(natural.misfit(Call(target, ((name, "2.5"),)))) >= flag


def test_a_long_method_is_looked_through_once() -> None:
    tree = ast.parse(
        "def look(self, deep):\n  self.deep = deep\n" + "  if self.deep: go()\n" * 2000
    )
    (method,) = tree.body
    assert isinstance(method, ast.FunctionDef)
    tests = [(one, one.test) for one in method.body if isinstance(one, ast.If)]
    uses = [(method, one, test) for one, test in tests if isinstance(test, ast.Attribute)]
    began = time.process_time()
    assert Flags(lambda _: [], lambda *_: uses).is_flag(method, "Node", "deep")
    assert time.process_time() - began < 1
