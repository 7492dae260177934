"""Lists of texts that functions of a program return: what may be chosen, ``["hit", "stand"]``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from pytest_lift.agents.offline.arguments.known.choices import MOST_CHOICES
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import walked


class OfferedTexts:
    """Knows the lists of texts that functions return as they stand."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def beside(self, compared: Iterable[str]) -> Sequence[str]:
        """Returns the texts, as source, of the only list that has all texts of those with which
        something is compared; nothing where none or several have, or no text is compared."""
        words = {one for one in compared if one[:1] in "'\""}
        found = {one for one in self._lists if words and words <= {*one}}
        return found.pop() if len(found) == 1 else ()

    @cached_property
    def _lists(self) -> Sequence[tuple[str, ...]]:
        nodes = (node for file in self.program.files.values() for node in walked(file.tree))
        return [*dict.fromkeys(_returned(nodes))]


def _returned(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ...]]:
    """Yields the texts, as source, of each list of nothing but texts that is returned."""
    for node in nodes:
        match node:
            case ast.Return(value=ast.List(elts=items) | ast.Tuple(elts=items)):
                found = [one.value for one in items if isinstance(one, ast.Constant)]
                texts = [one for one in found if isinstance(one, str)]
                if 1 < len(texts) == len(items) <= MOST_CHOICES:
                    yield tuple(map(repr, texts))
