"""Which test files a mark expression (``-m "not slow"``) leaves out as a whole."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache

from pytest_lift.source.syntax import parse


def selects(expression: str, marks: Collection[str]) -> bool:
    """Whether ``-m expression`` runs a test with these `marks`; not where it is no expression,
    of which pytest itself complains."""
    from _pytest.mark.expression import Expression

    try:
        return Expression.compile(expression).evaluate(lambda name, /, **values: name in marks)
    except Exception:
        return False


@lru_cache(maxsize=2048)
def is_deselected(text: str, expression: str) -> bool:
    """Whether ``-m expression`` runs no test of a file, whatever else is written into it: the
    `pytestmark` of the module says so."""
    if not expression or "pytestmark" not in text:
        return False
    return not selects(expression, frozenset(module_marks(text)))


def module_marks(text: str) -> Iterator[str]:
    """The names of the marks that are written out in the module's `pytestmark`."""
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for stmt in tree.body:
        if isinstance(stmt, ast.Assign) and any(_is_pytestmark(one) for one in stmt.targets):
            for node in ast.walk(stmt.value):
                if isinstance(node, ast.Attribute) and ast.unparse(node.value).endswith("mark"):
                    yield node.attr


def _is_pytestmark(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id == "pytestmark"
