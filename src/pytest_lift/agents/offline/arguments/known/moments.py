"""Days and moments near now, for functions that ask what day it is."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from pytest_lift.source.syntax import FunctionNode, leaf

ASKING = frozenset({"now", "today", "utcnow"})
"""Methods of classes of days and moments that tell the present one."""
DEEPEST = 2
"""Most calls that are followed from a function."""
NEAR: Mapping[str, Sequence[str]] = MappingProxyType({
    "date": ("datetime.date.today()", "datetime.date.today() + datetime.timedelta(days=1)",
             "datetime.date.today() - datetime.timedelta(days=1)"),
    "datetime": ("datetime.datetime.now()", "datetime.datetime.now() - datetime.timedelta(days=1)",
                 "datetime.datetime.now() + datetime.timedelta(days=1)"),
})  # fmt: skip
"""Kind of a parameter -> values; whole days from now, so that none is on another day at noon."""


def near_now(
    kinds: Iterable[str], node: FunctionNode | None, named: Callable[[str], Sequence[FunctionNode]]
) -> Iterator[str]:
    """Yields values of these kinds that are near now, for a function that asks for that itself or
    by the functions of a name that it calls."""
    values = [value for kind in kinds for value in NEAR.get(kind, ())]
    if values and node is not None and _asks(node, named, DEEPEST):
        yield from values


def _asks(node: FunctionNode, named: Callable[[str], Sequence[FunctionNode]], deepest: int) -> bool:
    """Whether a function asks what day it is, or what it calls does."""
    calls = {leaf(one.func) for one in ast.walk(node) if isinstance(one, ast.Call)}
    if calls & ASKING:
        return True
    return deepest > 0 and any(
        _asks(inner, named, deepest - 1)
        for name in calls
        for inner in named(name)
        if inner is not node
    )
