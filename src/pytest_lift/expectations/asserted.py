"""Does a test assert what a text lets one expect? Both are compared as texts in normal form."""

from __future__ import annotations

import ast
import copy
import textwrap
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product

from pytest_lift.expectations import Expectation
from pytest_lift.normal_form import called, elements, parsed, unparsed

Values = Mapping[str, ast.expr]
"""Name -> the expression that it stands for."""
Claim = tuple[str, str, str]
"""(relation, call, expected), in normal form."""

ANY_ERROR = frozenset({"Exception", "BaseException"})
MOST_ROWS = 500
"""Combinations of parametrize rows that are looked at."""
MOST_NAMES = 200
"""Names in one expression that are replaced: each may stand for many others."""


def asserts(expectation: Expectation, source: str) -> bool:
    """Whether the test `source` checks `expectation`, after the same preparations."""
    made = _expected(expectation)
    if made is None:
        return False
    claim, preparations = made
    return any(
        preparations <= done and any(_is_made(claim, made) for made in claims)
        for claims, done in _asserted(source)
    )


def _is_made(wanted: Claim, made: Claim) -> bool:
    """The same; where a text names no kind of error, a test may name any."""
    if wanted[0] == "raises" and wanted[2] in ANY_ERROR:
        return wanted[:2] == made[:2]
    return wanted == made


@lru_cache(maxsize=4096)
def _expected(expectation: Expectation) -> tuple[Claim, frozenset[str]] | None:
    setup, call = parsed(expectation.setup), parsed(expectation.call.strip(), "eval")
    expected = parsed(expectation.expected.strip() or "None", "eval")
    if not isinstance(setup, ast.Module) or call is None or expected is None:
        return None
    values = dict(_assigned(setup))
    told = _shown(expected, values)
    if expectation.relation == "raises":
        told = told.rpartition(".")[2]
    elif expectation.relation == "holds":
        told = ""
    return (expectation.relation, _shown(call, values), told), frozenset(_done(setup, values))


@lru_cache(maxsize=16384)
def _asserted(source: str) -> tuple[tuple[frozenset[Claim], frozenset[str]], ...]:
    """Per combination of rows: what is claimed, and what is done besides."""
    tree = parsed(textwrap.dedent(source))
    if tree is None:
        return ()
    assigned = dict(_assigned(tree))
    found = []
    for number, rows in enumerate(product(*_tables(tree))):
        if number >= MOST_ROWS:
            break
        values = {**assigned, **{name: it for row in rows for name, it in row.items()}}
        found.append((frozenset(_claims(tree, values)), frozenset(_done(tree, values))))
    return tuple(found)


def _tables(tree: ast.AST) -> Iterator[list[Values]]:
    """Each parametrize mark as its rows: parameter -> value."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or called(node) != "parametrize" or len(node.args) < 2:
            continue
        named, rows = node.args[0], node.args[1]
        one = isinstance(named, ast.Constant)
        texts = [named] if one else elements(named)
        written = ",".join(str(n.value) for n in texts if isinstance(n, ast.Constant))
        names = [name.strip() for name in written.split(",")]
        table: list[Values] = []
        for row in elements(rows):
            whole = len(names) == 1 and not _is_param(row)
            table.append(dict(zip(names, [row] if whole else elements(row), strict=False)))
        yield table or [{}]


def _is_param(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and called(node) == "param"


def _claims(tree: ast.AST, values: Values) -> Iterator[Claim]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            yield from _claimed(node.test, values)
        elif isinstance(node, ast.With):
            calls = [it.context_expr for it in node.items if isinstance(it.context_expr, ast.Call)]
            raising = [call.args[0] for call in calls if called(call) == "raises" and call.args]
            kinds = [_shown(kind, values).rpartition(".")[2] for kind in raising]
            last = node.body[-1]
            if isinstance(last, ast.Expr | ast.Assign):
                yield from (("raises", _shown(last.value, values), kind) for kind in kinds)


def _claimed(test: ast.expr, values: Values) -> Iterator[Claim]:
    """An assertion and what it says in other words; `f(x)` asserts a truth, `not f(x)` none."""
    shown = _shown(test, values)
    yield "holds", shown, ""
    yield "equals", shown, "True"
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield "equals", _shown(test.operand, values), "False"
    if not isinstance(test, ast.Compare) or len(test.ops) > 1:
        return
    if isinstance(test.ops[0], ast.Eq | ast.Is):
        sides = (test.left, test.comparators[0])
        for one, other in (sides, sides[::-1]):
            expected = _shown(_unwrapped(other, ("approx",)), values)
            yield "equals", _shown(one, values), expected
            yield "equals", _shown(_unwrapped(one, ("list", "tuple", "run")), values), expected
            yield "holds", f"{_shown(one, values)} == {expected}", ""


def _unwrapped(node: ast.expr, wrappers: tuple[str, ...]) -> ast.expr:
    """``approx(x)`` -> ``x``; an iterator is listed and a coroutine run for its value."""
    if isinstance(node, ast.Call) and node.args and called(node) in wrappers:
        return node.args[0]
    return node


def _assigned(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """(name, value) of plain assignments, the last one of each name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value


def _done(tree: ast.AST, values: Values) -> Iterator[str]:
    """Statements that are neither data nor claims: what changes something on the way."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant):
            yield _shown(node.value, values)
        elif isinstance(node, ast.AugAssign | ast.Delete) or _is_stored(node):
            yield _shown(node, values)


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Name)


def _shown(node: ast.AST, values: Values) -> str:
    return unparsed(_Meant(values, [MOST_NAMES]).visit(copy.deepcopy(node)))


class _Meant(ast.NodeTransformer):
    """Names replaced by what they stand for."""

    def __init__(self, values: Values, left: list[int]) -> None:
        self.values = values
        self.left = left

    def visit_Name(self, node: ast.Name) -> ast.AST:
        meant = self.values.get(node.id)
        if meant is None or not isinstance(node.ctx, ast.Load) or self.left[0] <= 0:
            return node
        self.left[0] -= 1
        others = {name: it for name, it in self.values.items() if name != node.id}
        inner: ast.AST = _Meant(others, self.left).visit(copy.deepcopy(meant))
        return inner
