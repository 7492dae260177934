"""Calls that the program made itself while cases ran, with their arguments, as values."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

LONGEST = 200
MOST_ROWS = 2000
HARMLESS = (
    ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp, ast.USub, ast.BinOp, ast.Add,
    ast.Call, ast.keyword, ast.Name, ast.Attribute, ast.Load, ast.Expression,
)  # fmt: skip
"""Parts of an expression for a value: literals, and calls of what has a name."""


@dataclass(frozen=True)
class SeenArgument:
    """Argument of a call that the program made itself."""

    parameter: str
    kind: str
    """Name of the argument's type."""
    source: str
    """Expression for an equal value, "" where none is known."""


@dataclass(frozen=True)
class SeenCall:
    """Call that the program made itself, of whatever called it."""

    module: str
    symbol: str
    """Qualified name of the function: ``Reader.read``."""
    arguments: tuple[SeenArgument, ...]
    """Those that are taken together, as ``*children``, each under that name."""


def read_passed(rows: Iterable[Any]) -> Sequence[SeenCall]:
    """Reads what a child noted; raises TypeError or ValueError for what is not so.

    The program runs in the process that writes it: a source is nothing but literals and calls of
    names.
    """
    found = []
    for row in islice(rows, MOST_ROWS):
        if len(row) != 3 or type(row[2]) not in (list, tuple) or not _are_short(row[:2]):
            raise TypeError("a module, a name and arguments were expected")
        for argument in row[2]:
            if len(argument) != 3 or not _are_short(argument):
                raise TypeError("three short texts were expected")
            if argument[2]:
                _check(argument[2])
        found.append(SeenCall(row[0], row[1], tuple(SeenArgument(*one) for one in row[2])))
    return found


def _are_short(texts: Iterable[Any]) -> bool:
    return all(type(text) is str and len(text) <= LONGEST for text in texts)


def _check(source: str) -> None:
    try:
        tree = ast.parse(source, mode="eval")
    except (SyntaxError, RecursionError) as error:
        raise ValueError("an expression was expected") from error
    for node in ast.walk(tree):
        named = not isinstance(node, ast.Call) or _is_name(node.func)
        if not isinstance(node, HARMLESS) or not named:
            raise ValueError("literals and calls of names were expected")


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and not any(_private(node))


def _private(node: ast.expr) -> Iterator[bool]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id.startswith("_")
        elif isinstance(part, ast.Attribute):
            yield part.attr.startswith("_")
