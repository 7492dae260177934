"""Finds the object of the program that a name in a test refers to, for the rules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pytest_lift.source.bindings import bound_names, is_import
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import FunctionNode, leaf, statements

DEEPEST = 8
"""Largest number of modules through which a name is followed."""
_MISSING = frozenset({"ImportError", "ModuleNotFoundError"})


@dataclass(frozen=True, eq=False)
class Origins:
    """The modules of a program, and the origins of their names."""

    program: Program

    @cached_property
    def meanings(self) -> dict[str, dict[str, str]]:
        """Module -> name at its top level -> qualified name from which it was imported."""
        return {
            file.module: dict(_imports(file, self.program)) for file in self.program.files.values()
        }

    def origin(self, name: str) -> str:
        """Follows a name through the program's imports: ``pkg.mod.sys.platform`` ->
        ``sys.platform``."""
        for _ in range(DEEPEST):
            module, rest = self.split(name)
            first, _, more = rest.partition(".")
            found = self.meanings.get(module, {}).get(first)
            if not found or found == f"{module}.{first}":
                break
            name = f"{found}.{more}" if more else found
        return name

    def split(self, name: str) -> tuple[str, str]:
        """Splits a name into module and rest: ``pkg.mod.Class.x`` -> (``pkg.mod``, ``Class.x``).
        The module is "" if it is not in the program."""
        module = name
        while module and module not in self.program.by_module:
            module = module.rpartition(".")[0]
        return module, name[len(module) + 1 :] if module else name

    def make_absolute(self, tree: ast.Module, path: str) -> None:
        """Replaces the dots of relative imports in the test file `path` that name modules of the
        program."""
        file = SourceFile(path, self.program.module_of(path), "")
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.level:
                module = file.imported_module(node)
                named = {module, *(f"{module}.{alias.name}" for alias in node.names)}
                if named & self.program.by_module.keys():
                    node.module, node.level = module, 0

    def holds(self, name: str) -> bool:
        """Whether a qualified name begins with a top-level name of the program."""
        return name.partition(".")[0] in self.program.names

    @cached_property
    def optional(self) -> frozenset[str]:
        """Names that depend on whether an import succeeded, such as ``pkg.mod.HAS_X``."""
        return frozenset(
            f"{file.module}.{name}"
            for file in self.program.files.values()
            for name in _optional(file.tree)
        )

    def public_path(self, name: str) -> str:
        """Returns the shortest public path in the program to the object ``pkg._mod.name``; "" if
        there is none."""
        target = self.origin(name)
        found = [
            f"{module}.{bound}"
            for module, names in self.meanings.items()
            if not is_private_path(module)
            for bound in names
            if not bound.startswith("_") and self.origin(f"{module}.{bound}") == target
        ]
        return min(found, key=lambda path: (path.count("."), path), default="")


def is_private(name: str) -> bool:
    """Whether a name begins with an underscore; dunder names and bare underscores do not count."""
    return name.startswith("_") and not name.endswith("__") and bool(name.strip("_"))


def is_private_path(dotted: str) -> bool:
    return any(is_private(part) for part in dotted.split("."))


def _imports(file: SourceFile, program: Program) -> Iterator[tuple[str, str]]:
    for node in filter(is_import, statements(file.tree.body)):
        for found in file.import_bindings(node):
            if found.name != "*":
                yield found.bound, found.origin
            elif source := program.by_module.get(found.module):
                yield from ((name, f"{found.module}.{name}") for name in _public_names(source))


def _public_names(file: SourceFile) -> Iterator[str]:
    names = (name for node in file.tree.body for name in bound_names(node))
    return (name for name in names if not name.startswith("_"))


def _optional(tree: ast.Module) -> Iterator[str]:
    """Yields names that are assigned where an import failed, or from a function that handles a
    failed import."""
    trying = {n.name for n in tree.body if isinstance(n, FunctionNode) and any(_failed(n))}
    for node in statements(tree.body):
        for handler in _handlers(node):
            for inner in statements(handler.body):
                if isinstance(inner, ast.Assign | ast.AnnAssign):
                    yield from bound_names(inner)
        match node:
            case ast.Assign(value=ast.Call(func=function)) if leaf(function) in trying:
                yield from bound_names(node)


def _failed(function: FunctionNode) -> Iterator[ast.ExceptHandler]:
    for node in statements(function.body):
        yield from _handlers(node)


def _handlers(node: ast.stmt) -> Iterator[ast.ExceptHandler]:
    """Yields the handlers of failed imports of a `try`."""
    if not isinstance(node, ast.Try) or not any(map(is_import, statements(node.body))):
        return
    for handler in node.handlers:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        if any(kind is not None and leaf(kind) in _MISSING for kind in kinds):
            yield handler
