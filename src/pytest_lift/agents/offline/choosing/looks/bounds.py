"""Numbers at which a function changes its answer: those that it compares its argument with."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping

from pytest_lift.source.syntax import FunctionNode

MOST_BITS = 260
"""Most bits of a number that is worked out, by those of its parts: `2**128` counts as 256."""
OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
}


def bounds_of(function: FunctionNode, parameter: str) -> list[int]:
    """Returns the whole numbers with which a function compares a parameter, each with those next to
    it, the largest first: of ``value < 2**7`` 128, 129 and 127."""
    found: set[int] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(isinstance(one, ast.Name) and one.id == parameter for one in sides):
                found |= {number for one in sides if (number := _number(one)) is not None}
    return [*dict.fromkeys(near for one in sorted(found, reverse=True) for near in _near(one))]


def _near(number: int) -> Iterator[int]:
    yield from (number, number + 1, number - 1)


def _number(node: ast.expr) -> int | None:
    """Returns the value of a whole number, and of what is worked out of such."""
    match node:
        case ast.Constant(int(value)) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(ast.USub(), operand):
            inner = _number(operand)
            return None if inner is None else -inner
        case ast.BinOp(left, kind, right) if type(kind) in OPERATORS:
            one, other = _number(left), _number(right)
            if one is None or other is None or not _is_small(one, type(kind), other):
                return None
            return OPERATORS[type(kind)](one, other)
    return None


def _is_small(one: int, kind: type[ast.operator], other: int) -> bool:
    """Whether the result of an operator is a whole number of few bits."""
    if kind is ast.Pow:
        return other >= 0 and one.bit_length() * other <= MOST_BITS
    return one.bit_length() + other.bit_length() <= MOST_BITS
