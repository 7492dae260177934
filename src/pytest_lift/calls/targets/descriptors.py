"""Descriptors of a program in use: classes that a test defines with an attribute of each kind."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from pytest_lift.calls.definitions import LocalDefinition
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Parameter, parameters_of
from pytest_lift.source.syntax import FunctionNode

READ, SET = "__get__", "__set__"
COMPUTED, HELD = "items", "size"
"""Names of an attribute that a function computes, and of one that is set."""
OF_FUNCTIONS = re.compile(
    r"^(f|fn|fun|func|function|fget|getter|method|meth|wrapped|callable|factory)$"
)
"""Names of what a descriptor is made of that decorates a function."""
NOUNS = ("Box", "Crate", "Chest", "Drawer")
"""Last words of the names of the classes: of one without options, and of those with one each."""
MOST = 8
"""Most classes that are defined."""
GIVEN = {"None": "10", "True": "False", "False": "True"}
"""Default of an option -> what stands there."""


class Descriptors:
    """The descriptors that a program offers, each as classes that use it."""

    def __init__(self, program: Program, resolver: Resolver) -> None:
        self.resolver = resolver
        self.taken = program.identifiers
        self._of: dict[str, tuple[str, ast.ClassDef]] = {}
        """Name of a definition -> (file, descriptor)."""
        self.definitions = dict([*self._definitions(program)][:MOST])
        """Classes by their names."""

    def _definitions(self, program: Program) -> Iterator[tuple[str, LocalDefinition]]:
        for path, file in program.files.items():
            for node in file.tree.body:
                if not isinstance(node, ast.ClassDef) or not {READ, SET} & _methods(node).keys():
                    continue
                lines = self.resolver.imports([node.name], path)
                if node.name.startswith("_") or lines is None:
                    continue
                for name, source in _classes(node):
                    if name not in self.taken:
                        self._of[name] = (path, node)
                        yield name, LocalDefinition(name, source, imports=lines, sample=True)

    def targets(self, known: Mapping[str, LocalDefinition]) -> Iterator[Target]:
        """Yields what makes an object of each of the `known` classes, and what reads and sets the
        attribute of it."""
        for name, (path, node) in self._of.items():
            if name not in known:
                continue
            maker = Target(path, name, "constructor", name, (), ())
            attribute = COMPUTED if "@" in known[name].source else HELD
            symbol = f"{name}.{attribute}"
            yield maker
            methods = _methods(node)
            if READ in methods:
                yield Target(path, symbol, "property", name, (), (), maker)
            if SET in methods:
                given = [*parameters_of(methods[SET].args)][2:3]
                value = tuple(Parameter("value", "positional", None, p.annotation) for p in given)
                yield Target(path, symbol, "statement", name, (), value, maker)


def _methods(node: ast.ClassDef) -> dict[str, FunctionNode]:
    return {one.name: one for one in node.body if isinstance(one, FunctionNode)}


def _classes(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Yields (name, source) of classes with an attribute of a descriptor, without options and with
    each; nothing where it needs more than a function."""
    init = _methods(node).get("__init__")
    given = [*parameters_of(init.args)][1:] if init is not None else []
    needed = [one for one in given if one.default is None and not one.kind.startswith("var-")]
    first, *others = (f"{_capital(node.name)}{noun}" for noun in NOUNS)
    if needed in ([], given[:1]) and given and OF_FUNCTIONS.match(given[0].name):
        yield first, _computed(first, node.name)
    elif not needed:
        yield first, _held(first, node.name, "")
        options = [one for one in given if one.default in GIVEN]
        for name, one in zip(others, options, strict=False):
            yield name, _held(name, node.name, f"{one.name}={GIVEN.get(one.default or '')}")


def _capital(name: str) -> str:
    """Returns ``CachedValue`` for ``cached_value``, and the names of classes as they are."""
    return name if name[:1].isupper() else "".join(map(str.capitalize, name.split("_")))


def _computed(name: str, descriptor: str) -> str:
    lines = f"    @{descriptor}\n    def {COMPUTED}(self):\n        return [1, 2]"
    return f"class {name}:\n{lines}"


def _held(name: str, descriptor: str, option: str) -> str:
    return f"class {name}:\n    {HELD} = {descriptor}({option})"
