"""Faults of test functions that no language server sees: names, parameters, fixtures, awaits."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from unittest import TestCase

from pytest_lift.gate.diagnosis.diagnostic import Diagnostic
from pytest_lift.gate.diagnosis.fixtures import parametrized, requested
from pytest_lift.source.syntax import (
    FunctionNode,
    bare_leaf,
    chain,
    elements,
    is_fixture,
    statements,
    texts,
    walked,
)
from pytest_lift.suite.collection import Naming
from pytest_lift.suite.test_file import parse_test_file

_XUNIT = frozenset({"setUp", "tearDown", "setUpClass", "tearDownClass"})
_SELVES = ("self", "cls", "this", "_", "_self")
_GIVING = ("pytest", "mark", "given", "settings", "example", "hypothesis", "fixture")
"""First names of decorators that give arguments by name."""
OF_CASES = frozenset(name for name in dir(TestCase) if name.startswith(("assert", "subTest")))
Classes = Sequence[ast.ClassDef]


@dataclass(frozen=True, eq=False)
class Structure:
    """One test file as its test functions are collected and called."""

    path: str
    text: str
    tree: ast.Module
    naming: Naming
    fixtures: Collection[str] | None
    """Fixtures that its tests can ask for; None where that cannot be told."""
    coroutines: frozenset[str] = frozenset()
    """Names in the file of functions of the program that must be awaited."""

    def diagnostics(self) -> Iterator[Diagnostic]:
        yield from self._redefined()
        for function, classes in self._functions:
            yield from self._of_function(function, classes)
        for node in walked(self.tree):
            if isinstance(node, ast.AsyncFunctionDef):
                yield from self._not_awaited(node)

    @cached_property
    def cases(self) -> frozenset[str]:
        """Classes of the file that are test cases of unittest's, or may be."""
        found: set[str] = set()
        own = {n.name for n in walked(self.tree) if isinstance(n, ast.ClassDef)}
        for node in walked(self.tree):
            if isinstance(node, ast.ClassDef):
                bases = {bare_leaf(base) for base in node.bases} - {"object"}
                if bases - own or bases & found:
                    found.add(node.name)
        return frozenset(found)

    @cached_property
    def _functions(self) -> list[tuple[FunctionNode, Classes]]:
        return [*_functions(self.tree.body, ())]

    def _redefined(self) -> Iterator[Diagnostic]:
        for test in parse_test_file(self.path, self.text, self.naming).shadowed:
            where = next((f for f, _ in self._functions if f.lineno == test.place.line), None)
            if where is not None:
                why = f"the test {where.name} is defined again further down and never runs"
                yield _at_name(where, "redefined-test", where.name, why)

    def _of_function(self, function: FunctionNode, classes: Classes) -> Iterator[Diagnostic]:
        owner = classes[-1] if classes else None
        is_test = self.naming.is_test_function(function.name)
        if not is_test and not is_fixture(function):
            if owner is not None and owner.name not in self.cases:
                yield from self._xunit(function, owner)
            return
        if owner is not None and not (
            owner.name in self.cases or self.naming.is_test_class(owner.name)
        ):
            return
        if owner is not None and owner.name in self.cases:
            yield from self._of_case(function, owner)
            return
        yield from self._tables(function, classes)
        lacks_self = owner is not None and self._lacks_self(function, classes)
        if owner is not None:
            yield from self._of_cases(function, owner)
            if lacks_self:
                why = f"the method {function.name} has no parameter self"
                yield _at_name(function, "missing-self", function.name, why)
        if not _is_plain(function, classes):
            return
        given = parametrized(_decorators(function, classes))
        arguments = requested(function)
        if owner is not None and not lacks_self:
            arguments = arguments[1:]
        if self.fixtures is None:
            return
        for arg in arguments:
            if arg.arg not in given and arg.arg not in self.fixtures:
                if owner is None and arg.arg in ("self", "cls"):
                    why = f"{function.name} is no method: nothing is passed for {arg.arg!r}"
                else:
                    why = f"there is no fixture {arg.arg!r}"
                end = arg.col_offset + len(arg.arg.encode())
                yield Diagnostic(arg.lineno, arg.col_offset, end, "unknown-fixture", arg.arg, why)

    def _lacks_self(self, function: FunctionNode, classes: Classes) -> bool:
        """Whether the first parameter of a method is one that pytest, or a decorator, gives an
        argument by name."""
        names = [chain(d.func if isinstance(d, ast.Call) else d) for d in function.decorator_list]
        plain = [*function.args.posonlyargs, *function.args.args]
        if any(bare_leaf(base) != "object" for cls in classes for base in cls.bases):
            return False
        for call in function.decorator_list:
            if plain and isinstance(call, ast.Call) and bare_leaf(call) == "given":
                named = {word.arg for word in call.keywords}
                if len(call.args) == len(plain) or plain[0].arg in named:
                    return True
        if not all(one and one[0] in _GIVING for one in names):
            return False
        if not plain:
            return not function.args.vararg
        given = parametrized(_decorators(function, classes))
        calls = [d for d in function.decorator_list if isinstance(d, ast.Call)]
        given |= {word.arg for call in calls for word in call.keywords if word.arg}
        first = plain[0].arg
        if first in given or first in _SELVES or self.fixtures is None:
            return first in given or first not in _SELVES
        return first in self.fixtures

    def _of_case(self, function: FunctionNode, owner: ast.ClassDef) -> Iterator[Diagnostic]:
        """Yields what a test case of unittest's cannot do: its methods get no arguments."""
        if bare_leaf(owner.bases[0]) not in ("TestCase", "IsolatedAsyncioTestCase"):
            return
        if is_fixture(function) or not _is_plain(function, ()):
            return
        given = parametrized(function.decorator_list)
        for arg in requested(function)[1:]:
            if arg.arg in given or (self.fixtures is not None and arg.arg in self.fixtures):
                why = f"a method of a unittest.TestCase gets no argument {arg.arg!r} from pytest"
                end = arg.col_offset + len(arg.arg.encode())
                yield Diagnostic(arg.lineno, arg.col_offset, end, "case-argument", arg.arg, why)

    def _of_cases(self, function: FunctionNode, owner: ast.ClassDef) -> Iterator[Diagnostic]:
        """Yields methods of test cases that a plain class does not have."""
        own = {n.name for n in owner.body if isinstance(n, FunctionNode)}
        for node in ast.walk(function):
            if not isinstance(node, ast.Attribute) or chain(node) != ["self", node.attr]:
                continue
            if node.attr in OF_CASES - own and not owner.bases:
                why = f"{owner.name} is no unittest.TestCase and has no {node.attr!r}"
                yield _at(node, "case-method", node.attr, why)

    def _xunit(self, function: FunctionNode, owner: ast.ClassDef) -> Iterator[Diagnostic]:
        if function.name in _XUNIT and self.naming.is_test_class(owner.name):
            why = f"pytest does not call {function.name} of a class that is no unittest.TestCase"
            yield _at_name(function, "xunit-method", function.name, why)

    def _tables(self, function: FunctionNode, classes: Classes) -> Iterator[Diagnostic]:
        """Yields tables whose columns are no parameters, or whose rows have another length."""
        names = {arg.arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg)}
        names |= _used_fixtures(_decorators(function, classes))
        for call in function.decorator_list:
            if not isinstance(call, ast.Call) or bare_leaf(call) != "parametrize" or not call.args:
                continue
            columns = [*_columns(call.args[0])]
            for name in columns:
                if name not in names and not _is_open(function):
                    why = f"{function.name} has no parameter {name!r} that its table names"
                    yield _at(call.args[0], "parametrize-names", name, why)
            rows = call.args[1] if len(call.args) > 1 else None
            if len(columns) > 1 and isinstance(rows, ast.List | ast.Tuple):
                yield from _odd_rows(function, columns, rows.elts)

    def _not_awaited(self, function: ast.AsyncFunctionDef) -> Iterator[Diagnostic]:
        for node in _own(function):
            called: list[ast.expr] = []
            match node:
                case ast.Expr(value=value) | ast.Assert(test=value):
                    called = [value]
                case ast.Compare(left=left, comparators=comparators):
                    called = [left, *comparators]
                case ast.Attribute(value=value) | ast.Subscript(value=value):
                    called = [value]
            for call in called:
                if isinstance(call, ast.Call):
                    name = ".".join(chain(call.func))
                    if name in self.coroutines:
                        why = f"{name}() is a coroutine function: its call is not awaited"
                        yield _at(call, "missing-await", name, why)


