"""Leaves out of an expected object what its class sets by default."""

from __future__ import annotations

import ast
from functools import lru_cache

from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, leaf, parsed_expression


def without_defaults(source: str, program: Program) -> str:
    """Returns ``Version(major=1)`` for ``Version(major=1, build=None)``, whose `build` is None
    anyway."""
    tree = parsed_expression(source)
    if tree is None:
        return source
    known, changed = _defaults(program), False
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        defaults = known.get(node.func.id, {})
        told = [k for k in node.keywords if defaults.get(k.arg or "") != ast.unparse(k.value)]
        changed = changed or len(told) < len(node.keywords)
        node.keywords = told
    return ast.unparse(tree) if changed else source


@lru_cache(maxsize=4)
def _defaults(program: Program) -> dict[str, dict[str, str]]:
    """Returns class -> parameter of its constructor -> source of its default, if that is a
    constant; of classes whose name is unique."""
    found: dict[str, dict[str, str]] = {}
    for file in program.files.values():
        for node in ast.walk(file.tree):
            if isinstance(node, ast.ClassDef):
                found[node.name] = _of_class(node) if node.name not in found else {}
    return found


def _of_class(node: ast.ClassDef) -> dict[str, str]:
    methods = [n for n in node.body if isinstance(n, FunctionNode)]
    init = next((n for n in methods if n.name in ("__init__", "__new__")), None)
    pairs: list[tuple[str, ast.expr | None]] = []
    if init is not None:
        arguments = init.args
        places = [*arguments.posonlyargs, *arguments.args]
        given = [None] * (len(places) - len(arguments.defaults)) + [*arguments.defaults]
        names = [*places, *arguments.kwonlyargs]
        pairs = list(zip((a.arg for a in names), [*given, *arguments.kw_defaults], strict=True))
    elif _has_fields(node):
        pairs = [
            (n.target.id, n.value)
            for n in node.body
            if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)
        ]
    return {n: ast.unparse(v) for n, v in pairs if isinstance(v, ast.Constant | ast.UnaryOp)}


def _has_fields(node: ast.ClassDef) -> bool:
    """Whether the annotated names of a class are the parameters of its constructor."""
    marks = [mark.func if isinstance(mark, ast.Call) else mark for mark in node.decorator_list]
    names = {leaf(one) for one in (*marks, *node.bases)}
    return bool(names & {"dataclass", "NamedTuple", "define", "frozen", "attrs", "mutable"})
