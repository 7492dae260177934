"""Errors that a suite shows are not shown once more for little."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.choosing.weighing.inherited import Inheritance
from pytest_lift.agents.offline.choosing.weighing.known_errors import errors_shown, is_shown
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.case import Case, Observation, Origin, Outcome, Raised, Step
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import suite_of

SUITE = """
import pytest

from rank import Rank

def test_rank_place_reports_no_place():
    with pytest.raises(ValueError, match=r"no place \\(of"):
        Rank().place(0)

def test_rank_find_raises_key_error():
    with pytest.raises(KeyError):
        Rank().find(0)
"""
PROGRAM = """
class Rank:
    def place(self, at):
        raise ValueError("no place (of 9)")

    def find(self, at):
        raise KeyError(at)

    def found(self, at):
        raise KeyError("nothing is found")

class Board(Rank):
    def found(self, at):
        raise KeyError("no board")

class Table(Board):
    pass
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, {"rank.py": PROGRAM})


def kept(method: str, kind: str, message: str, line: int, origin: Origin = "searched") -> KeptCase:
    case = Case("rank.py", f"Rank.{method}", (Step(f"Rank().{method}(1)", True),), origin=origin)
    raised = Raised(kind, "builtins", message, "rank.py", line, True)
    return KeptCase(case, Observation((Outcome("", raised=raised),), frozenset()))


@pytest.mark.parametrize(
    ("case", "shown"),
    [
        (kept("place", "ValueError", "no place (of 9)", 4), True),
        (kept("place", "ValueError", "no place at all", 4), False),
        (kept("place", "TypeError", "no place (of 9)", 4), False),
        (kept("place", "ValueError", "no place (of 9)", 4, "documented"), False),
        (kept("find", "KeyError", "1", 7), True),
        (kept("found", "KeyError", "nothing is found", 10), False),
    ],
    ids=["the same", "other words", "another type", "documented", "no words", "another function"],
)
def test_an_error_of_a_function_is_known_by_its_words(
    case: KeptCase, shown: bool, program: Program
) -> None:
    suite = suite_of("tests", {"tests/test_rank.py": SUITE})
    assert is_shown(case, errors_shown(suite), program, Inheritance(program)) is shown


def test_an_error_of_an_inherited_method_is_shown_by_any_class_that_has_it(
    program: Program,
) -> None:
    suite = suite_of("tests", {"tests/test_rank.py": SUITE})
    shown, inheritance = errors_shown(suite), Inheritance(program)
    case = kept("place", "ValueError", "no place (of 9)", 4)
    heir = replace(case, case=replace(case.case, symbol="Table.place"))
    assert is_shown(heir, shown, program, inheritance)
    own = replace(case, case=replace(case.case, symbol="Board.found"))
    assert not is_shown(own, shown, program, inheritance)


def test_a_method_is_defined_where_the_nearest_base_has_it(program: Program) -> None:
    inheritance = Inheritance(program)
    assert inheritance.definer("rank.py", "Table.place") == ("rank.py", "Rank.place")
    assert inheritance.definer("rank.py", "Table.found") == ("rank.py", "Board.found")
    assert inheritance.definer("rank.py", "Table.name") == ("rank.py", "Table.name")
    names = {"Rank.place", "Board.place", "Table.place"}
    assert inheritance.sharing("rank.py", "Board.place") == names
    assert inheritance.sharing("rank.py", "Rank.found") == {"Rank.found"}
