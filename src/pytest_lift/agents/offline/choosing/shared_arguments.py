"""Gives a long argument that several calls of a test share a name of its own."""

from __future__ import annotations

import ast
import builtins
import keyword
from collections.abc import Sequence
from dataclasses import replace

from pytest_lift.calls.case import Step
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import leaf, parsed_expression

LONG = 60
"""Least characters of an argument that is worth a line of its own."""


def with_named_argument(steps: Sequence[Step], target: Target) -> tuple[Step, ...]:
    """Returns calls after a line that gives the longest argument which all of them get a name, that
    of its parameter; nothing where there is none that long, or the name is taken."""
    calls = [_call_of(step.source, target) for step in steps]
    first, *others = calls
    if first is None or not others:
        return ()
    names = [one.name for one in target.parameters if one.kind.startswith("positional")]
    given = [*zip(names, first.args, strict=False)]
    given += [(one.arg, one.value) for one in first.keywords if one.arg]
    shared = [(name, ast.unparse(value)) for name, value in given if _is_made(value)]
    shared = [pair for pair in shared if all(_has(one, pair[1]) for one in others)]
    name, value = max(shared, key=lambda pair: len(pair[1]), default=("", ""))
    if len(value) < LONG or not _is_free(name, steps):
        return ()
    named = (replace(one, source=one.source.replace(value, name, 1)) for one in steps)
    return (Step(f"{name} = {value}"), *named)


def _call_of(source: str, target: Target) -> ast.Call | None:
    """Returns the call of a function in an expression; None where that is written in a way of its
    own."""
    node = parsed_expression(source)
    if node is None or ast.unparse(node) != source:
        return None
    calls = (one for one in ast.walk(node) if isinstance(one, ast.Call))
    return next((one for one in calls if leaf(one.func) == target.leaf), None)


def _is_made(value: ast.expr) -> bool:
    """Whether an argument is written out, not a name or a function."""
    return not isinstance(value, ast.Name | ast.Attribute | ast.Lambda | ast.Starred)


def _has(call: ast.Call | None, value: str) -> bool:
    given = [*call.args, *(one.value for one in call.keywords)] if call is not None else []
    return any(ast.unparse(one) == value for one in given)


def _is_free(name: str, steps: Sequence[Step]) -> bool:
    """Whether nothing in some calls has a name, a keyword aside."""
    if not name.isidentifier() or keyword.iskeyword(name) or name in dir(builtins):
        return False
    nodes = (node for step in steps for node in ast.walk(ast.parse(step.source)))
    return all(getattr(node, "id", "") != name for node in nodes)
