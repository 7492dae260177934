"""The kind of an assertion, and of what a test says it asks for."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Literal

from pytest_lift.assertions.checks import EXPECTING, UNITTEST
from pytest_lift.source.syntax import FunctionNode, leaf

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
