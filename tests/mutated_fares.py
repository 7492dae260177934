"""A program in one file, its mutants as mutmut would write them, and a suite that misses some."""

from __future__ import annotations

import ast
from pathlib import Path

from offline_program import write_program

from pytest_lift.mutation.mutation import Mutant
from pytest_lift.source.program import Program

FARES = '''
"""Fares of a tram."""

SEEN = []


class FareError(ValueError):
    """No such fare."""


def fare(zones, age=30):
    """What a ticket costs, in cents."""
    if zones < 1:
        raise FareError("a ticket is for one zone or more")
    price = 100 + 150 * zones
    if age < 6:
        return 0
    if age >= 65:
        price = price - 100
    return price


def label(zones):
    text = "zones: %d" % zones
    return text


class Ticket:
    """What is paid for; when it was printed makes no difference."""

    def __init__(self, zones, printed=0):
        self.zones = zones
        self.printed = printed

    def __eq__(self, other):
        return self.zones == other.zones

    def __repr__(self):
        return f"Ticket({self.zones!r}, {self.printed!r})"


def ticket(zones):
    moment = 7
    return Ticket(zones, moment)


def count_down(n):
    while n > 0:
        n = n - 1
    return "done"


def remember(word):
    found = len(SEEN)
    return (word, found)


def stop(code):
    return code + 1
'''
CHANGES = (
    ("fare", "age < 6", "age <= 6"),
    ("fare", "age >= 65", "age > 65"),
    ("fare", "one zone or more", "XXone zone or moreXX"),
    ("fare", "zones < 1", "zones <= 1"),
    ("fare", 'FareError("a', 'KeyError("a'),
    ("label", "zones: %d", "ZONES: %d"),
    ("count_down", "n - 1", "n + 1"),
    ("remember", "len(SEEN)", "SEEN.append(word) or len(SEEN)"),
    ("stop", "return code + 1", "__import__('os')._exit(4)"),
    ("ticket", "moment = 7", "moment = 8"),
    ("ticket", "Ticket(zones, moment)", "Ticket(moment, moment)"),
)
"""(function, what stands there, what a mutant has instead)"""
(
    STEP_FREE,
    SENIOR,
    MESSAGE,
    FIRST_ZONE,
    KIND,
    CAPITALS,
    ENDLESS,
    LEAKING,
    EXITING,
    PRINTED,
    ZONES,
) = range(11)
SUITE = """
import pytest
from fares import FareError, fare, label


@pytest.mark.parametrize(("zones", "expected"), [(2, 400), (3, 550)])
def test_fare(zones, expected):
    assert fare(zones) == expected


def test_fare_of_a_child():
    assert fare(1, age=3) == 0


def test_no_zones():
    with pytest.raises(FareError):
        fare(0)
"""


def mutants_of(program: Program) -> list[Mutant]:
    text = program.files["fares.py"].text
    found = []
    for number, (symbol, old, new) in enumerate(CHANGES, 1):
        line = text[: text.index(old)].count("\n") + 1
        before = text.splitlines()[line - 1]
        after = before.replace(old, new)
        diff = f"@@ -{line},1 +{line},1 @@\n-{before}\n+{after}"
        key = f"fares.x_{symbol}__mutmut_{number}"
        found.append(Mutant(key, "fares.py", line, symbol, before, after, diff))
    return found


def rewritten(text: str, mutants: list[Mutant]) -> str:
    """The module with all its mutants, as mutmut writes it."""
    parts = ["from mutmut.mutation.trampoline import wrap_in_trampoline, MutantDict"]
    for node in ast.parse(text).body:
        source = ast.get_source_segment(text, node) or ""
        if not isinstance(node, ast.FunctionDef):
            parts.append(source)
            continue
        own = [mutant for mutant in mutants if mutant.symbol == node.name]
        table = f"mutants_x_{node.name}__mutmut"
        head = f"def {node.name}("
        parts += [f"{table}: MutantDict = {{}}", f"@wrap_in_trampoline({table})\n{source}"]
        original = f"x_{node.name}__mutmut_orig"
        parts.append(source.replace(head, f"def {original}("))
        parts.append(f"{table}['_mutmut_orig'] = {original}")
        for mutant in own:
            name = mutant.key.rpartition(".")[2]
            changed = source.replace(mutant.before, mutant.after)
            assert changed != source
            parts += [changed.replace(head, f"def {name}("), f"{table}['{name}'] = {name}"]
    return "\n\n\n".join(parts) + "\n"


def write_fares(root: Path) -> Program:
    return write_program(root, {"fares.py": FARES})


def write_mutated(folder: Path, program: Program) -> Path:
    """`folder`, as mutmut would leave it."""
    folder.mkdir(parents=True)
    text = rewritten(program.files["fares.py"].text, mutants_of(program))
    (folder / "fares.py").write_text(text, "utf-8")
    return folder
