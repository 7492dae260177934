"""Takes out of the cells of a column what all of them have in common."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from pytest_lift.source.syntax import parsed_expression


def narrowed(cells: Sequence[str], name: str) -> tuple[str, list[str]] | None:
    """Returns the expression that cells have in common, with a `name` in the place of the one
    literal by which they differ, and these literals; None where they differ in more, in the type of
    that literal, or are nothing else."""
    nodes = [parsed_expression(cell) for cell in cells]
    if any(node is None or not _may_be_parted(node) for node in nodes):
        return None
    held = [_constants(node) for node in nodes if node is not None]
    values = [[(type(one.value), one.value) for one in constants] for constants in held]
    for one in (one for constants in held for one in constants):
        one.value = None
    if len({ast.dump(node) for node in nodes if node is not None}) > 1:
        return None
    differing = [at for at, found in enumerate(zip(*values, strict=True)) if len({*found}) > 1]
    if len(differing) != 1 or len({own[differing[0]][0] for own in values}) > 1:
        return None
    (at,) = differing
    literals = [repr(own[at][1]) for own in values]
    if any(_constants_of(one) != 1 for one in literals):
        return None  # one too large to be read is written as ``inf``
    return _named(cells[0], at, name), literals


def _may_be_parted(node: ast.expr) -> bool:
    """Whether a literal of an expression may stand elsewhere: one in a text that is put together
    may not, and one behind a sign is half a number."""
    whole = not isinstance(node, ast.Constant)
    return whole and not any(
        isinstance(part, ast.JoinedStr | ast.UnaryOp) for part in ast.walk(node)
    )


def _constants(node: ast.expr) -> list[ast.Constant]:
    return [one for one in ast.walk(node) if isinstance(one, ast.Constant)]


def _constants_of(source: str) -> int:
    node = parsed_expression(source)
    return len(_constants(node)) if node is not None else 0


def _named(cell: str, at: int, name: str) -> str:
    """Returns an expression with a name in the place of one of its literals."""
    tree = ast.parse(cell, mode="eval")
    hole = _constants(tree.body)[at]
    return ast.unparse(_Named(hole, name).visit(tree))


class _Named(ast.NodeTransformer):
    """Puts a name in the place of one literal."""

    def __init__(self, hole: ast.Constant, name: str) -> None:
        self.hole = hole
        self.name = name

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Name(self.name, ast.Load()) if node is self.hole else node
