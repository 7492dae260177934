"""A test of what the program makes of a function fails without the program."""

from __future__ import annotations

from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.needed.handed_back import without_handed_back
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober

MARKS = """
def mark(function):
    function.marked = True
    return function


def keep(function):
    return function


def twice(function):
    def call(value):
        return function(function(value))

    return call
"""
DOUBLE = "def double(value):\n    return value * 2"
MARKED = f"@mark\n{DOUBLE}"


def case(*lines: str, asserted: tuple[str, str], hits: frozenset[int] = frozenset()) -> Verified:
    checks = (*(StepCheck("none", line) for line in lines), StepCheck("equals", *asserted))
    steps = tuple(Step(check.expression, check.form != "none") for check in checks)
    imports = ("from marks import keep, mark, twice",)
    found = Case("marks.py", "mark", steps, imports, defines=1)
    return Verified(found, checks, imports, hits)


def test_what_a_function_does_without_the_program_is_no_test_of_it(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"marks.py": MARKS}), best_jail())
    handed_back = [
        case(DOUBLE, "function = mark(double)", asserted=("function(2)", "4")),
        case(DOUBLE, asserted=("mark(double)(2)", "4")),
        case(MARKED, asserted=("double(2)", "4")),
        case("function = keep(function=len)", asserted=("function('ab')", "2")),
    ]
    telling = [
        case(DOUBLE, "function = twice(double)", asserted=("function(2)", "8")),
        case(DOUBLE, "function = mark(double)", asserted=("function.marked", "True")),
    ]
    alone = case(MARKED, asserted=("double(3)", "6"), hits=frozenset({1, 2}))
    kept = without_handed_back([*handed_back, *telling, alone], prober, frozenset({1, 2}))
    assert kept == [*telling, alone]
