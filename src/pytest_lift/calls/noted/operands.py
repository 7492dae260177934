"""Operands of a comparison that a case made, as a value."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

MOST_ROWS = 400
LONGEST, LONGEST_PATTERN = 200, 3000
MATCHES = ("match", "find")

OF_CLASSES = frozenset({"isinstance", "derived"})
"""Operations with names of types: of one that a value is none of; of its own."""


@dataclass(frozen=True)
class Operands:
    """Both sides of a comparison, look-up or test of a type: sources of literals, None for other
    values."""

    site: int
    """Number of the first probe of the module."""
    line: int
    operation: str
    """A comparison operator, ``len`` with one, ``startswith``, ``endswith``, ``isinstance``,
    ``key``, ``name`` (of an attribute that is looked for) or ``match``."""
    left: str | None
    right: str | None
    items: tuple[str, ...] = ()
    """Items or keys of the right side as sources; names of types for ``isinstance``, and where a
    type itself is compared."""


def read_operands(rows: Iterable[Any]) -> Sequence[Operands]:
    """Reads what a child noted; raises TypeError or ValueError for what is not so.

    The program runs in the process that writes it: no side is anything but a literal.
    """
    found = []
    for site, line, operation, left, right, items in rows:
        if type(site) is not int or type(line) is not int or type(operation) is not str:
            raise TypeError("a place and an operation were expected")
        if operation not in OF_CLASSES:
            items = tuple(_literal(item) for item in items)
        elif not all(type(name) is str and name.isidentifier() for name in items):
            raise TypeError("names of types were expected")
        longest = LONGEST_PATTERN if operation in MATCHES else LONGEST
        sides = [None if side is None else _literal(side, longest) for side in (left, right)]
        found.append(Operands(site, line, operation, sides[0], sides[1], tuple(items)))
        if len(found) == MOST_ROWS:
            break
    return found


def _literal(text: Any, longest: int = LONGEST) -> str:
    if type(text) is not str or len(text) > longest:
        raise TypeError("the source of a literal was expected")
    _evaluated(text)
    return text


@lru_cache(maxsize=16384)
def _evaluated(text: str) -> None:
    """Raises ValueError or SyntaxError for what is no literal."""
    if text != "frozenset()" and not text.startswith("frozenset({"):
        ast.literal_eval(text)
