"""Names that import statements bind, with the modules and objects that they stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeGuard

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
