"""What statements of a module make beside those of classes: classes of tuples, and methods."""

from __future__ import annotations

from pathlib import Path

from offline_program import write_program

from pytest_lift.agents.offline.arguments.classes import ClassMatcher
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.source.made.given_methods import given_methods

MODULE = """
    import collections
    from typing import NamedTuple


    def _check(self, values):
        return self.key in values


    Required = collections.namedtuple("Required", ("key", "check_fn"))
    Required.check = _check
    Required.__new__.__defaults__ = (None,)
    Point = NamedTuple("Point", [("x", int), ("y", "float")])
    Pair = collections.namedtuple("Pair", "left, right", defaults=(None,))
    other = collections.namedtuple("Renamed", "a")
    HEX = "0123"
"""


def test_each_is_a_class_of_its_line(tmp_path: Path) -> None:
    """One that is bound to another name than its own is a variable."""
    file = write_program(tmp_path, {"m.py": MODULE}).files["m.py"]
    classes = [(one.name, one.line) for one in file.symbols if one.kind == "class"]
    assert classes == [("Required", 9), ("Point", 12), ("Pair", 13)]


def test_its_fields_and_what_is_assigned_to_it_are_its_attributes(tmp_path: Path) -> None:
    matcher = ClassMatcher(write_program(tmp_path, {"m.py": MODULE}))
    assert matcher.attributes["Required"] == {"key", "check_fn", "check"}
    assert matcher.having(frozenset({"left", "right"})) == ["Pair"]


def test_it_is_made_by_a_call_with_the_hints_that_it_has(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"m.py": MODULE})
    made = {one.symbol: one for one in find_targets(program, Resolver(program))}
    assert made["Required"].kind == "constructor"
    assert [(p.name, p.annotation) for p in made["Point"].parameters] == [
        ("x", "int"),
        ("y", "'float'"),
    ]


def test_functions_are_given_to_classes_as_methods(tmp_path: Path) -> None:
    """Also those that a function of the module makes; nothing is told of those of others."""
    code = """
        from os.path import join


        class Box:
            pass


        def _open(self):
            return 1


        def _closing(inner):
            return inner


        Box.open = _open
        Box.close = _closing(_open)
        Box.join = join
        Box.size = 3
        Lid.open = _open
    """
    file = write_program(tmp_path, {"m.py": code}).files["m.py"]
    assert given_methods(file) == {"Box.open": "_open", "Box.close": "_closing"}


def test_names_that_python_keeps_are_no_fields(tmp_path: Path) -> None:
    text = (
        'from collections import namedtuple\nRow = namedtuple("Row", "a def None b", rename=True)\n'
    )
    file = write_program(tmp_path, {"m.py": text}).files["m.py"]
    assert file.error is None
    assert [one.name for one in file.symbols if one.kind == "class"] == ["Row"]
