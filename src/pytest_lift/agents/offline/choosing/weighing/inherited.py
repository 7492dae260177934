"""Tells where a method is defined that classes inherit, and which of them share it."""

from __future__ import annotations

from functools import cached_property

from pytest_lift.agents.offline.arguments.flow.definitions import Definitions
from pytest_lift.source.program import Program


class Inheritance:
    """The methods of a program's classes, inherited ones included."""

    def __init__(self, program: Program) -> None:
        self.program = program

    @cached_property
    def _definitions(self) -> Definitions:
        return Definitions(self.program)

    def definer(self, path: str, symbol: str) -> tuple[str, str]:
        """Returns path and symbol of the method that runs where a class is asked for one: its own,
        or that of the nearest of its bases."""
        owner, _, name = symbol.rpartition(".")
        found = self._definitions.method(owner, name)
        return (found.path, found.symbol) if found is not None else (path, symbol)

    def sharing(self, path: str, symbol: str) -> set[str]:
        """Returns the symbols by which classes have the method that this one is."""
        place = self.definer(path, symbol)
        owner, _, name = place[1].rpartition(".")
        below = self._definitions.below.get(owner, ()) if owner else ()
        symbols = (f"{one.name}.{name}" for one in below)
        return {symbol, place[1], *(one for one in symbols if self.definer(path, one) == place)}
