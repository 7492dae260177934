"""Names of generic types in hints, and what an expression is a literal of."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from pytest_lift.source.syntax import leaf, parsed_expression

UNIONS = frozenset({"Optional", "Union"})
WRAPPERS = frozenset({"Annotated", "Final", "ClassVar", "Required", "NotRequired", "Self"})
LISTS = frozenset({"list", "List", "Sequence", "MutableSequence", "Iterable", "Collection",
                   "Reversible"})  # fmt: skip
SETS = frozenset({"set", "Set", "AbstractSet", "MutableSet", "frozenset", "FrozenSet"})
DICTS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict"})
ITERATORS = frozenset({"Iterator", "Generator"})
CALLABLES = frozenset({"Callable"})
MADE = {"dict": "dict", "OrderedDict": "dict", "defaultdict": "dict", "Counter": "dict",
        "list": "list", "deque": "list", "tuple": "tuple", "set": "set",
        "frozenset": "set"}  # fmt: skip
"""Class of Python's own that makes a container -> the kind of container."""
TYPES = frozenset({"type", "Type"})
TYPE_VARIABLE = re.compile(r"\b_?[A-Z]{1,2}\b(?!\s*[.\[(])")
"""Name of a type variable, by custom: ``T``, ``_KT``."""


def literal_kind(value: ast.expr) -> str:
    """Returns the name of the type of a literal, "" for any other expression."""
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    if isinstance(value, ast.Constant):
        return type(value.value).__name__
    return type(value).__name__.lower() if is_literal(value) else ""


def container_kind(value: ast.expr) -> str:
    """Returns the kind of container that an expression is, as a literal or by a call of one of
    Python's own classes: ``{'a': 1}`` and ``dict(a=1)``; "" for any other expression."""
    if isinstance(value, ast.Call):
        return MADE.get(leaf(value.func), "")
    return "" if isinstance(value, ast.Constant | ast.UnaryOp) else literal_kind(value)


def is_literal(value: ast.expr) -> bool:
    """Whether an expression is a constant or a display of a container."""
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    return isinstance(value, ast.Constant | ast.List | ast.Tuple | ast.Set | ast.Dict)


def type_name(node: ast.Name | ast.Attribute) -> str:
    """Returns the name of a type, without that of its module, but for the nodes of `ast`, which are
    called as other types are: ``ast.List``."""
    if isinstance(node, ast.Name):
        return node.id
    of_nodes = isinstance(node.value, ast.Name) and node.value.id == "ast"
    return f"ast.{node.attr}" if of_nodes else node.attr


def outer_names(node: ast.expr) -> Iterable[str]:
    """Yields the names of the types: all members of a union, only the outer type of a generic."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield type_name(node)
    elif isinstance(node, ast.BinOp):
        yield from outer_names(node.left)
        yield from outer_names(node.right)
    elif isinstance(node, ast.Subscript):
        outer = list(outer_names(node.value))
        if outer and outer[0] in UNIONS | WRAPPERS:
            inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            for item in inner:
                yield from outer_names(item)
        elif outer != ["Literal"]:
            yield from outer


def filled_in(alias: str, part: ast.expr) -> ast.expr:
    """Returns the type that an alias stands for, with `part` for its type variables."""
    source = re.sub(TYPE_VARIABLE, lambda _: ast.unparse(part), alias)
    return parsed_expression(source) or part
