"""Hints of what makes an object, by those of the attributes and properties of the same names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from pytest_lift.source.program import SourceFile
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import FunctionNode, leaf

PLAIN = frozenset({"bool", "int", "float", "str", "bytes"})
"""Hints of plain values."""
NOTHING = frozenset({"None", "Optional", "typing.Optional"})


def with_attribute_hints(
    parameters: Sequence[Parameter], file: SourceFile, owner: str
) -> tuple[Parameter, ...]:
    """Returns the parameters of a class' constructor, those without a hint with that of the setter,
    property or attribute of the class that has their name; of the last two only one that is plain
    and that all agree on: what is given may be kept as something else."""
    if all(one.annotation for one in parameters):
        return tuple(parameters)
    hints = _hints(file.tree, owner)
    return tuple(
        one if one.annotation else replace(one, annotation=hints.get(one.name))
        for one in parameters
    )


@lru_cache(maxsize=256)
def _hints(tree: ast.Module, owner: str) -> dict[str, str]:
    """Returns name -> hint of the attributes of a class at the top of a module."""
    nodes = (one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == owner)
    node = next(nodes, None)
    if node is None:
        return {}
    set_by = dict(_setters(node))
    found: dict[str, set[str]] = {}
    for name, hint in _read(node):
        found.setdefault(name.removeprefix("_"), set()).add(ast.unparse(hint))
    agreed = {name: min(hints) for name, hints in found.items() if len(hints) == 1}
    return {name: hint for name, hint in agreed.items() if _is_plain(hint)} | set_by


def _setters(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Yields (property, hint of what it is set to)."""
    for part in node.body:
        if isinstance(part, FunctionNode) and len(part.args.args) == 2:
            set_by = any(isinstance(d, ast.Attribute) and leaf(d) == "setter" for d in _marks(part))
            if set_by and (hint := part.args.args[1].annotation) is not None:
                yield part.name, ast.unparse(hint)


def _read(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    """Yields (attribute or property, hint)."""
    for part in node.body:
        match part:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=hint):
                yield name, hint
            case ast.FunctionDef(name=name, returns=ast.expr() as hint):
                if any(leaf(one).endswith("property") for one in _marks(part)):
                    yield name, hint
    for inner in _own(node):
        match inner:
            case ast.AnnAssign(
                target=ast.Attribute(value=ast.Name(id="self"), attr=name), annotation=hint
            ):
                yield name, hint


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Yields what is inside of a class, but not in classes inside of it."""
    for inner in ast.iter_child_nodes(node):
        if not isinstance(inner, ast.ClassDef):
            yield inner
            yield from _own(inner)


def _marks(node: FunctionNode) -> list[ast.expr]:
    return node.decorator_list


def _is_plain(hint: str) -> bool:
    """Whether a hint names numbers and texts alone, or nothing."""
    named = {*re.findall(r"[\w.]+", hint)}
    return bool(named & PLAIN) and named <= PLAIN | NOTHING