def _functions(body: list[ast.stmt], classes: Classes) -> Iterator[tuple[FunctionNode, Classes]]:
    for node in statements(body):
        if isinstance(node, FunctionNode):
            yield node, classes
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, (*classes, node))


def _decorators(function: FunctionNode, classes: Classes) -> list[ast.expr]:
    return [*function.decorator_list, *(d for one in classes for d in one.decorator_list)]


def _is_plain(function: FunctionNode, classes: Classes) -> bool:
    """Whether nothing but marks with names that can be read says what arguments a function gets."""
    for one in _decorators(function, classes):
        call = one.func if isinstance(one, ast.Call) else one
        names = chain(call)
        if not names or not (names[0] in ("pytest", "mark") or names[-1] == "fixture"):
            return False
        if names[-1] == "parametrize" and isinstance(one, ast.Call) and not _table(one):
            return False
    return not any(bare_leaf(base) != "object" for cls in classes for base in cls.bases)


def _table(call: ast.Call) -> list[str]:
    """Returns the columns of a call of `parametrize`; none where its text does not tell all."""
    return [*_columns(call.args[0])] if call.args else []


def _columns(node: ast.expr) -> Iterator[str]:
    """Yields the columns of a table; none where its text does not tell all."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from filter(None, (name.strip() for name in node.value.split(",")))
    elif isinstance(node, ast.List | ast.Tuple):
        names = [*texts(node.elts)]
        yield from names if len(names) == len(node.elts) else ()


def _odd_rows(
    function: FunctionNode, columns: Sequence[str], rows: Sequence[ast.expr]
) -> Iterator[Diagnostic]:
    for row in rows:
        is_row = isinstance(row, ast.Tuple | ast.List) or (
            isinstance(row, ast.Call) and bare_leaf(row) == "param"
        )
        values = elements(row)
        if is_row and len(values) != len(columns) and not _has_star(values):
            why = f"a row of {function.name} has {len(values)} values for {len(columns)} names"
            yield _at(row, "parametrize-row", function.name, why)


def _has_star(values: Sequence[ast.expr]) -> bool:
    return any(isinstance(value, ast.Starred) for value in values)


def _is_open(function: FunctionNode) -> bool:
    """Whether a function takes, or its other decorators take, arguments of any name."""
    plain = all(
        chain(d.func if isinstance(d, ast.Call) else d)[:1] in (["pytest"], ["mark"])
        for d in function.decorator_list
    )
    return function.args.kwarg is not None or not plain


def _used_fixtures(decorators: Sequence[ast.expr]) -> set[str]:
    calls = [one for one in decorators if isinstance(one, ast.Call)]
    return {n for call in calls if bare_leaf(call) == "usefixtures" for n in texts(call.args)}


def _own(function: FunctionNode) -> Iterator[ast.AST]:
    """Yields the nodes of a function without those of functions in it."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, FunctionNode | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def _at(node: ast.expr, rule: str, subject: str, message: str) -> Diagnostic:
    end = node.end_col_offset if node.end_lineno == node.lineno else None
    return Diagnostic(node.lineno, node.col_offset, end or node.col_offset, rule, subject, message)


def _at_name(node: FunctionNode, rule: str, subject: str, message: str) -> Diagnostic:
    start = node.col_offset + len(
        "async def " if isinstance(node, ast.AsyncFunctionDef) else "def "
    )
    return Diagnostic(node.lineno, start, start + len(node.name.encode()), rule, subject, message)
