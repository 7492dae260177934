"""Says what a comparison asserts."""

from __future__ import annotations

import ast

from pytest_lift.source.syntax import parsed_expression


def comparison(source: str, form: str) -> str:
    """Returns ``1 is less than 2`` for a comparison that holds, or does not; "" for another."""
    node = parsed_expression(source)
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
        ast.Is: ("is", "is not"),
    }  # fmt: skip
    said = verbs.get(type(node.ops[0]))
    return f"{left} {said[form == 'false']} {right}" if said is not None else ""
