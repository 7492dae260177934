"""Pools of arguments are made anew where objects in them change, and nowhere else."""

from __future__ import annotations

import random
from pathlib import Path

from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.known.made import EVERY_CLASS, MadeObjects
from pytest_lift.agents.offline.arguments.known.noted import is_lasting
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

CODE = """
    class Cup:
        def __init__(self, size):
            self.size = size


    class Plate:
        def __init__(self, colour):
            self.colour = colour


    def fill(cup: Cup):
        return cup.size + 1


    def paint(plate: Plate):
        return plate.colour
    """


def test_a_new_object_is_in_the_pools_of_what_takes_it(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"kitchen.py": CODE})
    targets = {target.symbol: target for target in find_targets(program, Resolver(program))}
    inputs = Inputs(program, random.Random(1))

    def pool(name: str) -> list[str]:
        target = targets[name]
        return inputs.pool(target, target.parameters[0])

    fills, paints = pool("fill"), pool("paint")
    assert pool("fill") is fills
    inputs.note_object("Cup", "Cup(3)")
    assert pool("fill")[0] == "Cup(3)"
    inputs.note_object("Plate", "Plate('red')")
    inputs.forget_objects("Cup")
    assert pool("fill")[0] == fills[0]
    assert pool("paint")[0] == "Plate('red')" not in paints


def test_what_changes_with_a_new_object_is_told() -> None:
    made = MadeObjects()
    assert made.note("Cup", "Cup(1)", 0.0) == {"Cup", EVERY_CLASS}
    assert made.note("Cup", "Cup(1)", 0.0) == frozenset()
    made.note("Cup", "Cup(2)", 0.0)
    assert made.note("Cup", "Cup(size=1000)", 5.0) == {"Cup"}
    assert made.first == ["Cup(1)", "Cup(2)"]
    assert made.forget("Plate") == frozenset()


BROKEN = """
    class KitchenError(Exception):
        pass


    class Broken(KitchenError):
        pass


    class Cup:
        pass


    def put(thing):
        return thing
    """


def test_errors_are_no_arguments_where_anything_is(tmp_path: Path) -> None:
    inputs = Inputs(write_program(tmp_path, {"kitchen.py": BROKEN}), random.Random(1))
    for name in ("KitchenError", "Broken", "Cup"):
        inputs.note_object(name, f"{name}()")
    assert "Cup()" in inputs.anything
    assert {"KitchenError()", "Broken()"}.isdisjoint(inputs.anything)
    assert inputs.examples("Broken") == ["Broken()"]


LACKING = """
    class Shelf:
        def __init__(self, cups):
            self.cups = cups


    def count(shelf, most=0, first=None):
        return min(len(shelf.cups), most or 10)


    def told(holder, most=0):
        return _told(holder)
    """


def test_an_attribute_that_was_lacking_is_one_of_the_argument_that_is_read(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"kitchen.py": LACKING})
    targets = {target.symbol: target for target in find_targets(program, Resolver(program))}
    inputs = Inputs(program, random.Random(1))
    inputs.note_object("Shelf", "Shelf([1])")
    for name in ("count", "told"):
        inputs.want(targets[name], "cups")
    shelved = {
        (name, one.name): inputs.pool(targets[name], one)[0] == "Shelf([1])"
        for name in ("count", "told")
        for one in targets[name].parameters
    }
    assert shelved == {
        ("count", "shelf"): True,
        ("count", "most"): False,
        ("count", "first"): False,
        ("told", "holder"): True,
        ("told", "most"): False,
    }


def test_the_place_of_a_case_is_no_argument_that_lasts() -> None:
    assert is_lasting("Record('shop.py', 3)")
    assert not is_lasting("Record('<case>', 3)")
    assert is_lasting("parse('<case>1</case>')")
