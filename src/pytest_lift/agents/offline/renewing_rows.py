"""Writes the rows of tables of edge cases anew, with what their calls give now."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_lift.agents.offline.joining.odd.edge_rows import FORMS, row_of
from pytest_lift.agents.offline.printing.growing import general_words, table_rows
from pytest_lift.agents.offline.printing.headers import row_lines
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck

BODIES = ("assert call() == expected", "with pytest.raises(error, match=message):\n    call()")
"""What tests of edge cases do."""


@dataclass(frozen=True)
class EdgeTable:
    """Table of edge cases in the source of a test."""

    source: str
    rows: Sequence[ast.Call]
    """``pytest.param(lambda: first([]), 0, id="first")`` of each row."""

    @property
    def calls(self) -> list[str]:
        """Sources of the calls."""
        functions = (row.args[0] for row in self.rows)
        return [ast.unparse(one.body) for one in functions if isinstance(one, ast.Lambda)]

    def renewed(self, checks: Mapping[str, StepCheck]) -> str:
        """Returns the source with what calls give now, and without those that have no check or give
        something of another kind, which the test does not ask for; "" where none is left."""
        lines = self.source.splitlines(keepends=True)
        left = 0
        (test,) = ast.parse(self.source).body
        assert isinstance(test, ast.FunctionDef)
        if general := general_words(test):
            doc = test.body[0]
            lines[doc.lineno - 1 : doc.end_lineno] = [f"{line}\n" for line in general]
        for row, call in reversed([*zip(self.rows, self.calls, strict=True)]):
            check = checks.get(call)
            new: list[str] = []
            if check is not None and check.form in FORMS:
                name = next(ast.literal_eval(one.value) for one in row.keywords)
                made = row_of(call, check, name)
                new = row_lines(made) if len(made.arguments) == len(row.args) else []
            left += bool(new)
            lines[row.lineno - 1 : row.end_lineno] = [f"{line}\n" for line in new]
        return "".join(lines) if left else ""


def edge_table(source: str) -> EdgeTable | None:
    """Returns the table of a test of edge cases; None for another test, and for one that needs
    fixtures."""
    match ast.parse(source).body:
        case [ast.FunctionDef(body=[_, body], args=given) as test] if ast.unparse(body) in BODIES:
            rows = table_rows(test)
            calls = [row for row in rows.elts if isinstance(row, ast.Call)] if rows else []
            bare = rows is not None and len(calls) == len(rows.elts) and all(map(_has_name, calls))
            plain = all(len(row.args) == len(given.args) for row in calls)
            return EdgeTable(source, calls) if bare and plain else None
    return None


def _has_name(row: ast.Call) -> bool:
    """Whether a row is that of a call, and has a name."""
    made = bool(row.args) and isinstance(row.args[0], ast.Lambda)
    return made and [one.arg for one in row.keywords] == ["id"]
