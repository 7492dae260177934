"""Tells expressions that only look at an object, or ask it something."""

from __future__ import annotations

import ast

from pytest_lift.source.syntax import leaf, parsed_expression

READINGS = frozenset({"len", "list", "dict", "str", "bool"})
"""Functions by which a test looks at an object."""
WALKING = frozenset({"list", "dict"})
"""Those that go through an object from its beginning to its end."""
PLAIN = frozenset({"tolist", "to_dict", "round"})
"""Methods by which a test looks at arrays and frames."""


def is_look(source: str) -> bool:
    """Whether a step only looks at an object: ``store.used``, ``len(store)``."""
    node: ast.AST = ast.parse(source).body[0]
    node = node.value if isinstance(node, ast.Expr) else node
    while isinstance(node, ast.Call) and leaf(node.func) in PLAIN:
        node = node.func.value if isinstance(node.func, ast.Attribute) else node.func
    while isinstance(node, ast.Call) and leaf(node.func) in READINGS and len(node.args) == 1:
        node = node.args[0]
    return isinstance(node, ast.Name | ast.Attribute)


def walks(source: str) -> bool:
    """Whether a look goes through what it looks at, after which an iterator is another one:
    ``list(reader)``."""
    node: ast.AST | None = parsed_expression(source)
    while isinstance(node, ast.Call):
        if leaf(node.func) in WALKING:
            return True
        node = node.args[0] if node.args else None
    return False


def is_count_of_written(source: str) -> bool:
    """Whether a call gives how much it wrote into a file, which holds it: ``path.write_text(x)``,
    ``open(path, 'w').write(x)``."""
    match parsed_expression(source):
        case ast.Call(func=ast.Attribute(attr="write_text" | "write_bytes")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Call(func=function), attr="write")):
            return leaf(function) == "open"
    return False


def is_question(source: str, subject: str) -> bool:
    """Whether an expression calls a method of a variable without arguments: ``pool.is_idle()``."""
    match parsed_expression(source):
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name)), args=[], keywords=[]):
            return name == subject
    return False
