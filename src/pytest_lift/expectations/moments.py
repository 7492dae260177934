"""Values of names at each place of a test, and expressions in normal form with these values."""

from __future__ import annotations

import ast
import copy
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from pytest_lift.source.bindings import import_bindings
from pytest_lift.source.syntax import unparsed

Values = Mapping[str, ast.expr]
"""Name -> expression that it stands for."""
MOST_NAMES = 200
"""Most names that are replaced in one expression, since each may stand for many others."""


class Moments:
    """Values of names at each place of a block, by the last assignment above it."""

    def __init__(self, tree: ast.AST, rows: Values = MappingProxyType({})) -> None:
        self._assigned = _assigned(tree)
        self._lines = [line for line, _, _ in self._assigned]
        self._rows = rows
        self._known: dict[int, Values] = {}

    @property
    def last(self) -> Values:
        """Values of the names at the end of the block."""
        return self._after(len(self._lines))

    def of(self, node: ast.stmt | ast.expr) -> Values:
        return self._after(bisect_left(self._lines, node.lineno))

    def _after(self, number: int) -> Values:
        if number not in self._known:
            before = {name: value for _, name, value in self._assigned[:number]}
            self._known[number] = {**before, **self._rows}
        return self._known[number]


def _assigned(tree: ast.AST) -> list[tuple[int, str, ast.expr]]:
    """Returns (line, name, value from then on) of everything that binds or changes a name."""
    found: list[tuple[int, str, ast.expr]] = []
    now: dict[str, ast.expr] = {}
    for line, name, value in sorted(_bound(tree), key=lambda one: one[0]):
        if isinstance(value, ast.AugAssign):
            before = now.get(name, ast.Name(name, ast.Load()))
            value = ast.BinOp(before, value.op, value.value)
        elif isinstance(value, ast.Expr):  # a statement that may have changed it
            before = now.get(name, ast.Name(name, ast.Load()))
            value = ast.Call(ast.Name("after", ast.Load()), [before, value.value], [])
        now[name] = value
        found.append((line, name, value))
    return found


_Bound = tuple[int, str, ast.expr | ast.AugAssign | ast.Expr]


def _bound(tree: ast.AST) -> Iterator[_Bound]:
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _to(target, value, node.lineno)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield node.lineno, name, value
            case ast.AugAssign(target=ast.Name(id=name)):
                yield node.lineno, name, node
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                yield node.lineno, name, value
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                yield from _to(target, _unknown("each", value), node.lineno)
            case ast.With(items=items) | ast.AsyncWith(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        made = _unknown("entered", item.context_expr)
                        yield from _to(item.optional_vars, made, node.lineno)
            case ast.ImportFrom():
                for one in import_bindings(node):
                    if one.bound != one.name:
                        yield node.lineno, one.bound, ast.Name(one.name, ast.Load())
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
                yield node.lineno, name, node
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if (
                not name.startswith("test")
            ):
                yield node.lineno, name, _unknown("local", ast.Constant(name))


def _to(target: ast.expr, value: ast.expr, line: int) -> Iterator[_Bound]:
    yield from ((line, name, part) for name, part in parts(target, value))


def parts(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yields the names of a target with their values; several names stand for parts of the
    value."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple | ast.List):
        written = value.elts if isinstance(value, ast.Tuple | ast.List) else []
        whole = len(written) == len(target.elts) and names_in(target).isdisjoint(names_in(value))
        for number, inner in enumerate(target.elts):
            part = ast.Subscript(value, ast.Constant(number), ast.Load())
            yield from parts(inner, written[number] if whole else part)


def names_in(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _unknown(how: str, value: ast.expr) -> ast.expr:
    """Returns a placeholder for a value that no expression of the source gives."""
    return ast.Call(ast.Name(how, ast.Load()), [value], [])


def normal_form(node: ast.AST, values: Values) -> str:
    """Returns a node in normal form, names replaced by their values unless that nests too
    deeply."""
    try:
        return unparsed(_Meant(values, [MOST_NAMES]).visit(copy.deepcopy(node)))
    except RecursionError:
        return unparsed(node)


class _Meant(ast.NodeTransformer):
    """Replaces names by the expressions that they stand for."""

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
