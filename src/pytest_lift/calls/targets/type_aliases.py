"""Names that a module gives to types: aliases, new types and type variables."""

from __future__ import annotations

import ast
from typing import Any

from pytest_lift.source.syntax import leaf, parsed_expression

TYPE_STATEMENT: Any = getattr(ast, "TypeAlias", ())
"""Node of ``type Text = str | bytes`` (PEP 695), which Python 3.12 has."""


def alias_of(node: ast.AST) -> tuple[str, ast.expr | None]:
    """Returns the name and the type of ``Text = Union[str, bytes]``, of ``Id = NewType("Id", int)``
    and of ``type Text = str | bytes``, and what a type variable stands for."""
    name: ast.expr
    value: ast.expr | None
    if isinstance(node, ast.Assign):
        name, value = node.targets[0], node.value
    elif isinstance(node, ast.AnnAssign):
        name, value = node.target, node.value
    elif isinstance(node, TYPE_STATEMENT):
        name, value = node.name, node.value
    else:
        return "", None
    if isinstance(value, ast.Call) and leaf(value.func) == "NewType" and len(value.args) == 2:
        value = value.args[1]
    if isinstance(value, ast.Call) and leaf(value.func) == "TypeVar" and value.args:
        value = _bound(value)
    told = isinstance(value, ast.Subscript | ast.BinOp | ast.Name)
    return (name.id, value) if told and isinstance(name, ast.Name) else ("", None)


def _bound(variable: ast.Call) -> ast.expr:
    """Returns the type that a type variable stands for: its bound, its constraints, or any."""
    bounds = [word.value for word in variable.keywords if word.arg == "bound"]
    allowed: list[ast.expr] = [*bounds, *variable.args[1:]]
    texts = (one.value if isinstance(one, ast.Constant) else None for one in allowed)
    read = [parsed_expression(text) if isinstance(text, str) else None for text in texts]
    types = [new or one for new, one in zip(read, allowed, strict=True)]
    if len(types) > 1:
        return ast.Subscript(ast.Name("Union"), ast.Tuple(types, ast.Load()), ast.Load())
    return types[0] if types else ast.Name("Any")
