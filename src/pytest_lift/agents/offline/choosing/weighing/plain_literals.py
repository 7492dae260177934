"""Tells arguments that anybody types to see what a function makes of them: short words, small
numbers and what is no finite one, durations and moments, and short lists and dicts of these; known
ones, and known texts that are cut short."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from pytest_lift.agents.offline.natural.values.usual import YEARS
from pytest_lift.agents.offline.writing.grouping import FROZEN
from pytest_lift.source.syntax import leaf, parsed_expression

WORD = re.compile(r"[A-Za-z]+( [A-Za-z]+)?")
LONGEST_WORD = 12
LARGEST, LONGEST_NUMBER = 1000, 4
"""Largest number, and most characters of one with a fraction."""
MOST_ITEMS, DEEPEST = 3, 2
NOT_FINITE = frozenset({"inf", "-inf", "nan"})
MOMENTS = frozenset({"date", "datetime", "time", "timedelta"})


def is_typed_like(source: str, known: Sequence[str]) -> bool:
    """Whether an argument is known, such a literal, or made from one by what makes a known one:
    ``dumps([1])`` beside ``dumps('a')``."""
    node = parsed_expression(source)
    if source in known or (node is not None and _is_plain(node, DEEPEST)):
        return True
    match node:
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as given, keywords=[]):
            makers = {leaf(one.func) for one in map(parsed_expression, known)
                      if isinstance(one, ast.Call)}  # fmt: skip
            return name in makers and all(_is_plain(one, DEEPEST) for one in given)
    return False


def is_shortened(source: str, known: Sequence[str]) -> bool:
    """Whether an argument is a known text without its end, or known."""
    text = _text_of(source)
    texts = [one for one in map(_text_of, known) if one is not None]
    return source in known or (
        bool(text) and any(type(one) is type(text) and one[: len(text)] == text for one in texts)
    )


def _text_of(source: str) -> str | bytes | None:
    match parsed_expression(source):
        case ast.Constant(value=str() | bytes() as text):
            return text
    return None


def _is_plain(node: ast.expr, depth: int) -> bool:
    match node:
        case ast.Constant(value=value):
            return _is_plain_value(value)
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=given)], keywords=[]):
            return given in NOT_FINITE
        case ast.Call(func=ast.Attribute(value=ast.Name(id="datetime"), attr=name)):
            return name in MOMENTS and _has_plain_parts(node)
        case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(given))], keywords=[]):
            return (
                name in FROZEN
                and given.replace(".", "", 1).isdigit()
                and len(given) <= LONGEST_NUMBER
            )
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return _is_plain_value(value) and value > 0
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            parts = items
        case ast.Dict(keys=keys, values=values):
            if not all(isinstance(one, ast.Constant) and _is_key(one.value) for one in keys):
                return False
            parts = values
        case _:
            return False
    return (
        0 < len(parts) <= MOST_ITEMS and depth > 0 and all(_is_plain(n, depth - 1) for n in parts)
    )


def _has_plain_parts(moment: ast.Call) -> bool:
    """Whether a moment or duration is made of plain numbers, of a time of today and of UTC."""
    given: dict[int | str | None, ast.expr] = dict(enumerate(moment.args))
    given |= {one.arg: one.value for one in moment.keywords}
    numbers = [one for one in given.values() if ast.unparse(one) != "datetime.timezone.utc"]
    dated = leaf(moment.func) in ("date", "datetime")
    match given.get("year", given.get(0)) if dated else None:
        case ast.Constant(value=int() as year) as node:
            if year not in YEARS:
                return False
            numbers.remove(node)
    return bool(given) and all(_is_plain(one, 0) for one in numbers)


def _is_key(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and _is_plain_value(value)


def _is_plain_value(value: object) -> bool:
    match value:
        case None | bool():
            return True
        case int() | float():
            return abs(value) <= LARGEST and len(str(value)) <= LONGEST_NUMBER
        case str():
            return len(value) <= LONGEST_WORD and WORD.fullmatch(value) is not None
        case bytes():
            return _is_plain_value(value.decode("latin-1"))
    return False
