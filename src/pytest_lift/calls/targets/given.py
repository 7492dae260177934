"""Members of classes that nobody can import, called on the objects that public members give."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.managers import as_manager
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.made.factories import attributes_held, classes_given
from pytest_lift.source.syntax import FunctionNode

Place = tuple[str, str]
"""File, and the name of a class in it."""
ORDER = ("property", "function", "static", "method")
"""Kinds of targets that give objects, those first whose calls are the plainest."""


def with_givers(
    targets: Sequence[Target], resolver: Resolver
) -> tuple[list[Target], dict[Place, Target]]:
    """Returns the targets, and class without a public name -> the one of them whose calls, mostly,
    give objects of it; a public attribute that holds one is a property."""
    files = resolver.program.files
    known = {(t.path, t.symbol) for t in targets if t.kind == "constructor"}
    finder = _GiverFinder(resolver, known)
    found: dict[Place, Target] = {}
    for target in sorted([*targets, *finder.attributes(targets)], key=_rank):
        for place in finder.given_by(target):
            if place not in found:
                made = as_manager(target, place[1], files[place[0]], resolver.program)
                found[place] = replace(made, factory=True)
    givers = {giver.key: giver for giver in found.values()}
    return [givers.get(target.key, target) for target in targets], found


def _rank(target: Target) -> tuple[int, int]:
    needed = sum(one.default is None for one in target.parameters)
    return needed, ORDER.index(target.kind) if target.kind in ORDER else len(ORDER)


class _GiverFinder:
    """Reads of which classes a program's members give objects."""

    def __init__(self, resolver: Resolver, known: set[Place]) -> None:
        self.resolver = resolver
        self.known = known
        """Classes whose objects are made otherwise."""
        self._nodes: dict[str, Mapping[str, ast.AST]] = {}

    def attributes(self, targets: Sequence[Target]) -> Iterator[Target]:
        """Yields the public attributes that the constructors of the program set."""
        for maker in (one for one in targets if one.kind == "constructor" and not one.factory):
            node = self._in(maker.path).get(maker.symbol)
            for held in attributes_held(node) if isinstance(node, ast.ClassDef) else ():
                name = held.partition(".")[2]
                if not name.startswith("_") and "." not in name:
                    symbol, call = f"{maker.symbol}.{name}", maker.call
                    yield Target(maker.path, symbol, "property", call, maker.imports, (), maker)

    def given_by(self, target: Target) -> Iterator[Place]:
        """Yields the class without a public name of which a target gives objects."""
        if target.kind not in ORDER or target.optional or target.enters or target.library:
            return
        nodes, owner = self._in(target.path), target.symbol.rpartition(".")[0]
        around = nodes.get(owner)
        held = attributes_held(around) if isinstance(around, ast.ClassDef) else {}
        node = nodes.get(target.symbol)
        own = [held[one] for one in held if one.partition(".")[2] == target.leaf]
        names = classes_given(node, held) if isinstance(node, FunctionNode) else own
        places = (self._place(target.path, name) for name in names)
        yield from [place for place in places if place is not None][:1]

    def _place(self, path: str, name: str) -> Place | None:
        """Returns the class without a public name that a file knows by this one."""
        files = self.resolver.program.files
        place = self.resolver.reexported(files[path]).get(name, (path, name))
        symbol = next((s for s in files[place[0]].symbols if s.name == place[1]), None)
        if symbol is None or symbol.kind != "class" or place in self.known:
            return None
        return place if self.resolver.export(*place) is None else None

    def _in(self, path: str) -> Mapping[str, ast.AST]:
        """Returns symbol -> node of the functions and classes of a file; cached."""
        if path not in self._nodes:
            tree = self.resolver.program.files[path].tree
            self._nodes[path] = dict(_named(tree.body, ""))
        return self._nodes[path]


def _named(body: Sequence[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.AST]]:
    """Yields (symbol, node) of functions and classes; of several of a name the first, which is a
    getter before its setter."""
    taken: set[str] = set()
    for node in body:
        if isinstance(node, FunctionNode | ast.ClassDef) and node.name not in taken:
            taken.add(node.name)
            yield f"{prefix}{node.name}", node
            if isinstance(node, ast.ClassDef):
                yield from _named(node.body, f"{prefix}{node.name}.")
