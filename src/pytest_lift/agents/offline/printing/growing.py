"""Adds the rows of a new table to the test of a file that does the same with others."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence

from pytest_lift.agents.offline.printing.functions import PrintedTest
from pytest_lift.source.syntax import bare_leaf, parse, split_lines

MOST_ROWS = 30
"""Most rows of a table that grows: two screens."""


def with_rows_added(
    text: str, tests: Sequence[PrintedTest], may_change: Callable[[str], bool]
) -> tuple[str, list[PrintedTest]]:
    """Returns the text of a file in which tables have the rows of those among `tests` that have
    their name, docstring and body, and these tests.

    `may_change` tells by its name whether a test of the file may be changed.
    """
    grown: list[PrintedTest] = []
    for test in tests:
        if longer := _longer(text, test, may_change):
            text = longer
            grown.append(test)
    return text, grown


def _longer(text: str, test: PrintedTest, may_change: Callable[[str], bool]) -> str:
    """Returns the text with the rows of a table added; "" where no test does the same, or where
    that would be too long."""
    own = parse(test.text).body[0]
    assert isinstance(own, ast.FunctionDef)
    nodes = {node.name: node for node in parse(text).body if isinstance(node, ast.FunctionDef)}
    known = nodes.get(test.name)
    new, old = table_rows(own), table_rows(known) if known is not None else None
    if known is None or new is None or old is None or "\r" in text or not may_change(test.name):
        return ""
    if _without_rows(own) != _without_rows(known) or len(old.elts) + len(new.elts) > MOST_ROWS:
        return ""
    if _docstring(known) != _docstring(own):
        return ""
    there = {ast.dump(row) for row in old.elts}
    fresh = [row for row in new.elts if ast.dump(row) not in there]
    lines, rows = split_lines(text), test.text.splitlines(keepends=True)
    added = [line for row in fresh for line in rows[row.lineno - 1 : row.end_lineno]]
    at = (old.end_lineno or 0) - 1
    if not added or lines[at].strip() != "]," or old.lineno == old.end_lineno:
        return ""
    return "".join([*lines[:at], *added, *lines[at:]])


def _docstring(node: ast.AST) -> str:
    """Returns the docstring of a test in one line."""
    assert isinstance(node, ast.FunctionDef)
    return re.sub(r"\s*\n\s*", " ", ast.get_docstring(node) or "")


def table_rows(node: ast.AST | None) -> ast.List | None:
    """Returns the rows of a table; None of another test."""
    marks = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    for mark in marks:
        match mark:
            case ast.Call(args=[_, ast.List() as rows], keywords=[]) if (
                bare_leaf(mark) == "parametrize"
            ):
                return rows
    return None


def _without_rows(node: ast.AST) -> list[str]:
    """Returns the parts of a test that tables have in common: all but its rows, its docstring, and
    the mark that says that no requirement is known."""
    assert isinstance(node, ast.FunctionDef)
    marks = [one for one in node.decorator_list if bare_leaf(one) != "emergent"]
    rows = table_rows(node)
    parts = [
        part
        for mark in marks
        for part in (mark.args if isinstance(mark, ast.Call) else [mark])
        if part is not rows
    ]
    return [ast.dump(part) for part in (*parts, node.args, *node.body[1:])]
