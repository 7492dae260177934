"""Measured facts that speak against a test's claim for a requirement, in words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from textwrap import dedent
from typing import TYPE_CHECKING

from pytest_lift.assertions.checks import cannot_fail, live_blocks, reachable
from pytest_lift.assertions.substance import IDLE_FIXTURES
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.run.result import TestResult
from pytest_lift.source.syntax import FunctionNode, column_names, leaf
from pytest_lift.text.wording import count

if TYPE_CHECKING:
    from pytest_lift.trace.grounding import Grounding

_ELSEWHERE = re.compile(
    r"\b(?:subprocess|multiprocessing|Popen|ProcessPoolExecutor|pexpect|pytester|testdir"
    r"|script_runner|os\.(?:system|spawn\w*|exec\w*|fork))\b"
)
"""Words in a file whose tests may run the program in other processes, where nothing is measured."""
_CHECKING = re.compile(r"assert|check|expect|verify|raises|warns|fail", re.IGNORECASE)
"""Names of functions that are there to find fault."""


def doubt(
    requirement: Requirement,
    rows: Sequence[TestResult],
    idle: bool,
    file: str,
    grounding: Grounding | None,
) -> str:
    """Returns why a passing test that names `requirement` may not show it; empty where nothing says
    so.

    `idle`: see `is_idle`; `file` is the text of the test's file.
    """
    if idle:
        return "nothing in it can fail"
    reruns = sum(row.reruns for row in rows)
    if reruns:
        return f"it failed {count(reruns, 'time')} before it passed"
    if grounding is None or _ELSEWHERE.search(file) or any(row.shares for row in rows):
        return ""
    names = grounding.named(requirement)
    if not names or not grounding.sees(names) or grounding.executed(rows[0].function, names) != ():
        return ""
    return f"it executes none of what the text names: {', '.join(names)}"


@lru_cache(maxsize=65536)
def is_idle(source: str) -> bool:
    """Whether a test, as written, passes whatever the program does: it holds nothing but what
    cannot fail, or all that it asserts is true anyway."""
    try:
        (function,) = ast.parse(dedent(source)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if not isinstance(function, FunctionNode) or _is_helped(function):
        return False
    live = [*_live(function.body)]
    claims = [node for node in live if isinstance(node, ast.Assert)]
    if not claims:
        return not any(_does(node) for node in live)
    if not all(cannot_fail(node.test) for node in claims):
        return False
    return not any(_may_check(node) for node in live if not isinstance(node, ast.Assert))


def _is_helped(function: FunctionNode) -> bool:
    """Fixtures and decorators may check what the body does not; the values of a table do not."""
    arguments = function.args
    named = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    for decorator in function.decorator_list:
        if not ast.unparse(decorator).startswith("pytest.mark."):
            return True
        if isinstance(decorator, ast.Call) and leaf(decorator.func) == "parametrize":
            named.difference_update(column_names(decorator.args[:1]))
    return bool(named - {"self", "cls", "request", *IDLE_FIXTURES})


def _live(body: list[ast.stmt]) -> Iterable[ast.stmt]:
    """Yields the simple statements in which an error fails the test, and the heads of the
    others."""
    for node in reachable(body):
        yield node
        for block in live_blocks(node):
            yield from _live(block)


def _does(node: ast.stmt) -> bool:
    """Whether a statement that asserts nothing may end in an error; of a compound one, its head."""
    if isinstance(node, ast.Pass | ast.Global | ast.Nonlocal | ast.Try | ast.TryStar):
        return False
    if isinstance(node, FunctionNode | ast.ClassDef):
        return False
    if isinstance(node, ast.Expr | ast.Return | ast.Assign | ast.AnnAssign):
        return node.value is not None and not _is_plain(node.value)
    heads = _heads(node)
    return not heads or not all(map(_is_plain, heads))


def _heads(node: ast.stmt) -> list[ast.expr]:
    """Returns the expressions of a statement itself, without those of its blocks."""
    if isinstance(node, ast.With | ast.AsyncWith):
        return [item.context_expr for item in node.items]
    return [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]


def _is_plain(node: ast.expr) -> bool:
    """Literals and names: reading them does nothing. Nor does naming what is swallowed."""
    if isinstance(node, ast.Call) and leaf(node.func) == "suppress":
        return True
    kinds = (ast.Constant, ast.Name, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.expr_context)
    return all(isinstance(inner, kinds) for inner in ast.walk(node))


def _may_check(node: ast.stmt) -> bool:
    """Whether a statement beside assertions that cannot fail is there to check something."""
    calls = [call for part in _heads(node) for call in ast.walk(part) if isinstance(call, ast.Call)]
    return isinstance(node, ast.Raise) or any(map(_is_a_check, calls))


def _is_a_check(call: ast.Call) -> bool:
    return bool(_CHECKING.search(leaf(call.func)))
