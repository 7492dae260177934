"""Turns one example of a session into the steps of a test."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.agents.offline.examples.sessions import Item
from pytest_lift.calls.case import Step


def steps_of(item: Item, rename: ast.NodeTransformer) -> list[Step] | None:
    """Returns the steps; None if no assertion can express what the example shows.

    `rename` replaces ``module.name`` by imported names.
    """
    tree = rename.visit(ast.parse(item.source))
    body = tree.body
    if not item.expects:
        return [Step(ast.unparse(tree))]
    if len(body) != 1:
        return None
    if isinstance(body[0], ast.Try):
        return _caught(body[0], item)
    if not isinstance(body[0], ast.Expr):
        return None
    value = body[0].value
    if item.raises is not None:
        return [Step(ast.unparse(value), True, item.raises.strip(), raises=True)]
    if _is_print(value):
        return _printed(value, item.want)
    return [Step(ast.unparse(value), True, item.want)]


def _is_print(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "print"


def _printed(node: ast.expr, want: str) -> list[Step] | None:
    """Returns steps for ``print(a, b)``: each printed value becomes an assertion of its own."""
    assert isinstance(node, ast.Call)
    ended = all(k.arg == "end" and ast.unparse(k.value) == "''" for k in node.keywords)
    if not ended or not node.args:
        return None
    if len(node.args) == 1:
        return [Step(ast.unparse(node.args[0]), True, want, printed=True)]
    words = want.split()
    if len(words) != len(node.args):
        return None
    pairs = zip(node.args, words, strict=True)
    return [Step(ast.unparse(shown), True, word, printed=True) for shown, word in pairs]


def _caught(node: ast.Try, item: Item) -> list[Step] | None:
    """Returns steps for ``try: call() except Error as error: print(error.pos)``.

    The error is caught, then examined. Without the error its name is not bound, so that the checks
    cannot pass.
    """
    handler = node.handlers[0] if len(node.handlers) == 1 else None
    if handler is None or not handler.name or not handler.type or item.raises is not None:
        return None
    if node.orelse or node.finalbody or len(handler.body) != 1 or len(node.body) != 1:
        return None
    shown = handler.body[0]
    if not isinstance(shown, ast.Expr) or not _is_print(shown.value):
        return None
    checks = _printed(shown.value, item.want)
    catching = ast.ExceptHandler(handler.type, "caught", list(_kept_as(handler.name)))
    caught = ast.Try(node.body, [catching], [], [])
    source = ast.unparse(ast.fix_missing_locations(caught))
    return [Step(source), *checks] if checks else None


def _kept_as(name: str) -> Iterator[ast.stmt]:
    yield ast.parse(f"{name} = caught").body[0]
