"""The assertions of a test: of what kind, whether they can fail, and whose values they look at."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pytest_lift.gate.checks import EXPECTING, UNITTEST, Check, checks
from pytest_lift.gate.names_meant import leaf
from pytest_lift.gate.substance import Substance
from pytest_lift.strength.provenance import ModuleSources, Provenance, Source, root_of
from pytest_lift.suite import Suite
from pytest_lift.testfile import Definition, FunctionNode, Naming, parse, statements

Kind = Literal[
    "equality", "comparison", "membership", "identity", "not-none", "truth", "type",
    "raises", "approx", "mock", "unittest", "helper", "fail",
]  # fmt: skip
LOOSE: frozenset[Kind] = frozenset({"truth", "not-none", "type"})
"""Kinds that most wrong values satisfy, too."""

_UNITTEST: Mapping[str, Kind] = {
    "assertEqual": "equality", "assertEquals": "equality", "assertNotEqual": "equality",
    "assertListEqual": "equality", "assertDictEqual": "equality", "assertSetEqual": "equality",
    "assertTupleEqual": "equality", "assertMultiLineEqual": "equality",
    "assertSequenceEqual": "equality", "assertCountEqual": "equality",
    "assertTrue": "truth", "assertFalse": "truth", "assert_": "truth",
    "assertIs": "identity", "assertIsNone": "identity", "assertIsNot": "identity",
    "assertIsNotNone": "not-none", "assertIn": "membership", "assertNotIn": "membership",
    "assertIsInstance": "type", "assertNotIsInstance": "type", "assertAlmostEqual": "approx",
    "assertNotAlmostEqual": "approx", "assertGreater": "comparison", "assertLess": "comparison",
    "assertGreaterEqual": "comparison", "assertLessEqual": "comparison",
}  # fmt: skip
_OPERATORS: Mapping[type[ast.cmpop], Kind] = {
    ast.Eq: "equality", ast.NotEq: "equality", ast.Is: "identity", ast.IsNot: "identity",
    ast.In: "membership", ast.NotIn: "membership",
}  # fmt: skip
_TYPES = frozenset({"isinstance", "issubclass", "callable", "hasattr"})
_CHECKING = ("assert", "check", "verify", "expect", "ensure", "validate", "compare", "must")
_MOCKED = (
    *("assert_called", "assert_not_called", "assert_any_call", "assert_has_calls"),
    *("assert_awaited", "assert_not_awaited", "assert_any_await", "assert_has_awaits"),
)


@dataclass(frozen=True)
class Assertion:
    """One assertion as it is written."""

    kind: Kind
    text: str
    line: int
    can_fail: bool
    looks_at: Source
    """Whose values decide it, as far as can be told from the text."""


@dataclass(frozen=True)
class Assertions:
    """All of one test."""

    listed: tuple[Assertion, ...] = ()
    elsewhere: bool = False
    """Something that is not in its own text asserts: a helper, an inherited method."""

    @property
    def effective(self) -> tuple[Assertion, ...]:
        return tuple(one for one in self.listed if one.can_fail)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return tuple(dict.fromkeys(one.kind for one in self.listed))

    @property
    def any_can_fail(self) -> bool:
        return self.elsewhere or bool(self.effective)

    @property
    def idle(self) -> bool:
        """Nothing that the program returns can make one of them fail."""
        return not self.any_can_fail or self.looks_at != "program"

    @property
    def looks_at(self) -> Source:
        """The most that any looks at; ``own`` for no assertion."""
        said = {one.looks_at for one in self.effective}
        if self.elsewhere or "program" in said:
            return "program"
        return "mock" if "mock" in said else "own"


def read_assertions(suite: Suite, names: tuple[str, ...]) -> dict[str, Assertions]:
    """Node of each test function of `suite` -> its assertions. `names`: the program's."""
    found: dict[str, Assertions] = {}
    for path, file in suite.files.items():
        if file.tests:
            of_file = assertions_of(parse(file.text), names, suite.naming)
            found |= {f"{path}::{name}": one for name, one in of_file.items()}
    return found


