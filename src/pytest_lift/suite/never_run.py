"""Tests and links of a file that never run, as far as the text alone tells."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from pytest_lift.marks.fields import TextSpan
from pytest_lift.marks.marks import Mark, MarkReader
from pytest_lift.source.syntax import (
    FunctionNode,
    bare_leaf,
    blocks,
    is_fixture,
    leaf,
    parse_readable,
    statements,
)
from pytest_lift.text.wording import exists_twice

_Block = Sequence[ast.stmt]
_Nodes = Sequence[FunctionNode | ast.ClassDef]
"""The function of a test, and the classes around it."""
_UNCOLLECTED = "a class that pytest does not collect"


class Stray(NamedTuple):
    """A link on what is no test."""

    name: str
    """Name of the function or class."""
    what: str
    """Kind of definition: a fixture, a class that pytest does not collect."""
    place: TextSpan
    """Place of the mark."""
    base: str = ""
    """The class, where it would be tests of classes that are derived from it."""


class NeverRun:
    """Reasons why tests of one module can never run."""

    def __init__(self, tree: ast.Module) -> None:
        self._module = _of_module(tree.body)
        self._dead: dict[int, int] = {}
        """`id` of a definition -> the line of the condition that keeps it from being made."""
        self._shadowed: dict[int, int] = {}
        """`id` of a definition -> the line of the later one that takes its place."""
        self._read(tree.body)

    def why(self, nodes: _Nodes) -> str:
        """Returns why a test never runs; empty if nothing keeps it from running."""
        for node in nodes:
            if line := self._dead.get(id(node)):
                return f"the condition in line {line} is never true"
            if line := self._shadowed.get(id(node)):
                return exists_twice(node.name, f"line {line}")
        decorators = (decorator for node in nodes for decorator in node.decorator_list)
        of_classes = (_of_body(node.body) for node in nodes[1:])
        reasons = chain(map(_skipping, decorators), of_classes, (self._module,))
        return next(filter(None, reasons), "")

    def is_shadowed(self, nodes: _Nodes) -> bool:
        """Whether another definition of its name takes its place."""
        return any(id(node) in self._shadowed for node in nodes)

    def _read(self, body: _Block, dead: int = 0) -> None:
        made: dict[str, FunctionNode | ast.ClassDef] = {}
        for node in body:
            if isinstance(node, FunctionNode | ast.ClassDef):
                if dead:
                    self._dead[id(node)] = dead
                if node.name in made:
                    self._shadowed[id(made[node.name])] = node.lineno
                made[node.name] = node
            if isinstance(node, ast.ClassDef):
                self._read(node.body, dead)
            for block in blocks(node):
                self._read(block, dead or _condition(node, block))


def _condition(node: ast.stmt, block: _Block) -> int:
    """Returns the line of a condition that never lets `block` run; 0 where it may."""
    if not isinstance(node, ast.If | ast.While):
        return 0
    test = node.test
    if isinstance(test, ast.Constant):
        never = node.orelse if test.value else node.body
    elif leaf(test) == "TYPE_CHECKING":
        never = node.body
    else:
        return 0
    return node.lineno if block is never else 0


def _of_module(body: _Block) -> str:
    for node in body:
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="skip") as called)) if (
                leaf(called.value) == "pytest"
            ):
                return f"the module is skipped in line {node.lineno}"
    return _of_body(body)


def _of_body(body: _Block) -> str:
    """Returns why a module or class does not run, by the last `pytestmark` and `__test__`."""
    last = {
        target.id: node.value
        for node in body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    test = last.get("__test__")
    if isinstance(test, ast.Constant) and not test.value:
        return f"__test__ is {test.value!r} in line {test.lineno}"
    marks = last.get("pytestmark")
    several = marks.elts if isinstance(marks, ast.List | ast.Tuple) else [marks] if marks else []
    return next(filter(None, map(_skipping, several)), "")


def _skipping(mark: ast.expr) -> str:
    """Returns why a test with this decorator never runs."""
    name, line = bare_leaf(mark), mark.lineno
    call = mark if isinstance(mark, ast.Call) else None
    if name == "skip":
        return f"it is skipped in line {line}"
    if call is None or not call.args:
        return ""
    first, *others = call.args
    table = others[0] if others else None
    if name in ("skipif", "skipIf", "skipUnless") and isinstance(first, ast.Constant):
        is_read = not isinstance(first.value, str)  # a text is evaluated when the test runs
        if is_read and bool(first.value) == (name != "skipUnless"):
            return f"it is skipped in line {line}"
    if name == "parametrize" and isinstance(table, ast.List | ast.Tuple) and not table.elts:
        return f"its table in line {line} has no rows"
    return ""


def stray_links(
    body: Sequence[ast.stmt], reader: MarkReader, tests: Collection[int], mixins: Collection[int]
) -> Iterator[Stray]:
    """Yields links of a test file on functions and classes that pytest takes for no test.

    `tests` are the `id`s of the functions and classes that it collects, `mixins` those of methods
    that other classes may inherit as tests.
    """
    for node in statements(body):
        if isinstance(node, ast.ClassDef):
            if id(node) not in tests:
                yield from _strays(reader.on_class(node), node.name, _UNCOLLECTED, node.name)
            for method in statements(node.body):
                if isinstance(method, FunctionNode) and id(method) not in tests:
                    inherited = id(method) in mixins
                    what = f"of {_UNCOLLECTED}" if inherited else _what(method)
                    base = node.name if inherited else ""
                    yield from _strays(reader.of_function(method), method.name, what, base)
        elif isinstance(node, FunctionNode) and id(node) not in tests:
            yield from _strays(reader.of_function(node), node.name, _what(node))


def _strays(marks: Iterable[Mark], name: str, what: str, base: str = "") -> Iterator[Stray]:
    return (Stray(name, what, mark.place, base) for mark in marks if mark.ids and not mark.row)


def _what(node: FunctionNode) -> str:
    return "a fixture" if is_fixture(node) else "a function that is not a test"


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
    """Yields the names of the marks that are written out in the module's `pytestmark`."""
    for stmt in parse_readable(text).body:
        if isinstance(stmt, ast.Assign) and "pytestmark" in map(ast.unparse, stmt.targets):
            for node in ast.walk(stmt.value):
                if isinstance(node, ast.Attribute) and ast.unparse(node.value).endswith("mark"):
                    yield node.attr
