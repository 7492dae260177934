"""The assertions of a test: of what kind, whether they can fail, and whose values they look at."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from pytest_lift.assertions.checks import EXPECTING, UNITTEST, checks
from pytest_lift.assertions.missing_oracle import Helpers, remnant_of, simulates
from pytest_lift.assertions.substance import Substance
from pytest_lift.assertions.value_origin import ModuleSources, Provenance, Source
from pytest_lift.source.syntax import FunctionNode, leaf, parse
from pytest_lift.suite.collection import Definition, Naming
from pytest_lift.suite.suite import Suite

Kind = Literal[
    "equality", "comparison", "membership", "identity", "not-none", "truth", "type",
    "raises", "approx", "mock", "unittest", "helper", "fail",
]  # fmt: skip
LOOSE: frozenset[Kind] = frozenset({"truth", "not-none", "type"})
"""Kinds that most wrong values satisfy, too."""

UNITTEST_KINDS: Mapping[str, Kind] = {
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
_MOCKED = (
    *("assert_called", "assert_not_called", "assert_any_call", "assert_has_calls"),
    *("assert_awaited", "assert_not_awaited", "assert_any_await", "assert_has_awaits"),
)


Intent = Literal["", "possible", "not-raised"]
"""``possible``: something can be done, or is accepted, which a stronger test would say, too."""

_NOT_RAISED = re.compile(
    r"(?:(?:\b(?:not|never|no|without|nothing|doesnt|dont|wont)|n't)\s(?:\w+\s){0,3}?"
    r"(?:rais|err|crash|fail|exception|warn|thr[eo]w|happen|break|explod|hang|deadlock|segfault)"
    r"|\bsmoke\b|\bsilent(?:ly)?\b)"
)
_POSSIBLE = re.compile(
    r"\b(?:(?:can|may)\b(?! not\b| n't)|(?:is|are|be|been|it's) (?:\w+ )?"
    r"(?:accepted|allowed|legal|valid|ignored|possible|supported|fine|ok|happy)|accepts?|allows?"
    r"|works?|working|succeeds?|success|passes|pass|valid|possible|imports?|importable"
    r"|(?:hash|pickle?|instanti|call|subclass|iter|copy|construct)\w*able|ok|okay)\b"
)


def kind_of(node: ast.AST) -> Kind:
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
    if name in UNITTEST_KINDS:
        return UNITTEST_KINDS[name]
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


def intent_of(function: FunctionNode) -> Intent:
    name = function.name.replace("_", " ")
    said = f"{name}. {ast.get_docstring(function) or ''}".lower()
    said = " ".join(said.replace("n't", " n't").split())
    if _NOT_RAISED.search(said):
        return "not-raised"
    return "possible" if _POSSIBLE.search(said) else ""


@dataclass(frozen=True)
class Assertion:
    """One assertion as it is written."""

    kind: Kind
    text: str
    line: int
    can_fail: bool
    looks_at: Source
    """Origin of the values that decide it, as far as the text tells."""


@dataclass(frozen=True)
class Assertions:
    """Assertions of one test."""

    listed: tuple[Assertion, ...] = ()
    elsewhere: bool = False
    """Something that is not in its own text asserts: a helper, an inherited method."""
    intent: Intent = ""
    """Whether it says that all it asks is that nothing is raised."""
    remnant: str = ""
    """Where nothing is asserted: what shows that something was, in words."""
    acts: bool = True
    """Its body does something: it calls, imports or defines."""

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
    def bare(self) -> bool:
        """Whether nothing is asserted but that the end is reached (``assert True``)."""
        return not self.elsewhere and all(one.text == "True" for one in self.listed)

    @property
    def idle(self) -> bool:
        """Whether no value that the program returns can make an assertion fail."""
        return not self.any_can_fail or self.looks_at != "program"

    @property
    def looks_at(self) -> Source:
        """Strongest origin of a value that an assertion looks at; ``own`` without assertions."""
        said = {one.looks_at for one in self.effective}
        if self.elsewhere or "program" in said:
            return "program"
        return "mock" if "mock" in said else "own"


def read_assertions(suite: Suite, names: tuple[str, ...]) -> dict[str, Assertions]:
    """Returns node of each test function of `suite` -> its assertions. `names`: the program's."""
    found: dict[str, Assertions] = {}
    for path, file in suite.files.items():
        if file.tests:
            of_file = assertions_of(parse(file.text), names, suite.naming)
            found |= {f"{path}::{name}": one for name, one in of_file.items()}
    return found


