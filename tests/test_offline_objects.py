"""Objects that calls are made on are those that the program's own code would make."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program
from offline_ways import ways_of

from pytest_lift.agents.offline.arguments.call_sites import CallSites
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.objects.variables import plainly_named, variable_for
from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.agents.offline.stories.objects import Objects
from pytest_lift.calls.call import Call, expression
from pytest_lift.calls.case import Outcome
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target, function_of
from pytest_lift.source.program import Program

GAME = """
    class Grid:
        def __init__(self, rows, cols):
            self._rows = rows
            self._cols = cols
            self._cells = [0 for _ in range(rows) for _ in range(cols)]

        def size(self):
            return self._rows * self._cols

    class Game:
        def __init__(self, grid: Grid, rounds: int):
            self._grid = grid
            self._rounds = rounds

        def is_large(self):
            if self._grid.size() > 12:
                return True
            return False

    def main():
        return Game(Grid(3, 5), 2).is_large()
    """


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, {"game.py": GAME})


def targets_of(program: Program) -> dict[str, Target]:
    return {target.symbol: target for target in find_targets(program, Resolver(program))}


def test_objects_that_show_nothing_are_arguments_all_the_same(
    program: Program, tmp_path: Path
) -> None:
    resolver = Resolver(program)
    targets = [t for t in find_targets(program, resolver) if t.symbol != "main"]
    prober, rng = Prober(tmp_path, program, best_jail()), random.Random(1)
    inputs, offer = Inputs(program, rng), Offer(program, resolver)
    search = ProgramSearch(
        prober, targets, resolver, inputs, offer, rng, time.monotonic() + 60, 900, frozenset()
    )
    known = list(CallSites(program, targets, resolver).calls())
    found = search.run(known)
    assert inputs.objects["Grid"][0] == "Grid(3, 5)"
    assert any(k.case.symbol == "Game.is_large" for k in found)
    results = {k.seen.outcomes[-1].source for k in found if k.case.symbol == "Game.is_large"}
    assert results == {"True", "False"}


FRAMES = """
    from typing import NamedTuple

    class Frame(NamedTuple):
        opcode: int
        payload: bytes

    class Decoder:
        def process(self, frame: Frame):
            if frame.opcode > 2:
                return "control"
            return "data"
    """


def test_objects_of_classes_without_code_are_arguments(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"frames.py": FRAMES})
    resolver = Resolver(program)
    targets = find_targets(program, resolver)
    prober, rng = Prober(tmp_path, program, best_jail()), random.Random(1)
    inputs, offer = Inputs(program, rng), Offer(program, resolver)
    search = ProgramSearch(
        prober, targets, resolver, inputs, offer, rng, time.monotonic() + 60, 900
    )
    found = search.run([])
    results = {k.seen.outcomes[-1].source for k in found if k.case.symbol == "Decoder.process"}
    assert results == {"'control'", "'data'"}


def test_objects_made_of_what_fits_replace_others(program: Program) -> None:
    targets = targets_of(program)
    inputs = Inputs(program, random.Random(1))
    objects = Objects(list(targets.values()), ways_of(program, inputs), random.Random(1))
    game = targets["Game"]
    odd, fitting, other = (
        Call(game, (("grid", grid), ("rounds", rounds)))
        for grid, rounds in (("[1, 2]", "1"), ("Grid(1, 2)", "3"), ("'a'", "2"))
    )
    made = Outcome(type="Game")
    objects.note_result(odd, made)
    assert inputs.objects["Game"] == [expression(odd)]
    objects.note_result(fitting, made)
    objects.note_result(other, made)
    assert inputs.objects["Game"] == [expression(fitting)]
    assert objects.made_by[game.key] == [fitting]


def test_objects_that_the_program_makes_itself_come_first(program: Program) -> None:
    targets = targets_of(program)
    inputs = Inputs(program, random.Random(1))
    objects = Objects(list(targets.values()), ways_of(program, inputs), random.Random(1))
    short, own = (Call(targets["Grid"], (("rows", rows), ("cols", "1"))) for rows in ("1", "1000"))
    objects.note_maker(own)
    for call in (short, own):
        objects.note_result(call, Outcome(type="Grid"))
    assert inputs.objects["Grid"] == ["Grid(1000, 1)", "Grid(1, 1)"]


def test_a_line_of_an_earlier_search_is_no_hindrance(program: Program) -> None:
    targets = targets_of(program)
    rng = random.Random(1)
    objects = Objects(list(targets.values()), ways_of(program), rng)
    made = Call(targets["Grid"], (("rows", "1"), ("cols", "2")))
    line = Call(targets["Grid.size"], subject="grid", bound="size")
    call = Call(targets["Grid.size"], receiver=made, name="grid", before=(line,))
    parameter = targets["Game"].parameters[0]
    assert all(objects.argument(call, parameter) for _ in range(20))


@pytest.mark.parametrize(
    ("name", "taken", "variable"),
    [
        ("TTLCache", (), "cache"),
        ("OneOf", (), "one_of"),
        ("Field", ("field",), "field_"),
    ],
)
def test_a_variable_is_a_noun_of_its_class(
    name: str, taken: tuple[str, ...], variable: str
) -> None:
    assert variable_for(name, taken) == variable


@pytest.mark.parametrize(
    ("name", "variable"), [("board", "grid"), ("my_grid", "my_grid"), ("g", "grid")]
)
def test_a_documented_variable_that_names_one_object_is_named_by_its_class(
    program: Program, name: str, variable: str
) -> None:
    targets = targets_of(program)
    made = Call(targets["Grid"], (("rows", "1"), ("cols", "2")))
    line = Call(targets["Grid.size"], subject=name)
    call = Call(targets["Grid.size"], receiver=made, name=name, before=(line,))
    found = plainly_named(call, ())
    assert (found.name, found.before[0].subject) == (variable, variable)
    assert plainly_named(call, ("grid",)).name in (name, "grid_")
    own = call.but(values=(("other", name),))
    assert plainly_named(own, ()) == own


def test_functions_of_functions_are_called_before_one_was_seen_to_be_made(tmp_path: Path) -> None:
    text = (
        "def outer(a):\n    def inner(b):\n        return lambda c: a + b + c\n    return inner\n"
    )
    program = write_program(tmp_path, {"deep.py": text})
    (outer,) = find_targets(program, Resolver(program))
    inner = function_of(outer)
    objects = Objects([outer], ways_of(program), random.Random(1))
    made = objects.prepared(function_of(inner), lambda target, _: Call(target))
    assert made.name == "function"
    assert objects.prepared(inner, lambda target, _: Call(target)).name == "function"
