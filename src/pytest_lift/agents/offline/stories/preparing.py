"""Methods that prepare others: they assign, or fill, attributes which those read, of the object or,
as class methods do, of its class."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeGuard

from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import FunctionNode, chain

FILLING = frozenset(
    {"add", "append", "appendleft", "extend", "insert", "setdefault", "update", "push", "put"}
)
"""Methods of containers by which an attribute is filled."""
PREPARING = frozenset({"method", "statement", "static"})
"""Kinds of what prepares others."""

DEEPEST = 3
"""Most calls from a method to where the object is changed, its own body among them."""

Functions = Mapping[tuple[str, str], FunctionNode]
"""(path, qualified name) -> definition."""


def preparing(targets: Sequence[Target], functions: Functions) -> dict[str, list[Target]]:
    """Returns for each target with an object (its key) the methods of the same class that assign or
    fill what it reads, themselves or by other methods to which they hand on what they are given,
    those that share most with it first."""
    members: dict[str, list[Target]] = {}
    for target in targets:
        if target.owner is not None:
            members.setdefault(target.owner.key, []).append(target)
    found = {}
    for known in members.values():
        filled = {
            t.key: {name for node in _used(t, functions, _handed_to) for name in _filled(node)}
            for t in known
        }
        others = [t for t in known if t.kind in PREPARING and filled[t.key]]
        for target in known if others else ():
            nodes = _used(target, functions, _read) if target.kind != "static" else ()
            reads = {name for node in nodes for name in _read(node)}
            shared = [
                (len(common), other)
                for other in others
                if other is not target and (common := filled[other.key] & reads)
            ]
            if shared:
                found[target.key] = [t for _, t in sorted(shared, key=lambda pair: -pair[0])]
    return found


def _used(
    target: Target, functions: Functions, names_in: Callable[[FunctionNode], Iterable[str]]
) -> list[FunctionNode]:
    """Returns a target and the methods of the object whose names are in it, and in these, the
    nearest first."""
    stem = target.symbol.removesuffix(target.leaf)
    names = [target.leaf]
    found: dict[str, FunctionNode] = {}
    for _ in range(DEEPEST):
        fresh = [name for name in dict.fromkeys(names) if name not in found]
        added = {n: node for n in fresh if (node := functions.get((target.path, f"{stem}{n}")))}
        found |= added
        names = [name for node in added.values() for name in names_in(node)]
    return [*found.values()]


def _read(function: FunctionNode) -> Iterator[str]:
    """Yields the attributes of the object that a method reads."""
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield from _own(node, function)


def _handed_to(function: FunctionNode) -> Iterator[str]:
    """Yields the methods of the object to which a method hands on what it is given: what they fill
    is filled with that."""
    given = {argument.arg for argument in function.args.posonlyargs + function.args.args}
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and any(
            isinstance(one, ast.Name) and one.id in given for one in node.args
        ):
            yield from _own(node.func, function)


def _filled(function: FunctionNode) -> Iterator[str]:
    """Yields the attributes of the object that a method assigns, or to which it adds."""
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield from _own(node, function)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            yield from _own(_container(node), function)
        elif isinstance(node, ast.Call) and _is_filling(node.func):
            yield from _own(node.func.value, function)


def _container(item: ast.expr) -> ast.expr:
    """Returns ``self.x`` for ``self.x[key][name]``."""
    while isinstance(item, ast.Subscript):
        item = item.value
    return item


def _is_filling(function: ast.expr) -> TypeGuard[ast.Attribute]:
    return isinstance(function, ast.Attribute) and function.attr in FILLING


def _own(node: ast.expr, function: FunctionNode) -> Iterator[str]:
    """Yields ``x`` for ``self.x``, whatever the first parameter is called."""
    names = [argument.arg for argument in function.args.posonlyargs + function.args.args]
    parts = chain(node)
    if names and parts and len(parts) == 2 and parts[0] == names[0]:
        yield parts[1]
