"""Says what a comparison asserts, and a question to Python itself that holds or does not."""

from __future__ import annotations

import ast

from pytest_lift.agents.offline.writing.values import with_article
from pytest_lift.source.syntax import chain, parsed_expression

ASKED = frozenset({"isinstance", "issubclass", "hasattr", "callable"})
"""Functions of Python that tell whether something holds."""


def is_asked(node: ast.expr) -> bool:
    """Whether an expression is a comparison, or such a question."""
    return isinstance(node, ast.Compare) or _asks(node)


def _asks(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ASKED


def comparison(source: str, form: str) -> str:
    """Returns ``1 is less than 2`` for a comparison that holds, or does not, ``item is a Card`` for
    a question; "" for another expression."""
    node = parsed_expression(source)
    if isinstance(node, ast.Call) and _asks(node):
        return _answer(node, form == "true")
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"bool({ast.unparse(node.operand)}) is {form == 'false'}"
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return ""
    left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
    verbs = {
        ast.Eq: ("equals", "does not equal"), ast.NotEq: ("differs from", "equals"),
        ast.Lt: ("is less than", "is not less than"), ast.LtE: ("is at most", "is not at most"),
        ast.Gt: ("is greater than", "is not greater than"),
        ast.GtE: ("is at least", "is not at least"), ast.In: ("is in", "is not in"),
        ast.NotIn: ("is not in", "is in"), ast.Is: ("is", "is not"),
        ast.IsNot: ("is not", "is"),
    }  # fmt: skip
    said = verbs.get(type(node.ops[0]))
    return f"{left} {said[form == 'false']} {right}" if said is not None else ""


def _answer(node: ast.Call, holds: bool) -> str:
    """Returns what a question says that holds, or does not; "" where it asks for much."""
    match node:
        case ast.Call(func=ast.Name("isinstance"), args=[one, kind]) if chain(kind):
            name = chain(kind)[-1]
            return f"{ast.unparse(one)} is {with_article(name) if holds else f'no {name}'}"
        case ast.Call(func=ast.Name("issubclass"), args=[one, kind]) if chain(kind):
            is_one = "is" if holds else "is not"
            return f"{ast.unparse(one)} {is_one} derived from {chain(kind)[-1]}"
        case ast.Call(func=ast.Name("hasattr"), args=[one, ast.Constant(str(name))]):
            return f"{ast.unparse(one)} has {'an' if holds else 'no'} attribute {name}"
        case ast.Call(func=ast.Name("callable"), args=[one]):
            return f"{ast.unparse(one)} {'can' if holds else 'cannot'} be called"
    return ""
