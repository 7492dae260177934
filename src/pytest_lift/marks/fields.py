"""Links in docstrings: their fields, and where these stand in the lines of the file.

They say what a mark of that name says, and need no registration. As in Sphinx, a field stands at
the docstring's own margin, at its beginning, after a blank line or after another field; lines that
are indented below it belong to it. What is indented, quoted or in running text is no field.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

REQ, EMERGENT = "req", "emergent"
NAMES = (REQ, EMERGENT)

_FIELD = re.compile(r":(?P<name>[^\s:`](?:[^:`]*[^\s:`])?):(?:\s+(?P<value>.*))?")

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Field:
    """One `req` or `emergent` field of a docstring."""

    name: str
    values: tuple[str, ...]
    """Ids; of `emergent` its reason, if it has one."""
    first: int
    """Number of its first line in the docstring, from 0."""
    end: int
    """Number of the line after its last."""


def may_have_fields(text: str) -> bool:
    """Whether a text may contain fields; False means that it contains none."""
    return ":req:" in text or ":emergent:" in text


def fields_of(doc: str | None) -> tuple[Field, ...]:
    """Returns the fields of a docstring, raw or cleaned, in the order of the text."""
    return tuple(_fields(_at_margin(doc))) if doc and may_have_fields(doc) else ()


def without_fields(doc: str) -> str:
    """Returns the cleaned docstring without its fields."""
    if "\n" not in doc and not may_have_fields(doc):
        return doc.expandtabs().strip()
    lines = _at_margin(doc)
    for field in reversed(fields_of(doc)):
        del lines[field.first : field.end]
    return "\n".join(lines).strip()


def _fields(lines: list[str]) -> Iterator[Field]:
    index, may_begin, block_follows = 0, True, False
    while index < len(lines):
        line = lines[index].rstrip()
        if line and line[0] != " " and may_begin and block_follows:
            return  # nothing is left of the margin: all that follows is what "::" quotes
        found = _FIELD.fullmatch(line) if may_begin else None
        end = index + 1
        if found is None:
            may_begin = not line
            block_follows = line.endswith("::") if line else block_follows
        else:
            while end < len(lines) and lines[end][:1] == " " and lines[end].strip():
                end += 1
            if found["name"] in NAMES:
                text = " ".join([found["value"] or "", *lines[index + 1 : end]])
                yield Field(found["name"], tuple(_values(found["name"], text)), index, end)
        index = end


def _values(name: str, text: str) -> Iterator[str]:
    parts = text.split(",") if name == REQ else [text]
    return (" ".join(part.split()) for part in parts if part.strip())


def _at_margin(doc: str) -> list[str]:
    """Its lines without the indentation that all but the first have in common, none left out."""
    lines = doc.expandtabs().split("\n")
    indents = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(indents, default=0)
    return [lines[0].lstrip(), *(line[margin:] for line in lines[1:])]


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
    """Returns the docstring of a node; None if it has none or cannot have one."""
    first = node.body[0] if isinstance(node, Documented) and node.body else None
    value = first.value if isinstance(first, ast.Expr) else None
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return Docstring(value, value.value)
    return None


class FieldPlaces:
    """Places of the parts of one field in the lines of the file."""

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
        """Returns the place of the next value, if it stands there as it is."""
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
