"""Dicts with fewer members: half of them, or one alone, where the others may have no effect."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.calls.call import Call
from pytest_lift.source.syntax import shared_expression, written_with

MOST_ALONE = 4
"""Most members of which each is tried alone; of more, halves are."""


def with_fewer_members(call: Call) -> Iterator[Call]:
    """Yields the call with fewer members in the largest dict of an argument, or of one of those
    that make its object: in few steps, however many have no effect."""
    for name, value in call.values:
        yield from (call.with_value(name, one) for one in fewer_members(value))
    if call.receiver is not None:
        yield from (call.but(receiver=one) for one in with_fewer_members(call.receiver))


def fewer_members(value: str) -> Iterator[str]:
    """Yields an argument with each half of the members of its largest dict, or with each of a few
    alone."""
    node = shared_expression(value) if "{" in value else None
    dicts = [one for one in ast.walk(node) if isinstance(one, ast.Dict)] if node else []
    largest = max(dicts, key=lambda one: len(one.keys), default=None)
    if node is None or largest is None or len(largest.keys) < 2:
        return
    many = len(largest.keys)
    size = 1 if many <= MOST_ALONE else (many + 1) // 2
    for first in reversed(range(0, many, size)):
        kept = slice(first, first + size)
        fewer = ast.Dict(largest.keys[kept], largest.values[kept])
        if (text := written_with(node, largest, fewer)) is not None:
            yield text
