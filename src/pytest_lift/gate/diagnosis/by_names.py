"""Faults of imports and names as far as texts tell: what is found without a language server."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from pytest_lift.gate.diagnosis.diagnostic import Diagnostic
from pytest_lift.gate.diagnosis.importables import BUILTINS, Importables, Module
from pytest_lift.source.bindings import ImportNode, import_bindings, imports_in, is_import
from pytest_lift.source.syntax import chain, walked

NO_MODULE = "there is no module {!r}"
NOT_DEFINED = "the name {!r} is used and nowhere defined"
NO_MEMBER = "the module {!r} has no {!r}"
BEYOND = "the relative import {!r} goes beyond the package of the tests"
NO_PACKAGE = "{!r} is the folder in which the packages stand, and is none itself"
NOT_IN_PACKAGE = "the relative import {!r} has no package: this folder has no __init__.py"


@dataclass(frozen=True, eq=False)
class NameFaults:
    """Imports and names of one test file."""

    path: str
    text: str
    tree: ast.Module
    importables: Importables

    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yields what a server would tell of imports, names and members of modules."""
        for node in self._imports:
            yield from self._of_import(node)
        yield from self.undefined()
        yield from self._members()

    def misplaced(self) -> Iterator[Diagnostic]:
        """Yields imports that servers resolve and Python does not, or to another module: by the
        folder in which packages stand, and relative ones where there is no package."""
        for node in self._imports:
            for name in _modules_of(node):
                if self.importables.is_through_a_root(name):
                    why = NO_PACKAGE.format(name.partition(".")[0])
                    yield _at(node, "import-not-found", name, why)
        depth = self.importables.depth_of(self.path)
        for node in self._imports:
            if isinstance(node, ast.ImportFrom) and node.level > depth:
                name = "." * node.level + (node.module or "")
                why = BEYOND if depth else NOT_IN_PACKAGE
                yield _at(node, "relative-import", name, why.format(name))

    @cached_property
    def _imports(self) -> list[ImportNode]:
        return [node for node in walked(self.tree) if is_import(node)]

    def _of_import(self, node: ImportNode) -> Iterator[Diagnostic]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if not self.importables.exists(alias.name):
                    yield _at(alias, "import-not-found", alias.name, NO_MODULE.format(alias.name))
        elif node.level and node.module:
            if not self._stands(node):
                name = "." * node.level + node.module
                yield _at(node, "import-not-found", name, NO_MODULE.format(name))
        elif node.module:
            if not self.importables.exists(node.module):
                yield _at(node, "import-not-found", node.module, NO_MODULE.format(node.module))
                return
            known = self.importables.modules.get(node.module)
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if known is None or _has(known, alias.name) or self.importables.exists(name):
                    continue
                why = NO_MEMBER.format(node.module, alias.name)
                yield _at(alias, "import-not-found", name, why)

    def _stands(self, node: ast.ImportFrom) -> bool:
        """Whether a relative import names a module that a file or a folder stands for."""
        folder = self.path.split("/")[: -node.level]
        if node.level > self.importables.depth_of(self.path):
            return True  # which is told of by itself
        place = "/".join([*folder, *(node.module or "").split(".")])
        return self.importables.stands(place)

    def undefined(self) -> Iterator[Diagnostic]:
        """Yields names that nothing defines, whatever comments silence servers."""
        if any(one.bound == "*" for one in imports_in(self._imports)):
            return
        names = undefined_names(self.text)
        for node in walked(self.tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
                yield _at(node, "unresolved-reference", node.id, NOT_DEFINED.format(node.id))

    def _members(self) -> Iterator[Diagnostic]:
        """Yields attributes that modules of the project do not have."""
        bound = self.modules
        stored = {
            n.attr
            for n in walked(self.tree)
            if isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load)
        }
        for node in walked(self.tree):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                module = bound.get(".".join(chain(node.value)))
                if module is None or node.attr in stored or _has(module, node.attr):
                    continue
                start = node.value.end_col_offset or 0
                line = node.value.end_lineno or node.lineno
                end = node.end_col_offset or start
                why = NO_MEMBER.format(module.name, node.attr)
                yield Diagnostic(line, start + 1, end, "missing-attribute", node.attr, why)

    @cached_property
    def modules(self) -> Mapping[str, Module]:
        """Dotted name in the file -> module of the project that it stands for."""
        known = self.importables.modules
        found, counts = {}, dict[str, int]()
        for one in imports_in(self._imports):
            counts[one.bound] = counts.get(one.bound, 0) + 1
            if one.origin in known:
                found[one.bound] = known[one.origin]
            if not one.module and one.bound == one.origin and one.name in known:
                found[one.name] = known[one.name]
        stored = {
            n.id
            for n in walked(self.tree)
            if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
        }
        stored |= {n.arg for n in walked(self.tree) if isinstance(n, ast.arg)}
        return {
            name: module for name, module in found.items() if name.partition(".")[0] not in stored
        }


def _modules_of(node: ImportNode) -> list[str]:
    """Returns the modules that a statement names without dots before them."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if node.module and not node.level else []


def undefined_names(text: str) -> frozenset[str]:
    """Returns names that a file uses, binds nowhere, and that are not built in."""
    try:
        table = symtable.symtable(text, "test", "exec")
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    top = {one.get_name() for one in table.get_symbols() if _is_bound(one)}
    used, more = set[str](), set[str]()
    waiting = [*table.get_children()]
    used |= {one.get_name() for one in table.get_symbols() if one.is_referenced()}
    while waiting:
        scope = waiting.pop()
        waiting += scope.get_children()
        for one in scope.get_symbols():
            if one.is_global() and one.is_referenced():
                used.add(one.get_name())
            if one.is_declared_global() and one.is_assigned():
                more.add(one.get_name())
    return frozenset(used - top - more - BUILTINS)


def _is_bound(one: symtable.Symbol) -> bool:
    return one.is_assigned() or one.is_imported() or one.is_namespace()


def _has(module: Module, name: str) -> bool:
    return module.is_open or name in module.names or (name[:2] == name[-2:] == "__")


def coroutines(tree: ast.Module, importables: Importables) -> frozenset[str]:
    """Returns the names that a file gives coroutine functions of the program."""
    found = set()
    for node in ast.walk(tree):
        if not is_import(node):
            continue
        for one in import_bindings(node):
            for file in importables.program.files.values():
                if one.module == file.module:
                    found |= {one.bound for s in file.tree.body if _is_async(s, one.name)}
                elif file.module and one.origin == file.module:
                    found |= {
                        f"{one.bound}.{s.name}"
                        for s in file.tree.body
                        if isinstance(s, ast.AsyncFunctionDef)
                    }
    return frozenset(found)


def _is_async(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.AsyncFunctionDef) and node.name == name and not node.decorator_list


def _at(
    node: ast.expr | ast.alias | ImportNode, rule: str, subject: str, message: str
) -> Diagnostic:
    end = node.end_col_offset if node.end_lineno == node.lineno else None
    return Diagnostic(node.lineno, node.col_offset, end or node.col_offset, rule, subject, message)
