"""Reads results that are attributes of the object that is asked: ``[node.left, node.right]``."""

from __future__ import annotations

import ast

from pytest_lift.source.syntax import parsed_expression

PARTS = "__parts"
"""Column of the names of the attributes."""


def parts_named(expected: str, variable: str, owner: str) -> tuple[str, tuple[str, ...]] | None:
    """Returns what gives the attributes of an `owner` by their names in `PARTS`, and these names;
    None where an expected value is no row of a variable's attributes, or of names beside them."""
    node = parsed_expression(expected)
    if not isinstance(node, ast.List | ast.Tuple) or not node.elts:
        return None
    names = [_part(one, variable) for one in node.elts]
    named = [_named_part(one, variable) for one in node.elts]
    found = names if all(names) else named
    if not all(found):
        return None
    value = f"getattr({owner}, part)"
    each = value if found is names else f"(part, {value})"
    made = f"{each} for part in {PARTS}"
    form = f"[{made}]" if isinstance(node, ast.List) else f"tuple({made})"
    return form, tuple(found)


def spelled_out(form: str, owner: str, parts: tuple[str, ...]) -> str:
    """Returns what gives the attributes of an owner with their names in their places."""
    values = [f"{owner}.{part}" for part in parts]
    if "(part, " in form:
        values = [f"({part!r}, {value})" for part, value in zip(parts, values, strict=True)]
    text = ", ".join(values)
    return f"[{text}]" if form.startswith("[") else f"({text},)"


def _part(node: ast.expr, variable: str) -> str:
    """Returns ``left`` of ``node.left``; "" of all else."""
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == variable:
            return attribute
    return ""


def _named_part(node: ast.expr, variable: str) -> str:
    """Returns ``left`` of ``("left", node.left)``; "" of all else."""
    match node:
        case ast.Tuple(elts=[ast.Constant(value=name), value]) if name == _part(value, variable):
            return str(name)
    return ""
