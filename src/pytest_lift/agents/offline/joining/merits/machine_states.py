"""Tells the methods that are states of a machine, which runs them one after another by itself."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping

from pytest_lift.source.syntax import FunctionNode

FEWEST = 3
"""Fewest methods that an attribute holds in turn, for these to be states."""


def state_methods(functions: Mapping[tuple[str, str], FunctionNode]) -> frozenset[str]:
    """Returns the names of methods that an attribute of their object holds in turn: nobody but the
    machine calls ``parse_key`` where another one does ``self.state = self.parse_key``."""
    held: dict[tuple[str, str], set[str]] = defaultdict(set)
    for (path, symbol), function in functions.items():
        if "." in symbol:
            for attribute, name in _held_in(function):
                held[path, attribute].add(name)
    methods = {symbol.rpartition(".")[2] for _, symbol in functions if "." in symbol}
    several = (names & methods for names in held.values())
    return frozenset(name for names in several if len(names) >= FEWEST for name in names)


def _held_in(function: FunctionNode) -> Iterator[tuple[str, str]]:
    """Yields (attribute, method) of what a method puts into attributes of its object."""
    for node in ast.walk(function):
        match node:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=attribute)],
                value=ast.Attribute(value=ast.Name(id="self"), attr=name),
            ):
                yield attribute, name
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Attribute(value=ast.Name(id="self"), attr=attribute), attr="append"
                ),
                args=[ast.Attribute(value=ast.Name(id="self"), attr=name)],
            ):
                yield attribute, name
