"""How documents make objects and fill them, for documents that take such objects for granted."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from pytest_lift.agents.offline.examples.told.statements import root_of
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import BUILTINS, free_names
from pytest_lift.source.syntax import leaf, texts

MOST_FILLING = 8
"""Most statements that fill an object."""


@dataclass(frozen=True)
class SetUp:
    """An object of a class of the program, as a document makes it."""

    name: str
    """Variable of the object."""
    maker: str
    """Its class."""
    made: ast.stmt
    filling: tuple[ast.Call, ...]
    """Calls of its methods behind that."""

    @cached_property
    def methods(self) -> frozenset[str]:
        """Names of the methods that fill it."""
        return frozenset(leaf(one.func) for one in self.filling)

    @cached_property
    def words(self) -> frozenset[str]:
        """Texts that it is given."""
        return frozenset(texts(part for one in self.filling for part in ast.walk(one)))

    def statements(self, name: str) -> list[ast.stmt]:
        """Returns what makes and fills it, with another variable."""
        lines = [self.made, *map(ast.Expr, self.filling)]
        return [_RenamedVariable(self.name, name).visit(deepcopy(one)) for one in lines]


def set_ups(statements: Sequence[ast.stmt], matcher: Matcher) -> Iterator[SetUp]:
    """Yields the objects that the statements of a document make, each with the calls right behind
    it that give it something; none that needs other variables of the document."""
    known = BUILTINS | matcher.names
    for place, node in enumerate(statements):
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=ast.Call(func=ast.Name(maker))):
                if maker in matcher.classes and free_names(ast.unparse(node.value)) <= known:
                    filling = _filling(statements[place + 1 :], name, known | {name})
                    yield SetUp(name, maker, node, tuple(islice(filling, MOST_FILLING)))


def _filling(
    statements: Sequence[ast.stmt], name: str, known: AbstractSet[str]
) -> Iterator[ast.Call]:
    """Yields the calls with which statements begin, of methods of an object, as far as what they
    give it is known."""
    for one in statements:
        call = one.value if isinstance(one, ast.Expr) else None
        if not isinstance(call, ast.Call) or root_of(call) != name:
            return
        if not (call.args or call.keywords) or not free_names(ast.unparse(call)) <= known:
            return
        yield call


class _RenamedVariable(ast.NodeTransformer):
    def __init__(self, old: str, new: str) -> None:
        self.old = old
        self.new = new

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.new, node.ctx) if node.id == self.old else node
