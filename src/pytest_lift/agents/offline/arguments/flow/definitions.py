"""Classes, functions and modules that a program defines, by the names that its files have for
them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import FunctionNode, leaf

PROPERTIES = frozenset({"property", "cached_property", "hybrid_property", "reify"})


@dataclass(frozen=True, eq=False)
class Function:
    """A function or method; nested functions count as functions of their own."""

    path: str
    symbol: str
    node: FunctionNode
    owner: str = ""
    """Name of its class."""

    @cached_property
    def decorators(self) -> frozenset[str]:
        found = self.node.decorator_list
        return frozenset(leaf(one.func if isinstance(one, ast.Call) else one) for one in found)

    @property
    def is_bound(self) -> bool:
        """Whether the first parameter is the object, or the class, that it is called on."""
        return bool(self.owner) and "staticmethod" not in self.decorators

    @property
    def names(self) -> list[str]:
        """Names of the parameters that arguments are given to by place."""
        given = [one.arg for one in (*self.node.args.posonlyargs, *self.node.args.args)]
        return given[1:] if self.is_bound else given


@dataclass(frozen=True, eq=False)
class Class:
    """A class with the names of its bases; nested ones are known by their own name."""

    path: str
    name: str
    node: ast.ClassDef
    bases: tuple[str, ...]
    methods: dict[str, Function] = field(default_factory=dict)


Defined = Function | Class | SourceFile
"""What a name stands for."""


class Definitions:
    """All classes and functions of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.functions: dict[tuple[str, str], Function] = {}
        """(path, qualified name) -> function."""
        self.classes: dict[str, Class] = {}
        """Name -> class, the first of those with one name."""
        self._of_file: dict[str, dict[str, Defined]] = {path: {} for path in program.files}
        for path, file in program.files.items():
            self._add(path, file.tree.body, "", "")

    def _add(self, path: str, body: list[ast.stmt], prefix: str, owner: str) -> None:
        for node in body:
            if isinstance(node, FunctionNode):
                made = Function(path, f"{prefix}{node.name}", node, owner)
                self.functions.setdefault((path, made.symbol), made)
                if owner:
                    self.classes[owner].methods.setdefault(node.name, made)
                elif not prefix:
                    self._of_file[path].setdefault(node.name, made)
                self._add(path, node.body, f"{made.symbol}.<locals>.", "")
            elif isinstance(node, ast.ClassDef):
                bases = (leaf(b.value if isinstance(b, ast.Subscript) else b) for b in node.bases)
                one = Class(path, node.name, node, tuple(filter(None, bases)))
                if node.name in self.classes:
                    continue
                self.classes[node.name] = one
                if not prefix:
                    self._of_file[path].setdefault(node.name, one)
                self._add(path, node.body, f"{prefix}{node.name}.", node.name)
            else:
                for name in ("body", "orelse", "finalbody"):
                    inner = getattr(node, name, None)
                    self._add(path, inner, prefix, owner) if isinstance(inner, list) else None
                for handler in getattr(node, "handlers", ()):
                    self._add(path, handler.body, prefix, owner)

    @cached_property
    def _imported(self) -> Mapping[str, Mapping[str, tuple[str, str]]]:
        """Path -> bound name -> (module, name in it or "")."""
        return {
            path: {
                one.bound: (one.module, one.name) if one.module else (one.origin, "")
                for one in file.imports
            }
            for path, file in self.program.files.items()
        }

    def named(self, path: str, name: str, depth: int = 3) -> Defined | None:
        """Returns what a name stands for in a file; None where the program does not define it."""
        found = self._of_file[path].get(name)
        if found is not None or depth <= 0:
            return found
        module, inner = self._imported[path].get(name, ("", ""))
        if not module:
            return None
        return self.member(module, inner, depth) if inner else self.program.by_module.get(module)

    def member(self, module: str, name: str, depth: int = 3) -> Defined | None:
        """Returns what a module has by a name: a definition, or a module inside of it."""
        file = self.program.by_module.get(module)
        found = self.named(file.path, name, depth - 1) if file is not None else None
        return found or self.program.by_module.get(f"{module}.{name}")

    def above(self, name: str) -> Iterator[Class]:
        """Yields a class and its bases, the nearest first."""
        waiting, seen = [name], {name}
        while waiting:
            found = self.classes.get(waiting.pop(0))
            if found is not None:
                yield found
                waiting += [base for base in found.bases if base not in seen]
                seen.update(found.bases)

    @cached_property
    def below(self) -> Mapping[str, list[Class]]:
        """Class -> the classes derived from it."""
        found: dict[str, list[Class]] = {}
        for one in self.classes.values():
            for base in self.above(one.name):
                if base is not one:
                    found.setdefault(base.name, []).append(one)
        return found

    def method(self, owner: str, name: str) -> Function | None:
        """Returns the method that objects of a class have."""
        return next((c.methods[name] for c in self.above(owner) if name in c.methods), None)

    @cached_property
    def owners(self) -> Mapping[str, list[str]]:
        """Method -> the classes that define it."""
        found: dict[str, list[str]] = {}
        for one in self.classes.values():
            for name in one.methods:
                found.setdefault(name, []).append(one.name)
        return found
