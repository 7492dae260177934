"""Slices: as arguments (``slice(1, 3)``) and between brackets (``1:3``)."""

from __future__ import annotations

import ast
from functools import lru_cache

from pytest_lift.source.syntax import shared_expression

INDEXING = frozenset({"__getitem__", "__setitem__", "__delitem__"})
"""Special methods whose first argument stands between brackets."""


@lru_cache(maxsize=4096)
def as_index(source: str) -> str:
    """Returns how an argument is written between brackets, as it is where it is no slice."""
    node = shared_expression(source) if source.startswith("slice(") else None
    if not isinstance(node, ast.Call) or node.keywords or not 1 <= len(node.args) <= 3:
        return source
    parts = [_bound(argument) for argument in node.args]
    lower, upper, *step = parts if len(parts) > 1 else ["", *parts]
    return ":".join([lower, upper, *filter(None, step)])


def _bound(node: ast.expr) -> str:
    return "" if isinstance(node, ast.Constant) and node.value is None else ast.unparse(node)


def as_argument(node: ast.expr) -> ast.expr:
    """Returns what stands between brackets as an argument: a slice as a call that makes one."""
    if not isinstance(node, ast.Slice):
        return node
    bounds = [one or ast.Constant(None) for one in (node.lower, node.upper)]
    steps = [node.step] if node.step is not None else []
    return ast.Call(ast.Name("slice", ast.Load()), [*bounds, *steps], [])
