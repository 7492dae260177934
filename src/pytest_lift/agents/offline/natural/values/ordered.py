"""Arguments of which one comes before the other: a start and an end, a least and a most."""

from __future__ import annotations

import ast
import datetime
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from pytest_lift.calls.call import Call
from pytest_lift.source.syntax import leaf, shared_expression

ENDS = (
    ("start", "end"), ("start", "stop"), ("begin", "end"), ("first", "last"),
    ("min", "max"), ("minimum", "maximum"), ("low", "high"), ("lo", "hi"), ("lower", "upper"),
    ("since", "until"),
)  # fmt: skip
"""Words in the names of two parameters of which the first one's value is less."""
TIMED_ENDS = (("from", "to"),)
"""Words of which that holds for moments and durations alone: ``from_base`` and ``to_base``."""
REVERSED, SAME = 0.5, 0.2
"""Oddness of two such values in reverse order, and of equal ones."""
MAKERS: dict[str, Callable[..., Any]] = {
    "timedelta": datetime.timedelta, "datetime": datetime.datetime, "date": datetime.date,
}  # fmt: skip
"""Class of moments and durations -> what makes its objects of numbers."""


def oddness(call: Call) -> float:
    """Returns the cost of ends before their beginnings, in all calls of a chain."""
    found = ((one, other) for part in call.chain for _, one, _, other in _pairs(part))
    return sum(_cost(one, other) for one, other in found)


def variants(call: Call) -> Iterator[Call]:
    """Yields the call with a beginning and an end that change places."""
    for name, one, other_name, other in _pairs(call):
        if _cost(one, other) == REVERSED:
            yield call.with_value(name, other).with_value(other_name, one)


def _pairs(call: Call) -> Iterator[tuple[str, str, str, str]]:
    """Yields (parameter, value, other parameter, its value) of beginnings and ends."""
    given = call.given
    for name, value in call.values:
        timed = not isinstance(_size(value), int | float)
        for other in (*_ends_of(name, ENDS), *(_ends_of(name, TIMED_ENDS) if timed else ())):
            if other in given:
                yield name, value, other, given[other]


@lru_cache(maxsize=4096)
def _ends_of(name: str, words: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Returns the names of parameters for the end of what begins with one, by words for both:
    ``end_index`` for ``start_index``."""
    parts = re.split(r"(_)", name)
    return tuple(
        "".join((*parts[:at], end, *parts[at + 1 :]))
        for at, part in enumerate(parts)
        for begin, end in words
        if part == begin
    )


def _cost(one: str, other: str) -> float:
    begin, end = _size(one), _size(other)
    if begin is None or end is None or not _comparable(begin, end):
        return 0.0
    return REVERSED if begin > end else SAME if begin == end else 0.0


def _comparable(one: object, other: object) -> bool:
    numbers = isinstance(one, int | float) and isinstance(other, int | float)
    return numbers or type(one) is type(other)


@lru_cache(maxsize=16384)
def _size(source: str) -> Any:
    """Returns what an argument is that has an order: a number, a moment or a duration; None of all
    else."""
    node = shared_expression(source)
    maker = MAKERS.get(leaf(node.func)) if isinstance(node, ast.Call) else None
    if maker is None or not isinstance(node, ast.Call):
        return _number(node) if node is not None else None
    placed = [_number(one) for one in node.args]
    named = {one.arg or "": _number(one.value) for one in node.keywords}
    try:
        return maker(*placed, **named)
    except (TypeError, ValueError, OverflowError):
        return None


def _number(node: ast.expr) -> int | float | None:
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    plain = node.operand if isinstance(node, ast.UnaryOp) else node
    value = plain.value if isinstance(plain, ast.Constant) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return -value if negative else value
