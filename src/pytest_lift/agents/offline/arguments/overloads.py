"""Types of what ``*args`` stands for, one row for each way in which the code tells them apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from pytest_lift.agents.offline.arguments.uses import class_names, type_asked
from pytest_lift.source.syntax import FunctionNode

MOST_ARGUMENTS = 6
"""Most arguments of a row."""
ANY = "object"
"""Hint for an argument of which nothing is asked."""

Row = tuple[str, ...]


def overloads(function: FunctionNode) -> Sequence[Row]:
    """Returns the types of the arguments that a function asks of what it takes together, as hints:
    ``("Point", "float")`` where ``len(args) == 2`` and ``isinstance(args[0], Point)`` and
    ``type(args[1]) == float`` are asked; nothing where it asks for no type."""
    if function.args.vararg is None:
        return ()
    rows = _rows(function.body, function.args.vararg.arg, 0, {})
    return list(dict.fromkeys(row for row in rows if {*row} - {ANY}))


def _rows(
    body: Sequence[ast.stmt], name: str, length: int, known: Mapping[int, str]
) -> Iterator[Row]:
    """Yields the rows under which statements are reached or asserted, where it is `known` so far
    what is asked of arguments of this number; 0 for any number."""
    for statement in body:
        match statement:
            case ast.If(test=test, body=inner, orelse=others):
                asked, size = _asked(test, name), _length(test, name) or length
                if asked:
                    yield _row(size, {**known, **asked})
                yield from _rows(inner, name, size, {**known, **asked})
                yield from _rows(others, name, length, known)
            case ast.Assert(test=test):
                if asked := _asked(test, name):
                    yield _row(_length(test, name) or length, {**known, **asked})
            case ast.With(body=inner) | ast.Try(body=inner) | ast.For(body=inner):
                yield from _rows(inner, name, length, known)


def _row(length: int, asked: Mapping[int, str]) -> Row:
    size = min(max(length, *(at + 1 for at in asked)), MOST_ARGUMENTS)
    return tuple(asked.get(at, ANY) for at in range(size))


def _conditions(test: ast.expr) -> Iterator[ast.expr]:
    """Yields the conditions all of which a test asks for."""
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            for value in values:
                yield from _conditions(value)
        case _:
            yield test


def _asked(test: ast.expr, name: str) -> dict[int, str]:
    """Returns place -> type that a test asks of arguments: of several the first."""
    found: dict[int, str] = {}
    for condition in _conditions(test):
        argument, kinds = type_asked(condition) or (None, None)
        place = _place(argument, name)
        hint = next(class_names(kinds), "") if kinds is not None else ""
        if place is not None and hint:
            found.setdefault(place, hint)
    return found


def _place(node: ast.expr | None, name: str) -> int | None:
    """Returns the place of an argument that is looked up: 1 for ``args[1]``."""
    match node:
        case ast.Subscript(value=ast.Name(id=of), slice=ast.Constant(value=int(place))):
            return place if of == name and 0 <= place < MOST_ARGUMENTS else None
    return None


def _length(test: ast.expr, name: str) -> int:
    """Returns the number of arguments that a test asks for; 0 where it asks for none."""
    for condition in _conditions(test):
        match condition:
            case ast.Compare(
                left=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=of)]),
                ops=[ast.Eq()],
                comparators=[ast.Constant(value=int(size))],
            ) if of == name:
                return size
    return 0
