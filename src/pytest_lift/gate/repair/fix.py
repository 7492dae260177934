"""Fixes as values: minimal edits of a text, and the file that they are for."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from pytest_lift.gate.diagnosis.diagnosing import Diagnoser
from pytest_lift.gate.diagnosis.diagnostic import Diagnostic, Positions
from pytest_lift.source.syntax import FunctionNode, parse, walked
from pytest_lift.suite.splice import merge_tests

NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, order=True)
class TextEdit:
    """Replaces the characters from `start` to `end`."""

    start: int
    end: int
    new: str


@dataclass(frozen=True)
class Fix:
    """One way to cure a diagnostic; whether it does is found out by trying it."""

    rule: str
    what: str
    edits: tuple[TextEdit, ...] = ()
    imports: tuple[str, ...] = ()
    """Statements that the file gets where it lacks them."""
    renamed: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """Spelling in assertions that it changes: ``pkg.mod`` -> ``mod``, ``.attr`` -> ``.other``,
    ``key=`` -> ``other=``."""
    reveals: bool = False
    """Whether names get types by it that were unknown: other faults may show then."""

    module: str = ""
    """Module with a dot behind it that the file imports from by it, where a name may be wrong."""

    def applied(self, text: str) -> str:
        """Returns the text after the fix. Raises what `parse` raises where it does not fit."""
        for edit in sorted(self.edits, reverse=True):
            text = text[: edit.start] + edit.new + text[edit.end :]
        return merge_tests(text, self.imports, "") if self.imports else text

    def touches(self, protected: Collection[int], text: str) -> bool:
        """Whether it changes one of the lines `protected`."""
        lines = Positions(text)
        return any(
            line in protected
            for edit in self.edits
            for line in range(lines.line_of(edit.start), lines.line_of(edit.end) + 1)
        )


@dataclass(frozen=True, eq=False)
class DraftFile:
    """The text of a test file under repair."""

    path: str
    text: str
    diagnoser: Diagnoser

    @cached_property
    def tree(self) -> ast.Module:
        return parse(self.text)

    @cached_property
    def positions(self) -> Positions:
        return Positions(self.text)

    def span(self, node: ast.expr | ast.alias | ast.stmt | ast.arg) -> tuple[int, int]:
        """Returns where the source of a node begins and ends."""
        positions = self.positions
        start = positions.offset(node.lineno, node.col_offset)
        end = positions.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return start, end

    def source(self, node: ast.expr | ast.alias | ast.stmt) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def replacing(self, node: ast.expr | ast.alias | ast.stmt | ast.arg, new: str) -> TextEdit:
        return TextEdit(*self.span(node), new)

    def function_at(self, line: int) -> FunctionNode | None:
        """Returns the innermost function whose lines contain one."""
        found = None
        for node in walked(self.tree):
            if isinstance(node, FunctionNode) and node.lineno <= line <= (node.end_lineno or 0):
                found = node
        return found

    def class_of(self, function: FunctionNode) -> ast.ClassDef | None:
        """Returns the class in whose body a function stands."""
        classes = (node for node in walked(self.tree) if isinstance(node, ast.ClassDef))
        return next((node for node in classes if function in node.body), None)

    def named(self, node: FunctionNode | ast.ClassDef) -> tuple[int, int]:
        """Returns where the name of a definition stands."""
        start = self.positions.offset(node.lineno, node.col_offset)
        at = self.text.index(node.name, start + len("def"))
        return at, at + len(node.name)


Family = Callable[[DraftFile, Diagnostic], Iterator[Fix]]
"""Yields fixes for a diagnostic, the likeliest first."""
