"""Finds the enumerations of a program, and the members of one."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from pytest_lift.source.ancestry import above
from pytest_lift.source.program import Program, SourceFile

ENUMERATIONS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
"""Python's own, from which others are derived."""


@lru_cache(maxsize=1)
def enumerations(program: Program) -> frozenset[tuple[str, str]]:
    """Returns (path of the file, name) of the classes of a program that are derived from an
    enumeration of Python's own, also through others of the program."""
    files = program.files.values()
    classes = [(file, one) for file in files for one in file.symbols if one.kind == "class"]
    known: dict[str, list[str]] = defaultdict(list)
    for file, one in classes:
        known[one.name].append(_key(file, one.name))
    bases = {
        _key(file, one.name): [
            key for base in one.bases for key in _meant(base, one.name, file, program, known)
        ]
        for file, one in classes
    }
    return frozenset(
        (file.path, one.name)
        for file, one in classes
        if not ENUMERATIONS.isdisjoint(above(_key(file, one.name), bases))
    )


def _key(file: SourceFile, name: str) -> str:
    return f"{file.path}:{name}"


def _meant(
    base: str, derived: str, file: SourceFile, program: Program, known: Mapping[str, Sequence[str]]
) -> Sequence[str]:
    """Returns the keys of the classes that the base of a class of a file may be: one of the file,
    the one that the file imports, else each of that name; its name for one of no file."""
    first, dot, rest = base.partition("[")[0].partition(".")
    own = _key(file, first)
    if not dot and first != derived and own in known.get(first, ()):
        return [own]
    origin = next((one.origin for one in file.imports if one.bound == first), first)
    module, _, name = f"{origin}{dot}{rest}".rpartition(".")
    imported = program.by_module.get(module)
    if imported is not None and _key(imported, name) in known.get(name, ()):
        return [_key(imported, name)]
    others = [key for key in known.get(name, ()) if key != own and module != "enum"]
    return others or [name]


def members_of(node: ast.ClassDef) -> dict[str, ast.expr]:
    """Returns the public names that the body of an enumeration assigns, each with its value."""
    assigns = [one for one in node.body if isinstance(one, ast.Assign)]
    named = [(one, part.value) for part in assigns for one in part.targets]
    return {
        one.id: value
        for one, value in named
        if isinstance(one, ast.Name) and not one.id.startswith("_")
    }
