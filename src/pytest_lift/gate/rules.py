"""All rules for what generated code holds, on one text: where it breaks one, and what to do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pytest_lift.gate.faked import faked
from pytest_lift.gate.forbidden import Violation, forbidden
from pytest_lift.gate.imported import Origins
from pytest_lift.gate.messages import pinned_messages
from pytest_lift.gate.pinned import pinned
from pytest_lift.gate.skipping import set_aside
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import parse


@dataclass(frozen=True)
class Rules:
    """What generated code is held against."""

    requirements: Requirements
    program: Program

    @cached_property
    def origins(self) -> Origins:
        return _origins(self.program)

    def broken(self, text: str) -> tuple[Violation, ...]:
        """What a text does that generated code may not, by line. Raises SyntaxError."""
        found = {*forbidden(text), *self._by_tree(parse(text))}
        return tuple(sorted(found, key=lambda fault: (fault.line, fault.what)))

    def _by_tree(self, tree: ast.Module) -> Iterator[Violation]:
        yield from set_aside(tree)
        yield from faked(tree, self.origins)
        yield from pinned(tree, self.origins, self.requirements)
        yield from pinned_messages(tree, self.program, self.requirements)


@lru_cache(maxsize=4)
def _origins(program: Program) -> Origins:
    """A program is the same value for as long as nobody changes it."""
    return Origins(program)
