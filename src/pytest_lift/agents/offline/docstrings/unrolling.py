"""Gives the lines of a coroutine that an event loop runs as if they stood in the test itself."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from pytest_lift.agents.offline.writing.grouping import PlannedTest
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.calls.blocks import RUN

PRIMARY = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant)
"""Expressions that need no brackets where something is asked of them."""


def unrolled(plan: PlannedTest) -> PlannedTest:
    """Returns the plan with what its coroutines do, and give, in the place of running them."""
    members = [replace(member, checks=_unrolled(member.checks)) for member in plan.members]
    return replace(plan, members=tuple(members))


def _unrolled(checks: Sequence[StepCheck]) -> tuple[StepCheck, ...]:
    body = next((one for one in map(_body_of, checks) if one), [])
    runs = [check for check in checks if RUN in check.expression]
    inside = any(isinstance(line, ast.With) for line in body)
    if not body or not runs or (inside and any(check.raised for check in runs)):
        return tuple(checks)  # what raises inside of a block may be the block itself
    *lines, last = body
    assert isinstance(last, ast.Return)
    assert last.value is not None
    given = last.value
    match (*lines, given):
        case (
            *_,
            ast.With(body=[*inner, ast.Assign(targets=[ast.Name(kept)], value=call)]) as block,
            ast.Name(name),
        ) if kept == name:
            given, block.body = call, inner or [ast.Pass()]
    source = ast.unparse(given)
    part = source if isinstance(given, PRIMARY) else f"({source})"
    found: list[StepCheck] = []
    for check in checks:
        if _body_of(check):
            found += [StepCheck("none", ast.unparse(line)) for line in lines]
            continue
        told = source if check.expression == RUN else check.expression.replace(RUN, part)
        found.append(replace(check, expression=told))
    return tuple(found)


def _body_of(check: StepCheck) -> list[ast.stmt]:
    """Returns what a coroutine does, as if nothing of it waited; nothing for what is no coroutine,
    iterates over what comes later, or gives nothing in its last line."""
    lines = ast.parse(check.expression).body if check.form == "none" else []
    if len(lines) != 1 or not isinstance(lines[0], ast.AsyncFunctionDef):
        return []
    returns = [node for node in ast.walk(lines[0]) if isinstance(node, ast.Return)]
    if returns != lines[0].body[-1:] or returns[0].value is None or _streams(lines[0]):
        return []
    return [_NoWaiting().visit(line) for line in lines[0].body]


def _streams(function: ast.AsyncFunctionDef) -> bool:
    """Whether a coroutine iterates over what comes later, which no plain loop can."""
    kinds = (ast.AsyncFor, ast.comprehension)
    found = [node for node in ast.walk(function) if isinstance(node, kinds)]
    return any(isinstance(one, ast.AsyncFor) or one.is_async for one in found)


class _NoWaiting(ast.NodeTransformer):
    """Takes the waiting out of statements."""

    def visit_Await(self, node: ast.Await) -> ast.AST:
        inner: ast.AST = self.visit(node.value)
        return inner

    def visit_AsyncWith(self, node: ast.AsyncWith) -> ast.AST:
        self.generic_visit(node)
        return ast.copy_location(ast.With(node.items, node.body), node)
