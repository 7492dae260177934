"""The docstring of a definition, and where its fields stand in the lines of the file."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from pytest_lift.marks.fields import Field

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class TextSpan(NamedTuple):
    """A piece of a text: lines and columns count from 1, columns in characters, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Docstring(NamedTuple):
    """The string literal that a module, a class or a function begins with, and its value."""

    literal: ast.Constant
    text: str


def docstring_of(node: ast.AST) -> Docstring | None:
    """None for what has none, and for what can have none."""
    first = node.body[0] if isinstance(node, Documented) and node.body else None
    value = first.value if isinstance(first, ast.Expr) else None
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return Docstring(value, value.value)
    return None


class FieldPlaces:
    """Where the parts of one field stand in the lines of the file."""

    def __init__(self, lines: Sequence[str], docstring: Docstring, field: Field) -> None:
        first = docstring.literal.lineno
        as_written = (docstring.literal.end_lineno or 0) - first == docstring.text.count("\n")
        self._lines = lines if as_written else ()
        self._line, self._last = first + field.first, first + field.end - 1
        self._at = self._text(self._line).find(f":{field.name}:")
        self.whole: TextSpan | None = None
        """The field, from its first colon to the end of its last line; None where it is not in the
        lines that it should be in."""
        if self._at >= 0:
            end = len(self._text(self._last).rstrip().rstrip("\"'").rstrip())
            self.whole = TextSpan(self._line, self._column(self._line), self._last, end + 1)
            self._at += len(field.name) + 2

    def next(self, value: str) -> TextSpan | None:
        """The place of the next value, if it stands there as it is."""
        while self.whole is not None and self._line <= self._last:
            at = self._text(self._line).find(value, self._at)
            if at >= 0:
                self._at = at
                start = self._column(self._line)
                self._at += len(value)
                return TextSpan(self._line, start, self._line, start + len(value))
            self._line, self._at = self._line + 1, 0
        return None

    def _text(self, line: int) -> str:
        return self._lines[line - 1] if 0 < line <= len(self._lines) else ""

    def _column(self, line: int) -> int:
        """Columns do not count a byte order mark."""
        return self._at + 1 - (self._text(line)[:1] == "\ufeff")
