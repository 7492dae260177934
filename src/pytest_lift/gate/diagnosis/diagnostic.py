"""Diagnostics: places of a test file that will not run, as values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from pytest_lift.source.syntax import split_lines, to_bytes

CALLS = frozenset(
    {
        *("missing-argument", "too-many-positional-arguments", "unknown-argument"),
        *("parameter-already-assigned", "not-callable"),
    }
)
"""Rules about calls."""
OF_SYMBOLS = CALLS | {"missing-attribute", "unused-awaitable", "invalid-await", "missing-await"}
"""Rules whose remedy is a definition; that of the others is what there is to import."""


@dataclass(frozen=True, order=True)
class Diagnostic:
    """One fault: lines from 1, columns in bytes of the line."""

    line: int
    column: int
    end: int
    """Column behind it, where it ends on the same line."""
    rule: str
    subject: str
    """The name, attribute, keyword or module that it is about."""
    message: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What it says, wherever it stands."""
        return self.rule, self.subject, self.message

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


def added(before: Iterable[Diagnostic], after: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Returns the diagnostics of `after` that say what none of `before` says, however lines
    moved."""
    known = Counter(one.key for one in before)
    found = []
    for one in after:
        known[one.key] -= 1
        if known[one.key] < 0:
            found.append(one)
    return found


@dataclass(frozen=True)
class Positions:
    """Offsets in a text by lines from 1 and columns in bytes, as `ast` and servers count."""

    text: str

    @cached_property
    def lines(self) -> list[str]:
        return split_lines(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line))
        return starts

    def offset(self, line: int, column: int) -> int:
        """Returns the index of a place in the text; the end of the text for what is behind it."""
        if line > len(self.lines):
            return len(self.text)
        row = self.lines[line - 1]
        if not row.isascii():
            column = len(to_bytes(row)[:column].decode("utf-8", "replace"))
        return self._starts[line - 1] + min(column, len(row))

    def between(self, line: int, column: int, end: int) -> str:
        """Returns the text from a column of a line to another."""
        return self.text[self.offset(line, column) : self.offset(line, end)]

    def line_of(self, offset: int) -> int:
        """Returns the line of an index in the text."""
        return self.text.count("\n", 0, offset) + 1
