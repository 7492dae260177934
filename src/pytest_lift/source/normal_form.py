"""Source as it compares: what is written differently and means the same becomes the same text."""

from __future__ import annotations

import ast
import copy


class _Unqualified(ast.NodeTransformer):
    """``simplejson.dumps`` and ``dumps`` are the same function, however it was imported."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name):
            return ast.copy_location(ast.Name(node.attr, ast.Load()), node)
        return self.generic_visit(node)


def unparsed(tree: ast.AST) -> str:
    """As `ast.unparse` writes it, names without the module that they are taken from."""
    return ast.unparse(_Unqualified().visit(copy.deepcopy(tree)))


DEEPEST = 100
"""Levels of a syntax tree that is looked at: printing and copying one is recursive."""


def parsed(source: str, mode: str = "exec") -> ast.AST | None:
    """None for what is no Python, or is nested too deeply."""
    try:
        tree: ast.AST = ast.parse(source, mode=mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return tree
    return None


def elements(node: ast.expr) -> list[ast.expr]:
    """The elements of a row; `pytest.param(...)` is one too."""
    if isinstance(node, ast.Tuple | ast.List):
        return node.elts
    if isinstance(node, ast.Call) and called(node) == "param":
        return node.args
    return [node]


def called(node: ast.Call) -> str:
    """``json.dumps(x)`` -> ``dumps``."""
    return ast.unparse(node.func).rpartition(".")[2]
