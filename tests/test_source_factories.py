"""Objects of private classes are made by the public functions that return nothing else."""

from __future__ import annotations

import ast
import time
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.names import Resolver
from pytest_lift.calls.survey import survey
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target, function_of
from pytest_lift.source.made.factories import (
    derived_by_calls,
    factories_of,
    functions_beside,
    made_functions,
)

BOXES = {
    "boxes.py": """
        class _Box:
            def __init__(self, items, label):
                self.items = items

            @classmethod
            def empty(cls):
                return cls([], None)

            def first(self):
                return self.items[0]


        class _Lid:
            def turn(self):
                return 1


        class _Crate:
            def open(self):
                return 2


        class _Sack:
            def shake(self):
                return 3


        def box(*items: int) -> _Box:
            return _Box(list(items), None)


        def lid(closed):
            if closed:
                return _Lid()


        def _crate():
            return _Crate()


        def sack():
            yield 1
            return _Sack()
        """
}


@pytest.fixture
def targets(tmp_path: Path) -> list[Target]:
    program = write_program(tmp_path, BOXES)
    known = survey(program, tmp_path, best_jail(), 20)
    return find_targets(program, Resolver(program), known)


def test_a_private_class_is_made_by_the_function_that_returns_it(targets: list[Target]) -> None:
    by_name = {target.symbol: target for target in targets}
    assert set(by_name) == {"_Box", "_Box.first", "lid", "sack"}
    maker = by_name["_Box.first"].owner
    assert maker == by_name["_Box"]
    assert (maker.call, maker.imports) == ("box", ("from boxes import box",))
    assert [(one.name, one.kind) for one in maker.parameters] == [("items", "var-positional")]


def test_other_results_generators_and_private_functions_make_none(tmp_path: Path) -> None:
    file = write_program(tmp_path, BOXES).files["boxes.py"]
    assert {name: maker.name for name, maker in factories_of(file).items()} == {"_Box": "box"}


DERIVED = {
    "pots/__init__.py": "from pots.made import Pot",
    "pots/made.py": """
        from collections import namedtuple


        class Meta(type):
            pass


        class BarePot(object):
            def __init__(self, size=1):
                self.size = size

            def fill(self, much):
                return much > self.size


        class _Pan(object):
            def flip(self):
                return 1


        Pot = Meta("Pot", (BarePot,), {})
        Pan = Meta("Pan", (_Pan,), {"__doc__": "A pan."})
        Point = namedtuple("Point", ("x", "y"))
        """,
}


def test_a_class_that_a_call_derives_stands_for_its_base(tmp_path: Path) -> None:
    program = write_program(tmp_path, DERIVED)
    assert derived_by_calls(program.files["pots/made.py"]) == {"BarePot": "Pot", "_Pan": "Pan"}
    known = survey(program, tmp_path, best_jail(), 20)
    targets = {t.symbol: t for t in find_targets(program, Resolver(program), known)}
    pot, pan = targets["BarePot"], targets["_Pan"]
    assert (pot.call, pot.imports) == ("Pot", ("from pots import Pot",))
    assert (pan.call, pan.imports) == ("Pan", ("from pots.made import Pan",))
    assert targets["BarePot.fill"].owner == pot
    assert targets["_Pan.flip"].call == "Pan"


MAKING = """
def retried(times):
    def decorate(func):
        def wrapper(*args, **kwargs):
            return func(*args, **kwargs)
        return wrapper
    return decorate


def scaled(factor):
    def scale(value: int, offset=0):
        return value * factor + offset
    return scale


def moved(by):
    return lambda value: value + by


def told(text):
    def tell():
        return text
    return tell()
"""


def test_a_function_that_another_one_makes_has_its_own_parameters(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"making.py": MAKING})
    targets = {t.symbol: t for t in find_targets(program, Resolver(program))}
    decorate = function_of(targets["retried"])
    assert [one.name for one in decorate.parameters] == ["func"]
    wrapper = function_of(decorate)
    assert [(one.name, one.kind) for one in wrapper.parameters] == [("arguments", "var-positional")]
    assert [one.name for one in function_of(targets["scaled"]).parameters] == ["value", "offset"]
    assert [one.name for one in function_of(targets["moved"]).parameters] == ["value"]
    assert targets["told"].makes == ()


def test_the_parameters_of_each_function_in_turn_are_known() -> None:
    node = ast.parse(MAKING).body[0]
    assert [[one.name for one in level] for level in made_functions(node, {})] == [
        ["func"],
        ["args", "kwargs"],
    ]


DELEGATING = """
def _wrapped(size):
    def decorator(func):
        def wrapper(*args, **kwargs):
            return func(*args, **kwargs)
        def late(*args):
            yield from func(*args)
        return late if size else wrapper
    return decorator


def cached(size=None):
    if size is None:
        return _wrapped(0)
    return _wrapped(size)


def endless(size):
    return endless(size)


def deep(size):
    return _middle(size) if size else deep(size)


def _middle(size):
    return deep(size)
    return _wrapped(size)


class Breaker:
    def __call__(self, wrapped):
        return self.decorate(wrapped)

    def decorate(self, function):
        return lambda *values: function(*values)
"""


@pytest.mark.parametrize(
    ("symbol", "names"),
    [
        ("cached", [["func"], ["args"]]),
        ("endless", []),
        ("deep", [["func"], ["args"]]),
        ("Breaker.__call__", [["values"]]),
    ],
)
def test_a_function_that_others_return_for_it_is_known(symbol: str, names: list[list[str]]) -> None:
    tree = ast.parse(DELEGATING)
    beside = functions_beside(tree, symbol)
    node = beside.get(symbol) or beside[f"self.{symbol.rpartition('.')[2]}"]
    made = made_functions(node, beside)
    assert [[one.name for one in level] for level in made] == names


def test_functions_that_return_the_calls_of_each_other_are_asked_once() -> None:
    names = [f"f{number}" for number in range(30)]
    calls = "".join(f"    if size: return {name}(size)\n" for name in names)
    tree = ast.parse("".join(f"def {name}(size):\n{calls}" for name in names))
    began = time.process_time()
    for name in names:
        beside = functions_beside(tree, name)
        assert made_functions(beside[name], beside) == ()
    assert time.process_time() - began < 5


def test_the_functions_of_a_module_are_listed_once_for_all_of_its_symbols() -> None:
    tree = ast.parse(DELEGATING)
    assert functions_beside(tree, "cached").maps[1] is functions_beside(tree, "A.b").maps[1]
