"""Finds the enumerations of a program, and the members of one."""

from __future__ import annotations

import ast
from functools import lru_cache

from pytest_lift.source.ancestry import above
from pytest_lift.source.program import Program

ENUMERATIONS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
"""Python's own, from which others are derived."""


@lru_cache(maxsize=1)
def enumerations(program: Program) -> frozenset[str]:
    """Returns the names of the classes of a program that are derived from an enumeration of
    Python's own, also through others of the program."""
    symbols = (one for file in program.files.values() for one in file.symbols)
    bases = {
        one.name: [base.rpartition(".")[2].partition("[")[0] for base in one.bases]
        for one in symbols
        if one.kind == "class"
    }
    of_python = ENUMERATIONS - {name for name, given in bases.items() if name not in given}
    return frozenset(name for name in bases if not of_python.isdisjoint(above(name, bases)))


def members_of(node: ast.ClassDef) -> tuple[str, ...]:
    """Returns the public names that the body of an enumeration assigns."""
    targets = [one for part in node.body if isinstance(part, ast.Assign) for one in part.targets]
    names = [one.id for one in targets if isinstance(one, ast.Name)]
    return tuple(name for name in names if not name.startswith("_"))