def assertions_of(
    tree: ast.Module, names: tuple[str, ...], naming: Naming
) -> dict[str, Assertions]:
    """``TestClass::test_f`` -> its assertions, for one file."""
    substance, helpers = Substance(tree, naming, names), Helpers(tree, names)
    module = ModuleSources(tree)
    return {
        name: _of_test(found, Provenance(module, found.function), substance, helpers)
        for name, found in substance.tests.items()
    }


class Helpers:
    """The functions of a file by name, and which of them assert something."""

    def __init__(self, tree: ast.Module, names: tuple[str, ...]) -> None:
        self._functions: dict[str, list[FunctionNode]] = {}
        self._known = frozenset({*names, *sys.stdlib_module_names, "pytest"})
        self._imported = self._imports(tree)
        for node in _functions(tree.body):
            self._functions.setdefault(node.name, []).append(node)

    def defines(self, name: str) -> bool:
        return name in self._functions

    def used_by(self, function: FunctionNode) -> bool:
        """Whether `function` uses one that asserts, directly or through others."""
        pending, seen = [function], {function.name}
        while pending:
            names = _names(pending.pop()) & self._functions.keys() - seen
            seen |= names
            for name in names:
                if self.asserts(name):
                    return True
                pending += self._functions[name]
        return False

    def may_be_used_by(self, function: FunctionNode) -> bool:
        """Whether something from elsewhere is called for what it does, not for what it gives."""
        imported = self._imported | self._imports(function)
        for node in ast.walk(function):
            call = node.value if isinstance(node, ast.Expr) else None
            call = node.context_expr if isinstance(node, ast.withitem) else call
            if not isinstance(call, ast.Call):
                continue
            name = leaf(call.func)
            inherited = root_of(call.func) == "self" and not self.defines(name)
            if name.startswith("assert"):
                continue  # known, and found to be unable to fail
            if inherited or root_of(call.func) in imported:
                return True
        return False

    def _imports(self, tree: ast.AST) -> frozenset[str]:
        """Names that come from neither the program nor what is known not to assert."""
        return frozenset(
            alias.asname or alias.name.partition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
            if _top(node, alias) not in self._known
        )

    def asserts(self, name: str) -> bool:
        return any(
            not isinstance(check.node, ast.Call) or leaf(check.node.func) not in self._functions
            for node in self._functions.get(name, ())
            for check in checks(node)
            if name.startswith(_CHECKING) or not _simulates(check)
        )


def _of_test(
    found: Definition, provenance: Provenance, substance: Substance, helpers: Helpers
) -> Assertions:
    effective = {
        id(check.node): check
        for check in checks(found.function)
        if not (_simulates(check) and _is_inner(check))
    }
    written = {id(node): node for node in _candidates(found)}
    nodes = {**written, **{number: check.node for number, check in effective.items()}}
    listed = []
    for number, node in nodes.items():
        called = leaf(node.func) if isinstance(node, ast.Call) else ""
        idle = helpers.defines(called) and not helpers.used_by(_calling(called))
        fails = number in effective and not compares_itself(node) and not idle
        text = effective[number].text if number in effective else _text(node)
        kind = _kind(node)
        source = _looked_at(node, kind, provenance, found)
        listed.append(Assertion(kind, text, getattr(node, "lineno", 0), fails, source))
    asserts = not any(fault.startswith("asserts") for fault in substance.faults(found.name))
    handed = asserts and not effective and helpers.may_be_used_by(found.function)
    elsewhere = helpers.used_by(found.function) or handed
    return Assertions(tuple(sorted(listed, key=lambda one: one.line)), elsewhere)


def _functions(body: Sequence[ast.stmt]) -> Iterator[FunctionNode]:
    """Functions of a module and of its classes; inner ones belong to what they are in."""
    for node in statements(body):
        if isinstance(node, FunctionNode):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body)


def _top(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    if isinstance(node, ast.ImportFrom):
        return "." if node.level else (node.module or "").partition(".")[0]
    return alias.name.partition(".")[0]


def _simulates(check: Check) -> bool:
    """It raises what a program would raise."""
    return isinstance(check.node, ast.Raise) and "AssertionError" not in check.text


def _is_inner(check: Check) -> bool:
    return any(head.startswith(("def ", "class ")) for head in check.within)


def _calling(name: str) -> FunctionNode:
    body = ast.parse(f"def _():\n    {name}()").body[0]
    assert isinstance(body, ast.FunctionDef)
    return body


def _names(function: FunctionNode) -> set[str]:
    """Names that a function uses, those of its fixtures included."""
    found: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name):
                found.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                found.add(name)
    return found


