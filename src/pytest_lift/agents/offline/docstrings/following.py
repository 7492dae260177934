"""Follows attributes and items to what a test asserts of: ``ast.ext[2].body`` for a variable of it.

The words of a sentence then begin at what a call gave, which it names.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.agents.offline.writing.readings import READINGS
from pytest_lift.source.syntax import leaf, parsed_expression

LONGEST_PATH = 70
"""Most characters of what is followed."""


def followed(checks: Sequence[StepCheck]) -> list[StepCheck]:
    """Returns the checks without lines that only give attributes and items a name, with these in
    the places of the name; the same checks where there are none, where that gets long, and where
    something is done in between, after which they may be others."""
    paths: dict[str, ast.expr] = {}
    found: list[StepCheck] = []
    acted = False
    for check in checks:
        if paths and acted:
            return [*checks]
        tree = ast.parse(check.expression)
        match tree.body:
            case [ast.Assign(targets=[ast.Name(name)], value=value)] if check.form == "none":
                value = _Following(paths).visit(value)
                if _is_path(value):
                    paths[name] = value
                    continue
                acted = bool(paths)
        acted = acted or (bool(paths) and _acts(tree))
        source = ast.unparse(_Following(paths).visit(tree))
        changed = source != ast.unparse(ast.parse(check.expression))
        found.append(replace(check, expression=source) if changed else check)
    if any(len(ast.unparse(path)) > LONGEST_PATH for path in paths.values()):
        return [*checks]
    return found


def _acts(tree: ast.Module) -> bool:
    """Whether a statement may do something to what is followed."""
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call)]
    looks = all(leaf(one.func) in READINGS for one in calls)
    return not looks or not isinstance(tree.body[0], ast.Expr)


def _is_path(node: ast.expr) -> bool:
    """Whether an expression reads attributes and items of a variable, one at least."""
    root = node
    while isinstance(root, ast.Attribute | ast.Subscript):
        if isinstance(root, ast.Subscript) and not isinstance(root.slice, ast.Constant):
            return False
        root = root.value
    return isinstance(root, ast.Name) and root is not node


class _Following(ast.NodeTransformer):
    """Puts paths in the place of the variables that stand for them."""

    def __init__(self, paths: dict[str, ast.expr]) -> None:
        self.paths = paths

    def visit_Name(self, node: ast.Name) -> ast.expr:
        path = self.paths.get(node.id) if isinstance(node.ctx, ast.Load) else None
        again = parsed_expression(ast.unparse(path)) if path is not None else None
        return again or node
