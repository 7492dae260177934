"""Writes arguments of calls so that they need nothing around them: what variables stand for, and
errors of Python's own in the place of those of unknown libraries."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from pytest_lift.calls.names import BUILTINS, STANDARD, free_names
from pytest_lift.source.bindings import EXCEPTIONS
from pytest_lift.source.syntax import chain, leaf, parsed_expression

ERROR = re.compile(r"[a-z](Error|Exception)$")
"""Names of classes of errors, as libraries call them."""
OBJECTS = frozenset({"self", "cls"})
"""Names of what is no library."""


def self_contained(
    node: ast.expr, variables: Mapping[str, str], known: AbstractSet[str]
) -> str | None:
    """Returns an expression with its variables replaced, and errors of Python's own in the place of
    those of unknown libraries; None if other names are in it, or if something is left out:
    ``[...]``."""
    left_out = (isinstance(one, ast.Constant) and one.value is ... for one in ast.walk(node))
    if isinstance(node, ast.Starred) or any(left_out):
        return None
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and (part.id in variables or part.id not in known):
            node = _PythonsErrors(known).visit(_Filled(variables, known).visit(copy.deepcopy(node)))
            break
    text = ast.unparse(node)
    names = free_names(text)
    of_module = any(name.startswith("__") for name in names)  # `__doc__`, which each module has
    return text if names <= BUILTINS | STANDARD.keys() | known and not of_module else None


class _Filled(ast.NodeTransformer):
    """Replaces variables by what they stand for, and ``package.name`` by the name."""

    def __init__(self, variables: Mapping[str, str], known: AbstractSet[str]) -> None:
        self.variables = variables
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return parsed_expression(self.variables.get(node.id, node.id)) or node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        plain = owner and owner == owner.lower() and owner not in {*self.variables, *STANDARD}
        if plain and node.attr in self.known:
            return ast.Name(node.attr, node.ctx)
        self.generic_visit(node)
        return node


class _PythonsErrors(ast.NodeTransformer):
    """Puts errors of Python's own in the place of those of libraries that nobody knows:
    ``ValueError`` for ``requests.exceptions.RequestException``."""

    def __init__(self, known: AbstractSet[str]) -> None:
        self.known = known

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Leaves what is called as it is: whatever it is called, it takes arguments of its own."""
        function = node.func
        self.generic_visit(node)
        node.func = function
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._instead(node.id, node) if node.id not in BUILTINS else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        names = chain(node)
        return self._instead(names[0], node) if names else self.generic_visit(node)

    def _instead(self, first: str, node: ast.Name | ast.Attribute) -> ast.AST:
        name = leaf(node)
        ours = first in OBJECTS or first in STANDARD or first in self.known
        if ours or not ERROR.search(name):
            return node
        return ast.Name(name if name in EXCEPTIONS else "ValueError", ast.Load())
