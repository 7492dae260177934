"""Arguments of which one comes before the other: a start and an end, a least and a most; those of
one container, and what is assigned to one end of an object, too."""

from __future__ import annotations

import ast
import datetime
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from pytest_lift.agents.offline.texts.known_texts import text_of
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
BOTH = re.compile(r"(^|_)(bounds|range|interval|limits|span|extent|period)$")
"""Names of parameters for a beginning and an end in one container."""
REVERSED, SAME = 0.5, 0.2
"""Oddness of two such values in reverse order, and of equal ones."""
MAKERS: dict[str, Callable[..., Any]] = {
    "timedelta": datetime.timedelta, "datetime": datetime.datetime, "date": datetime.date,
}  # fmt: skip
"""Class of moments and durations -> what makes its objects of numbers."""


def oddness(call: Call) -> float:
    """Returns the cost of ends before their beginnings, in all calls of a chain."""
    pairs = [(one, other) for part in call.chain for _, one, _, other in _pairs(part)]
    pairs += [(begin, end) for begin, end, _ in _assigned(call)]
    held = [ends for part in call.chain for ends in _held(part)]
    odd = REVERSED * sum(_are_reversed(first, last) for _, first, last in held)
    return odd + sum(_cost(one, other) for one, other in pairs)


def variants(call: Call) -> Iterator[Call]:
    """Yields the call with a beginning and an end that change places."""
    for name, one, other_name, other in _pairs(call):
        if _cost(one, other) == REVERSED:
            yield call.with_value(name, other).with_value(other_name, one)
    for name, one, other in _held(call):
        if _are_reversed(one, other):
            held = call.given[name]
            yield call.with_value(name, f"{held[0]}{other}, {one}{held[-1]}")
    for begin, end, new in _assigned(call):
        if _cost(begin, end):
            yield call.with_value(call.values[0][0], new)


def _held(call: Call) -> Iterator[tuple[str, str, str]]:
    """Yields (parameter, first item, second item) of containers with both ends."""
    for name, value in call.values:
        node = shared_expression(value) if BOTH.search(name) else None
        if isinstance(node, ast.List | ast.Tuple) and len(node.elts) == 2:
            one, other = map(ast.unparse, node.elts)
            yield name, one, other


def _assigned(call: Call) -> Iterator[tuple[str, str, str]]:
    """Yields (beginning, end, what may be assigned in the place of one) where an end of an object
    is assigned that is made with both: ``span.lower = 9`` of ``Span(1, 5)``."""
    if call.target.kind != "statement" or call.receiver is None or len(call.values) != 1:
        return
    ends = {**call.receiver.given}
    for _, one, other in _held(call.receiver):
        ends |= {name: end for pair in ENDS for name, end in zip(pair, (one, other), strict=True)}
    leaf_name, value = call.target.leaf, call.values[0][1].strip("'\"")
    for begin, end in ENDS:
        low, high = _size(ends.get(begin, "")), _size(ends.get(end, ""))
        if leaf_name == begin and isinstance(high, int | float):
            yield value, ends[end], repr(high - 1)
        elif leaf_name == end and isinstance(low, int | float):
            yield ends[begin], value, repr(low + 10)


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


def _are_reversed(one: str, other: str) -> bool:
    """Whether the first of two ends in a container comes after the second, as texts may, too."""
    texts = text_of(one), text_of(other)
    return texts[0] > texts[1] if all(texts) else _cost(one, other) == REVERSED


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
