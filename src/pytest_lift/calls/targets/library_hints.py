"""Classes of libraries that the hints of a program name, and how its files import them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.source.bindings import Import
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import chain, parsed_expression

NO_CLASSES = frozenset({"typing", "typing_extensions", "collections", "types", "__future__"})
"""Modules whose names in hints tell what is around a type."""

Hinted = tuple[str, str, str]
"""Name of a class as hints write it, module, and name in that."""


def hinted_classes(program: Program) -> list[Hinted]:
    """Returns what hints name of libraries, each once, that of the first file where two differ."""
    found: dict[str, Hinted] = {}
    for file in program.files.values():
        own = {one.bound: one for one in file.imports if _is_foreign(one, program)}
        for one in _named(file, own) if own else ():
            found.setdefault(one[0].rpartition(".")[2], one)
    return [*found.values()]


def _is_foreign(one: Import, program: Program) -> bool:
    return bool(one.top) and one.top not in program.names and one.top not in NO_CLASSES


def _named(file: SourceFile, own: dict[str, Import]) -> Iterator[Hinted]:
    """Yields what the hints of a file name by its imports."""
    hints = {one.annotation for symbol in file.symbols for one in symbol.parameters}
    for hint in sorted(filter(None, hints)):
        tree = parsed_expression(hint.strip("'\""))
        for node in ast.walk(tree) if tree is not None else ():
            match chain(node) if isinstance(node, ast.Name | ast.Attribute) else []:
                case [name] if name in own and own[name].module:
                    yield name, own[name].module, own[name].name
                case [first, *inner, name] if first in own:
                    yield (
                        ".".join([first, *inner, name]),
                        ".".join([own[first].origin, *inner]),
                        name,
                    )
