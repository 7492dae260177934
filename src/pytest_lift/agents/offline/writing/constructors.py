"""Spells expected objects as a person does: without defaults, with the short names of classes."""

from __future__ import annotations

import ast
import re
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache

from pytest_lift.calls.case import Outcome
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, leaf, parsed_expression

OF_DATETIME = re.compile(r"\bdatetime\.(datetime|date|timedelta|timezone|time|UTC)\b")


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


def with_plain_paths(outcome: Outcome) -> Outcome:
    """Returns an outcome with ``Path("a")`` for ``PosixPath("a")``."""
    names = {name for module, name in outcome.names if module.startswith("pathlib")}
    found = names & {"PosixPath", "WindowsPath"}
    if not found:
        return outcome
    kind = re.compile(rf"\b({'|'.join(sorted(found))})(?=\()")
    pairs = [pair for pair in outcome.names if pair[1] not in found]
    return replace(
        outcome,
        source=outcome.source and kind.sub("Path", outcome.source),
        attributes=tuple((n, kind.sub("Path", value)) for n, value in outcome.attributes),
        names=tuple(dict.fromkeys((*pairs, ("pathlib", "Path")))),
    )


def spelt(outcome: Outcome, imports: AbstractSet[str]) -> Outcome:
    """Returns an outcome with ``datetime(2024, 1, 1)`` for ``datetime.datetime(2024, 1, 1)`` where
    the test has the class by that name."""
    whole = ("datetime", "")
    if whole not in outcome.names or "from datetime import datetime" not in imports:
        return outcome
    used = sorted(
        {*OF_DATETIME.findall(" ".join([outcome.source or "", *dict(outcome.attributes).values()]))}
    )
    names = [pair for pair in outcome.names if pair != whole]
    source = outcome.source and OF_DATETIME.sub(r"\1", outcome.source)
    pairs = tuple((name, OF_DATETIME.sub(r"\1", value)) for name, value in outcome.attributes)
    found = (*names, *(("datetime", name) for name in used))
    return replace(outcome, source=source, attributes=pairs, names=found)
