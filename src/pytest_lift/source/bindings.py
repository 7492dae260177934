"""Names that code binds: by imports, and in blocks with the values that can be followed.

Which of several bindings counts is decided by when the name is used, and only running tells that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeGuard

from pytest_lift.source.syntax import FunctionNode

ImportNode = ast.Import | ast.ImportFrom


class Import(NamedTuple):
    """One name that an import statement binds; a star import binds the name ``*``."""

    module: str
    """Module of a ``from`` import, with its leading dots; "" for ``import a.b``."""
    name: str
    """Name in the module, or the module that ``import a.b`` names."""
    bound: str
    origin: str
    """Qualified name of what is bound: ``a`` for ``import a.b``, ``a.b`` for ``import a.b as c``.
    That of a relative import begins with its dots."""

    @property
    def source(self) -> str:
        """The module that is imported."""
        return self.module or self.name

    @property
    def top(self) -> str:
        """First part of the module's name; "" for a relative import."""
        return self.source.partition(".")[0]

    @property
    def line(self) -> str:
        """Statement that imports this name alone."""
        plain = self.name if self.module else self.origin
        renamed = "" if self.bound == plain else f" as {self.bound}"
        return f"{f'from {self.module} ' if self.module else ''}import {self.name}{renamed}"


def import_bindings(node: ImportNode) -> Iterator[Import]:
    """Yields the names that a statement binds, in order."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            origin = f"{module}{'' if module.endswith('.') else '.'}{alias.name}"
            yield Import(module, alias.name, alias.asname or alias.name, origin)
        else:
            origin = alias.name if alias.asname else alias.name.partition(".")[0]
            yield Import("", alias.name, alias.asname or origin, origin)


def is_import(node: ast.AST) -> TypeGuard[ImportNode]:
    return isinstance(node, ast.Import | ast.ImportFrom)


def is_future(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def imports_in(nodes: Iterable[ast.AST]) -> Iterator[Import]:
    """Yields what those of `nodes` bind that are import statements."""
    return (found for node in nodes if is_import(node) for found in import_bindings(node))


@dataclass(frozen=True)
class Bindings:
    """The names of one block."""

    once: dict[str, ast.expr]
    """Name -> value, of those that one plain assignment binds and nothing else does."""
    unclear: dict[str, tuple[ast.expr, ...]]
    """Name -> values of its plain assignments, of those that are bound more than once or otherwise
    than by a plain assignment too."""
    last: dict[str, ast.expr]
    """Name -> value, where the last thing that binds it at all is a plain assignment."""


def bindings(body: Iterable[ast.stmt]) -> Bindings:
    """Returns names that a block itself binds; functions and classes in it are other blocks."""
    found: dict[str, list[ast.expr | None]] = {}
    for name, value in _with_values(body):
        found.setdefault(name, []).append(value)
    return Bindings(
        {name: only for name, (only, *more) in found.items() if only is not None and not more},
        {
            name: plain
            for name, values in found.items()
            if len(values) > 1 and (plain := tuple(v for v in values if v is not None))
        },
        {name: values[-1] for name, values in found.items() if values[-1] is not None},
    )


def _with_values(body: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.expr | None]]:
    """Yields (name, value of a plain assignment or None for any other binding), in the order of the
    text. A value that is taken apart goes to no name as a whole."""
    for node in body:
        parts: list[ast.AST] = [node]
        value = None
        if isinstance(node, ast.Assign):
            parts, value = [*node.targets, node.value], node.value
        elif isinstance(node, ast.AnnAssign):
            value = node.value
            parts = [node.target, value] if value else []
        for part in parts:
            whole = value if isinstance(part, ast.Name) else None
            yield from ((name, whole) for name in bound_names(part))


def bound_names(node: ast.AST) -> Iterator[str]:
    """Yields the names that a piece of code binds or deletes in its own scope, in the order of the
    text; a star import binds ``*``."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield from _bound_by(part)
        if isinstance(part, ast.comprehension):  # its target is a name of the comprehension alone
            waiting += [*part.ifs, part.iter]
        elif not isinstance(part, FunctionNode | ast.ClassDef | ast.Lambda):
            waiting += reversed([*ast.iter_child_nodes(part)])


def all_bound_names(node: ast.AST) -> Iterator[str]:
    """Yields the names that a piece of code binds in any scope, parameters included."""
    return (name for part in ast.walk(node) for name in _bound_by(part))


_NAMING: dict[type[ast.AST], str] = {
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef), "name"),
    **dict.fromkeys((ast.ExceptHandler, ast.MatchAs, ast.MatchStar), "name"),
    ast.MatchMapping: "rest",
    ast.arg: "arg",
}
"""Kinds of nodes that bind a name -> their field with it, which may be empty."""


def _bound_by(node: ast.AST) -> Iterator[str]:
    """Yields the names that a node itself binds, apart from what is inside it."""
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            yield node.id
    elif is_import(node):
        yield from (found.bound for found in import_bindings(node))
    elif name := getattr(node, _NAMING.get(type(node), ""), None):
        yield name