def assertions_of(
    tree: ast.Module, names: tuple[str, ...], naming: Naming
) -> dict[str, Assertions]:
    """Returns ``TestClass::test_f`` -> its assertions, for one file."""
    substance, helpers = Substance(tree, naming, names), Helpers(tree, names)
    module = ModuleSources(tree)
    return {
        name: _of_test(found, Provenance(module, found.function), substance, helpers)
        for name, found in substance.tests.items()
    }


def _of_test(
    found: Definition, provenance: Provenance, substance: Substance, helpers: Helpers
) -> Assertions:
    effective = {
        id(check.node): check
        for check in checks(found.function)
        if not (
            simulates(check) and any(head.startswith(("def ", "class ")) for head in check.within)
        )
    }
    written = {id(node): node for node in _candidates(found)}
    nodes = {**written, **{number: check.node for number, check in effective.items()}}
    listed = []
    for number, node in nodes.items():
        called = leaf(node.func) if isinstance(node, ast.Call) else ""
        idle = helpers.defines(called) and not helpers.used_by(_calling(called))
        fails = number in effective and not compares_itself(node) and not idle
        text = effective[number].text if number in effective else _text(node)
        kind = kind_of(node)
        source = _looked_at(node, kind, provenance, found)
        listed.append(Assertion(kind, text, getattr(node, "lineno", 0), fails, source))
    asserts = not any(fault.startswith("asserts") for fault in substance.faults(found.name))
    handed = asserts and not effective and helpers.may_be_used_by(found.function)
    elsewhere = helpers.used_by(found.function) or handed
    bare = not (listed or elsewhere)
    return Assertions(
        tuple(sorted(listed, key=lambda one: one.line)),
        elsewhere,
        intent_of(found.function),
        remnant_of(found.function) if bare else "",
        _acts(found.function),
    )


def _acts(function: FunctionNode) -> bool:
    doing = (ast.Call, ast.Import, ast.ImportFrom, ast.ClassDef)
    return any(isinstance(n, doing) for statement in function.body for n in ast.walk(statement))


def _calling(name: str) -> FunctionNode:
    body = ast.parse(f"def _():\n    {name}()").body[0]
    assert isinstance(body, ast.FunctionDef)
    return body


def _text(node: ast.AST) -> str:
    return ast.unparse(node.test if isinstance(node, ast.Assert) else node)


def compares_itself(node: ast.AST) -> bool:
    """Whether both sides of an equality are the same expression (``assert f(x) == f(x)``): it fails
    only for a value that differs from itself, or from call to call."""
    match node:
        case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
            return _same(left, right)
        case ast.Assert(test=ast.BoolOp(op=ast.And(), values=values)):
            return all(compares_itself(ast.Assert(value)) for value in values)
        case ast.Call(func=called, args=[left, right, *_]) if leaf(called) in UNITTEST_KINDS:
            equal = UNITTEST_KINDS[leaf(called)] == "equality" and leaf(called) != "assertNotEqual"
            return equal and _same(left, right)
    return False


def _same(left: ast.expr, right: ast.expr) -> bool:
    match right:
        case ast.Call(func=called, args=[inner, *_]) if leaf(called) == "approx":
            right = inner
    # C(1) == C(1) can fail, since the class may deny it.
    makes = isinstance(left, ast.Call) and leaf(left.func)[:1].isupper()
    return ast.dump(left) == ast.dump(right) and not makes


def _candidates(found: Definition) -> Iterator[ast.AST]:
    """Yields nodes that are written as assertions, whether they can fail or not."""
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
