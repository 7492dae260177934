"""Finds the functions of a program by their names, and the classes that are akin by inheritance."""

from __future__ import annotations

import ast
from functools import cached_property

from pytest_lift.calls.targets.target import CALLED
from pytest_lift.source.made.factories import functions_beside, returned_functions
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode

FARTHEST = 2
"""Most base classes that are followed from a class."""


class FunctionIndex:
    """Functions and classes of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._families: dict[str, set[str]] = {}

    @cached_property
    def functions(self) -> dict[tuple[str, str], FunctionNode]:
        """(path, qualified name) -> definition, also of what functions define and return."""
        found = dict(self.defined)
        for (path, name), node in self.defined.items():
            beside = functions_beside(self.program.files[path].tree, name)
            for depth, made in enumerate(returned_functions(node, beside), 1):
                if isinstance(made, FunctionNode):
                    found.setdefault((path, name + depth * CALLED), made)
        return found

    @cached_property
    def defined(self) -> dict[tuple[str, str], FunctionNode]:
        """(path, qualified name) -> definition."""
        found = {}
        for path, file in self.program.files.items():
            by_line = {n.lineno: n for n in ast.walk(file.tree) if isinstance(n, FunctionNode)}
            for symbol in file.symbols:
                for line in range(symbol.line, symbol.end_line + 1):
                    if line in by_line and by_line[line].name == symbol.leaf:
                        found[path, symbol.name] = by_line[line]
                        break
        return found

    @cached_property
    def by_leaf(self) -> dict[str, list[FunctionNode]]:
        """Last part of a name -> definitions; of a class those that make its objects."""
        found: dict[str, list[FunctionNode]] = {}
        for (_, name), node in self.defined.items():
            owner, _, leaf = name.rpartition(".")
            found.setdefault(leaf, []).append(node)
            if owner and leaf == "__init__":
                found.setdefault(owner.rpartition(".")[2], []).append(node)
        return found

    @cached_property
    def constructed(self) -> dict[int, str]:
        """The `id` of the ``__init__`` of a class -> the class."""
        methods = ((*name.rpartition("."), node) for (_, name), node in self.defined.items())
        return {id(node): owner for owner, _, leaf, node in methods if owner and leaf == "__init__"}

    @cached_property
    def bases(self) -> dict[str, list[tuple[str, str]]]:
        """Class -> its base classes in the program, as (path, name)."""
        classes = {
            symbol.name: (path, symbol)
            for path, file in self.program.files.items()
            for symbol in file.symbols
            if symbol.kind == "class"
        }
        return {
            name: [(classes[b][0], b) for base in symbol.bases if (b := _leaf(base)) in classes]
            for name, (_, symbol) in classes.items()
        }

    def related(self, owner: str) -> set[str]:
        """Returns a class with those that it is derived from, and those derived from it."""
        if owner in self._families:
            return self._families[owner]
        found = {owner}
        for _ in range(FARTHEST):
            above = {base for name in found for _, base in self.bases.get(name, ())}
            below = {name for name, bases in self.bases.items() if {b for _, b in bases} & found}
            found |= above | below
        self._families[owner] = found
        return found

    def place(self, path: str, symbol: str, depth: int = 0) -> tuple[str, str] | None:
        """Returns where a function is defined, or what makes the objects of a class."""
        for name in (symbol, f"{symbol}.__init__", f"{symbol}.__new__"):
            if (path, name) in self.functions:
                return path, name
        bases = self.bases.get(symbol, ()) if depth < FARTHEST else ()
        found = (self.place(*base, depth + 1) for base in bases)
        return next((place for place in found if place is not None), None)


def _leaf(name: str) -> str:
    return name.partition("[")[0].rpartition(".")[2]
