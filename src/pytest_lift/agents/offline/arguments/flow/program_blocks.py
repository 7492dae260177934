"""Functions and modules in which expressions stand, and the variables of each."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pytest_lift.agents.offline.arguments.flow.known_types import Place
from pytest_lift.source.syntax import FunctionNode


@dataclass(frozen=True, eq=False)
class ProgramBlock:
    """The function, or module, in which an expression stands."""

    path: str
    symbol: str
    """Qualified name of the function; "" for the module."""
    node: FunctionNode | ast.Module
    owner: str = ""
    """Class of which its first parameter is an object."""
    outer: ProgramBlock | None = None

    @cached_property
    def bound(self) -> frozenset[str]:
        """Names of its variables and parameters; none of what it defines or imports."""
        inner = [*own_nodes(self.node)]
        elsewhere = {
            name
            for one in inner
            if isinstance(one, ast.Global | ast.Nonlocal)
            for name in one.names
        }
        stored = {
            one.id for one in inner if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        caught = {one.name for one in inner if isinstance(one, ast.ExceptHandler) and one.name}
        return frozenset({*self.parameters, *caught, *stored} - elsewhere)

    @cached_property
    def parameters(self) -> list[str]:
        """Names of all parameters, the first one of a method included."""
        if isinstance(self.node, ast.Module):
            return []
        return [one.arg for one in ast.walk(self.node.args) if isinstance(one, ast.arg)]

    def place(self, name: str) -> Place | None:
        """Returns the variable that a name stands for here; None of one that is defined or
        imported."""
        if name in self.bound:
            return ("variable", self.path, self.symbol, name)
        return self.outer.place(name) if self.outer is not None else None


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yields what is inside a function or module, but not what is inside functions and classes in
    it."""
    waiting = [*ast.iter_child_nodes(node)][::-1]
    while waiting:  # a long sum is nested as deep as it has parts
        one = waiting.pop()
        yield one
        if not isinstance(one, FunctionNode | ast.ClassDef):
            waiting += [*ast.iter_child_nodes(one)][::-1]
