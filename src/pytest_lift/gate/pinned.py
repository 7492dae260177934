"""Rule against the use of the program's private names, which may change at any time."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from pytest_lift.assertions.name_resolution import READING, REPLACING, QualifiedNames
from pytest_lift.gate.forbidden import Violation
from pytest_lift.gate.imported import Origins, is_private
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.bindings import bound_names, import_bindings
from pytest_lift.source.program import Program

OPEN = frozenset({"_replace", "_asdict", "_fields", "_make", "_field_defaults"})
"""Public methods and attributes of named tuples that begin with an underscore."""
_PUBLIC = "test through what the program promises to its users"


def pinned(tree: ast.Module, origins: Origins, requirements: Requirements) -> Iterator[Violation]:
    """Yields uses of the program's private names that no requirement mentions."""
    private = private_names(origins.program) - OPEN - _stated(requirements)
    if private:
        yield from _Pins(tree, origins, private).all()


class _Pins:
    def __init__(self, tree: ast.Module, origins: Origins, private: frozenset[str]) -> None:
        self.tree = tree
        self.origins = origins
        self.private = private
        self.meant = QualifiedNames(tree)
        self.own = _own(tree)

    def all(self) -> Iterator[Violation]:
        for node in ast.walk(self.tree):
            match node:
                case ast.ImportFrom():
                    yield from self._import(node)
                case ast.Attribute():
                    yield from self._attribute(node)
                case ast.Call():
                    yield from self._call(node)

    def _import(self, node: ast.ImportFrom) -> Iterator[Violation]:
        for found in import_bindings(node):
            full = found.origin
            if not self.origins.holds(full) or full in self.origins.program.by_module:
                continue  # what is taken from a module is looked at where it is used
            if self._is_pinned(found.name):
                yield _at(node, f"imports the private {full}", _PUBLIC)
            else:
                yield from self._detour(node, full)

    def _detour(self, node: ast.AST, full: str) -> Iterator[Violation]:
        """Yields a violation if an object is taken from a private module although it has a
        public path."""
        module = self.origins.split(full)[0]
        private = any(part in self.private for part in module.split("."))
        if private and (path := self.origins.public_path(full)):
            yield _at(node, f"takes {full} from a private module", f"use {path}")

    def _attribute(self, node: ast.Attribute) -> Iterator[Violation]:
        full = self.meant.of(node)
        if full and not self.origins.holds(full):
            return
        if full and full in self.origins.program.by_module:
            return
        if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            return
        if self._is_pinned(node.attr) and (full or node.attr not in self.own):
            yield _at(node, f"uses the private {full or node.attr}", _PUBLIC)
        elif full and self.meant.of(node.value) in self.origins.program.by_module:
            yield from self._detour(node, full)

    def _call(self, node: ast.Call) -> Iterator[Violation]:
        for name in self.meant.named(node, REPLACING | READING):
            owner, _, last = name.rpartition(".")
            if owner and not self.origins.holds(owner):
                continue
            known = bool(owner) or last not in self.own
            inside = any(part in self.private for part in owner.split("."))
            if inside or (known and self._is_pinned(last)):
                yield _at(node, f"reaches the private {name.removeprefix('.')}", _PUBLIC)

    def _is_pinned(self, name: str) -> bool:
        if mangled := re.fullmatch(r"_[^\W_]\w*?(__\w+)", name):
            return mangled[1] in self.private
        return name in self.private


@lru_cache(maxsize=4)
def private_names(program: Program) -> frozenset[str]:
    """Returns all private names that the program's sources define or use, including modules."""
    found: set[str] = set()
    for file in program.files.values():
        found.update(file.module.split(".")[1:])
        for node in ast.walk(file.tree):
            if isinstance(node, ast.stmt):
                found.update(bound_names(node))
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
    return frozenset(name for name in found if is_private(name))


@lru_cache(maxsize=4)
def _stated(requirements: Requirements) -> frozenset[str]:
    """Returns the private names that the requirements mention."""
    texts = "\n".join(item.text for item in requirements)
    return frozenset(re.findall(r"(?<!\w)_\w+", texts))


def _own(tree: ast.Module) -> frozenset[str]:
    """Returns the names that the classes and functions of the file itself define."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                found.add(name)
    return frozenset(found)


def _at(node: ast.AST, what: str, instead: str) -> Violation:
    return Violation(getattr(node, "lineno", 1), what, instead)
