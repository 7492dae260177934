"""Writes what variables were given in their places."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.told import assigned
from pytest_lift.source.syntax import parsed_expression


def inlined(source: str, made: Mapping[str, str]) -> str:
    """Returns an expression with what variables were given in their places; "" where one of them is
    used twice, or not at all."""
    for name in reversed([*made]):
        node = parsed_expression(made[name])
        if node is None:
            return ""
        putting = _Putting(name, node)
        source = ast.unparse(putting.visit(ast.parse(source)))
        if putting.times != 1:
            return ""
    return source


def put(source: str, name: str, value: str) -> str:
    """Returns an expression with a value, or another name, in the places of a variable."""
    node = parsed_expression(value)
    assert node is not None
    return ast.unparse(_Putting(name, node).visit(ast.parse(source)))


def in_one_line(item: Verified) -> StepCheck | None:
    """Returns the only assertion of a case with what its variables were given in their places;
    None where there are several, or lines that do more than to make objects."""
    *setup, last = item.checks
    made = dict(pair for one in setup if (pair := assigned(one.expression)) is not None)
    if len(made) < len(setup) or last.form == "none" or any(c.form != "none" for c in setup):
        return None
    source = inlined(last.expression, made)
    return replace(last, expression=source) if source else None


class _Putting(ast.NodeTransformer):
    """Puts an expression in the place of a variable, and counts the places."""

    def __init__(self, name: str, value: ast.expr) -> None:
        self.name = name
        self.value = value
        self.times = 0

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id != self.name:
            return node
        self.times += 1
        return self.value
