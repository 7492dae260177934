"""Collects the calls that existing tests make, with parametrized rows, as seeds of a search."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.calls.call import Call
from pytest_lift.calls.matching import Matcher
from pytest_lift.suite.suite import Suite

MOST_ROWS = 40


def written_calls(suite: Suite, matcher: Matcher) -> list[Call]:
    """Returns every call of the suite whose arguments can be written as literals, each once."""
    found: dict[Call, None] = {}
    for test in suite.tests():
        for sources in _readings(suite.source(test)):
            found.update(dict.fromkeys(matcher.documented_calls(sources)))
    return list(found)


def _readings(source: str) -> Iterator[list[str]]:
    """Yields the body of a test once for each of its rows, after assignments of the row's
    values."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    function = next((n for n in tree.body if isinstance(n, ast.FunctionDef)), None)
    if function is None:
        return
    body = "\n".join(ast.unparse(statement) for statement in function.body)
    rows = [row for mark in function.decorator_list for row in _rows(mark)][:MOST_ROWS]
    for row in rows or [[]]:
        yield [*row, body]


def _rows(mark: ast.expr) -> Iterator[list[str]]:
    """Yields assignments for each row of a ``parametrize`` mark with literal rows."""
    if not (isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith(".parametrize")):
        return
    if len(mark.args) < 2 or not isinstance(mark.args[1], ast.List | ast.Tuple):
        return
    try:
        said = ast.literal_eval(mark.args[0])
    except ValueError:
        return
    names = [n.strip() for n in said.split(",")] if isinstance(said, str) else [*said]
    for item in mark.args[1].elts:
        values = _values(item, len(names))
        if len(values) == len(names):
            yield [f"{n} = {ast.unparse(v)}" for n, v in zip(names, values, strict=True)]


def _values(item: ast.expr, count: int) -> list[ast.expr]:
    """Returns the values of one row, without its ``pytest.param``."""
    if isinstance(item, ast.Call) and ast.unparse(item.func).endswith("param"):
        return list(item.args)
    if count > 1 and isinstance(item, ast.List | ast.Tuple):
        return list(item.elts)
    return [item]
