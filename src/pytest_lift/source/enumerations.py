"""Finds the enumerations of a program, and the members of one."""

from __future__ import annotations

import ast
from functools import lru_cache

from pytest_lift.source.ancestry import above, bases_by_key, class_key
from pytest_lift.source.program import Program

ENUMERATIONS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
"""Python's own, from which others are derived."""


@lru_cache(maxsize=1)
def enumerations(program: Program) -> frozenset[tuple[str, str]]:
    """Returns (path of the file, name) of the classes of a program that are derived from an
    enumeration of Python's own, also through others of the program."""
    bases = bases_by_key(program)
    return frozenset(
        (file.path, one.name)
        for file in program.files.values()
        for one in file.symbols
        if one.kind == "class"
        and not ENUMERATIONS.isdisjoint(above(class_key(file.path, one.name), bases))
    )


def members_of(node: ast.ClassDef) -> dict[str, ast.expr]:
    """Returns the public names that the body of an enumeration assigns, each with its value."""
    assigns = [one for one in node.body if isinstance(one, ast.Assign)]
    named = [(one, part.value) for part in assigns for one in part.targets]
    return {
        one.id: value
        for one, value in named
        if isinstance(one, ast.Name) and not one.id.startswith("_")
    }
