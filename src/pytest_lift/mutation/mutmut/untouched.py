"""How much of a program mutmut leaves as it is: what a mutation score does not speak of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.source.program import FunctionNode, Program

_PLAIN = ("staticmethod", "classmethod")
"""Decorators of functions that are mutated all the same, where they stand alone."""


def left_alone(program: Program) -> dict[str, int]:
    """file -> statements outside the functions that mutmut 3.8 mutates: module and class level,
    nested classes, properties and other decorated functions. Imports, texts and the definitions
    themselves are not counted; files without any are left out."""
    found = {
        path: sum(_counts(node) for node in _outside(file.tree))
        for path, file in program.files.items()
    }
    return {path: count for path, count in found.items() if count}


def _outside(tree: ast.Module) -> Iterator[ast.stmt]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            for inner in node.body:
                yield from () if _is_mutated(inner) else _statements(inner)
        elif not _is_mutated(node):
            yield from _statements(node)


def _is_mutated(node: ast.stmt) -> bool:
    if not isinstance(node, FunctionNode):
        return False
    named = [item.id if isinstance(item, ast.Name) else "" for item in node.decorator_list]
    return not named or (len(named) == 1 and named[0] in _PLAIN)


def _statements(node: ast.stmt) -> Iterator[ast.stmt]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.stmt))


def _counts(node: ast.stmt) -> bool:
    named = FunctionNode | ast.ClassDef | ast.Import | ast.ImportFrom | ast.Pass
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return not isinstance(node, named) and not text