def _text(node: ast.AST) -> str:
    return ast.unparse(node.test if isinstance(node, ast.Assert) else node)


def compares_itself(node: ast.AST) -> bool:
    """``assert f(x) == f(x)``: only a value that differs from itself, or from call to call."""
    match node:
        case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
            return _same(left, right)
        case ast.Assert(test=ast.BoolOp(op=ast.And(), values=values)):
            return all(compares_itself(ast.Assert(value)) for value in values)
        case ast.Call(func=called, args=[left, right, *_]) if leaf(called) in _UNITTEST:
            equal = _UNITTEST[leaf(called)] == "equality" and leaf(called) != "assertNotEqual"
            return equal and _same(left, right)
    return False


def _same(left: ast.expr, right: ast.expr) -> bool:
    match right:
        case ast.Call(func=called, args=[inner, *_]) if leaf(called) == "approx":
            right = inner
    return ast.dump(left) == ast.dump(right) and not _makes(left)


def _makes(node: ast.expr) -> bool:
    """``C(1) == C(1)`` asks whether two objects are equal, which their class may deny."""
    return isinstance(node, ast.Call) and leaf(node.func)[:1].isupper()


def _candidates(found: Definition) -> Iterator[ast.AST]:
    """What is written as an assertion, whether it can fail or not."""
    for node in ast.walk(found.function):
        if isinstance(node, ast.Assert) or (
            isinstance(node, ast.Call) and leaf(node.func).startswith("assert")
        ):
            yield node


def _looked_at(node: ast.AST, kind: Kind, provenance: Provenance, found: Definition) -> Source:
    if isinstance(node, ast.Assert):
        return provenance.of(node.test)
    if kind == "raises":
        for outer in ast.walk(found.function):
            if isinstance(outer, ast.With | ast.AsyncWith) and any(
                node in ast.walk(item.context_expr) for item in outer.items
            ):
                sources = {provenance.of(statement) for statement in outer.body}
                return "program" if "program" in sources else "mock" if "mock" in sources else "own"
    if kind == "mock" and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return provenance.of(node.func.value)
    if kind == "helper" or not isinstance(node, ast.Call):
        return "program"
    sources = {provenance.of(argument) for argument in node.args}
    return "program" if "program" in sources else "mock" if "mock" in sources else "own"


def _kind(node: ast.AST) -> Kind:
    if isinstance(node, ast.Assert):
        return _kind_of(node.test)
    if not isinstance(node, ast.Call):
        return "fail"
    name = leaf(node.func)
    if name in EXPECTING | UNITTEST:
        return "raises"
    if name == "fail":
        return "fail"
    if name.startswith(_MOCKED):
        return "mock"
    if name in _UNITTEST:
        return _UNITTEST[name]
    on_self = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "self"
    return "unittest" if on_self else "helper"


def _kind_of(test: ast.expr) -> Kind:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _kind_of(operand)
        case ast.BoolOp(values=values):
            kinds = [_kind_of(value) for value in values]
            return next((kind for kind in kinds if kind not in LOOSE), kinds[0])
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return "not-none"
        case ast.Compare(left=ast.Call(func=ast.Name(id="type"))):
            return "type"
        case ast.Compare(ops=[op, *_], comparators=sides, left=left):
            approx = any(leaf(n.func) == "approx" for side in (left, *sides)
                         for n in ast.walk(side) if isinstance(n, ast.Call))  # fmt: skip
            return "approx" if approx else _OPERATORS.get(type(op), "comparison")
        case ast.Call(func=called) if leaf(called) in _TYPES:
            return "type"
        case ast.Attribute(attr="called" | "call_count" | "call_args" | "awaited"):
            return "mock"
        case _ if any(isinstance(n, ast.Compare) for n in ast.walk(test)):
            return "comparison"  # all(x > 1 for x in f())
    return "truth"
