"""Methods that prepare others: they assign, or fill, attributes which those read, of the object or,
as class methods do, of its class."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard

from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import FunctionNode, chain

FILLING = frozenset(
    {"add", "append", "appendleft", "extend", "insert", "setdefault", "update", "push", "put"}
)
"""Methods of containers by which an attribute is filled."""
PREPARING = frozenset({"method", "statement", "static"})
"""Kinds of what prepares others."""

Functions = Mapping[tuple[str, str], FunctionNode]
"""(path, qualified name) -> definition."""


def preparing(targets: Sequence[Target], functions: Functions) -> dict[str, list[Target]]:
    """Returns for each target with an object (its key) the methods of the same class that assign or
    fill what it reads, those that share most with it first."""
    members: dict[str, list[Target]] = {}
    for target in targets:
        if target.owner is not None:
            members.setdefault(target.owner.key, []).append(target)
    found = {}
    for known in members.values():
        nodes = {t.key: node for t in known if (node := functions.get((t.path, t.symbol)))}
        filled = {t.key: set(_filled(nodes[t.key])) for t in known if t.key in nodes}
        others = [t for t in known if t.kind in PREPARING and filled.get(t.key)]
        for target in known if others else ():
            reads = _all_read(target, nodes) if target.kind != "static" else set()
            shared = [
                (len(common), other)
                for other in others
                if other is not target and (common := filled[other.key] & reads)
            ]
            if shared:
                found[target.key] = [t for _, t in sorted(shared, key=lambda pair: -pair[0])]
    return found


def _all_read(target: Target, nodes: Mapping[str, FunctionNode]) -> set[str]:
    """Returns the attributes that a target reads, itself and in the methods of the object that it
    uses."""
    if target.key not in nodes:
        return set()
    reads = set(_read(nodes[target.key]))
    stem = target.key.removesuffix(target.leaf)
    inner = [nodes[key] for name in reads if (key := f"{stem}{name}") in nodes]
    return reads.union(*(set(_read(node)) for node in inner))


def _read(function: FunctionNode) -> Iterator[str]:
    """Yields the attributes of the object that a method reads."""
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield from _own(node, function)


def _filled(function: FunctionNode) -> Iterator[str]:
    """Yields the attributes of the object that a method assigns, or to which it adds."""
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield from _own(node, function)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            yield from _own(node.value, function)
        elif isinstance(node, ast.Call) and _is_filling(node.func):
            yield from _own(node.func.value, function)


def _is_filling(function: ast.expr) -> TypeGuard[ast.Attribute]:
    return isinstance(function, ast.Attribute) and function.attr in FILLING


def _own(node: ast.expr, function: FunctionNode) -> Iterator[str]:
    """Yields ``x`` for ``self.x``, whatever the first parameter is called."""
    names = [argument.arg for argument in function.args.posonlyargs + function.args.args]
    parts = chain(node)
    if names and parts and len(parts) == 2 and parts[0] == names[0]:
        yield parts[1]
