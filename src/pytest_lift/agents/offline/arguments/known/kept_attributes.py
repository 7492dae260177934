"""What the attributes of objects hold at first: literals in classes and in what makes objects."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property

from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode


class KeptAttributes:
    """Knows with which values the objects of the program's classes begin."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def value(self, places: Iterable[tuple[str, str]]) -> object:
        """Returns the value of the first of some attributes, (class, name), that is known: a
        number, flag or text; None where none is, or it holds nothing at first."""
        return next((self._values[place] for place in places if place in self._values), None)

    @cached_property
    def _values(self) -> dict[tuple[str, str], object]:
        found: dict[tuple[str, str], object] = {}
        for file in self.program.files.values():
            for node in ast.walk(file.tree):
                if isinstance(node, ast.ClassDef):
                    for name, value in _begun_with(node):
                        content = _literal(value)
                        if content not in (None, ""):
                            found.setdefault((node.name, name.lstrip("_")), content)
        return found


def _begun_with(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    """Yields (attribute, value) of a class, of what its ``__init__`` sets, and (parameter, default)
    of that."""
    for part in node.body:
        if isinstance(part, FunctionNode) and part.name == "__init__":
            yield from _defaults(part)
            for inner in ast.walk(part):
                match inner:
                    case ast.Assign(
                        targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value
                    ):
                        yield name, value
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value


def _defaults(node: FunctionNode) -> Iterator[tuple[str, ast.expr]]:
    given = node.args
    placed = reversed([*given.posonlyargs, *given.args])
    yield from ((one.arg, v) for one, v in zip(placed, reversed(given.defaults), strict=False))
    named = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    yield from ((one.arg, value) for one, value in named if value is not None)


def _literal(node: ast.expr) -> object:
    """Returns a number, flag or text; None for all else."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, bool | int | float | str) else None
