"""Functions in which a name of a parameter is a variable: what is kept is taken out again there."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from pytest_lift.agents.offline.arguments.known.namesakes import VAGUE
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, parts_of


class OtherPlaces:
    """Knows the functions of each file by the variables that they assign."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def of(self, path: str, name: str) -> Iterator[FunctionNode]:
        """Yields the functions of a file that have a variable of a name, which is no parameter of
        theirs: ``time, action = self._queue[0]``; none where the name says nothing."""
        if VAGUE.fullmatch(name) is None:
            yield from self._assigning[path].get(name, ())

    @cached_property
    def _assigning(self) -> dict[str, dict[str, list[FunctionNode]]]:
        """File -> variable -> the functions that assign it."""
        found: dict[str, dict[str, list[FunctionNode]]] = {}
        for path, file in self.program.files.items():
            by_name: dict[str, list[FunctionNode]] = defaultdict(list)
            for function in ast.walk(file.tree):
                if isinstance(function, FunctionNode):
                    for name in dict.fromkeys(_assigned(function)):
                        by_name[name].append(function)
            found[path] = by_name
        return found


def _assigned(function: FunctionNode) -> Iterator[str]:
    """Yields the variables of a function but for its parameters."""
    own = {part.arg for part in ast.walk(function.args) if isinstance(part, ast.arg)}
    for part in parts_of(function):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and part.id not in own:
            yield part.id
