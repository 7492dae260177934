"""Decides whether a test asserts the opposite of what a requirement states, by both texts.

Such a test passes on a program that contradicts the requirement, and fails once it is mended. What
texts do not decide is not taken for an opposite.
"""

from __future__ import annotations

import ast
import builtins
import operator
import textwrap
from collections.abc import Callable, Iterator, Mapping, Set
from functools import lru_cache

from pytest_lift.expectations.asserted import (
    ANY_ERROR,
    RAISING,
    Claim,
    asserted_rows,
    claim_of,
    is_same_error,
)
from pytest_lift.oracles.discrepancies import Discrepancy
from pytest_lift.requirements.requirement import Expectation
from pytest_lift.source.syntax import FunctionNode, called, parsed, parsed_expression, unparsed

_COMPARING: Mapping[type[ast.cmpop], Callable[..., object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.eq,
    ast.IsNot: operator.ne,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
}
_CALLED: Mapping[str, Callable[..., object]] = {
    "len": len,
    "abs": abs,
    "bool": bool,
    "sorted": sorted,
}
_HARMLESS = frozenset({*RAISING, "warns", "suppress", "subTest", "deprecated_call"})
"""Context managers within which a call does what it does elsewhere."""
_LATER = (ast.Lambda, ast.BoolOp, ast.IfExp, ast.GeneratorExp, ast.ListComp, ast.SetComp)
"""Expressions of which a part may not be evaluated."""
_GIVEN = frozenset({"self", "tmp_path", "capsys", "caplog", "request"})
"""Parameters of tests that change nothing by being there."""


class _Unknown(Exception):
    """The value of an expression does not follow from its text."""


def opposes(said: Discrepancy, source: str) -> bool:
    """Whether the test `source` fails if the program does what the requirement says."""
    if said.broken or not _is_named(said.call, source) or not _is_plain(source):
        return False
    for form in _forms(said):
        wanted = claim_of(form)
        if wanted is None:
            continue
        claim, preparations = wanted
        for made, done in asserted_rows(source):
            others = done - {subject for kind, subject, _ in made if kind == "raises"}
            if others == preparations and any(_excludes(claim, one, said, made) for one in made):
                return True
    return False


def _is_named(call: str, source: str) -> bool:
    """Whether a test has the name of anything that is called; most tests are about others."""
    names = _names_called(call)
    return not names or any(name in source for name in names)


@lru_cache(maxsize=1024)
def _names_called(call: str) -> frozenset[str]:
    tree = parsed(call.strip(), "eval")
    nodes = ast.walk(tree) if tree is not None else ()
    return frozenset(called(node) for node in nodes if isinstance(node, ast.Call)) - {""}


def _forms(said: Discrepancy) -> Iterator[Expectation]:
    """Yields what is stated, in the words of the text and in those of a test that shows it."""
    proof = said.proof
    if proof is not None:
        for call in dict.fromkeys((said.call, proof.call)):
            yield Expectation(
                said.requirement, "", call, proof.relation, proof.expected, said.setup
            )
    else:
        expected = "" if said.relation == "holds" else said.expected.removeprefix("raises ")
        yield Expectation(said.requirement, "", said.call, said.relation, expected, said.setup)


@lru_cache(maxsize=4096)
def _is_plain(source: str) -> bool:
    """Whether nothing around the calls of a test may change what they do."""
    tree = parsed(textwrap.dedent(source))
    if not isinstance(tree, ast.Module):
        return False
    functions = [node for node in tree.body if isinstance(node, FunctionNode)]
    if not functions:
        return False
    known = {node.name for node in functions} | _GIVEN
    known |= {
        name.strip()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and called(node) == "parametrize" and node.args
        for text in ast.walk(node.args[0])
        if isinstance(text, ast.Constant)
        for name in str(text.value).split(",")
    }
    if not all(one.arg in known for one in functions[-1].args.args):
        return False
    return all(
        isinstance(item.context_expr, ast.Call) and called(item.context_expr) in _HARMLESS
        for node in ast.walk(tree)
        if isinstance(node, ast.With | ast.AsyncWith)
        for item in node.items
    )


def _excludes(wanted: Claim, made: Claim, said: Discrepancy, claims: Set[Claim]) -> bool:
    """Whether a claim of a test cannot hold where the wanted one does."""
    relation, call, expected = wanted
    kind, subject, value = made
    if call not in subject and subject not in call:
        return False
    if relation == "raises":
        if kind == "raises":
            return subject == call and not _catches(value, expected)
        return kind == "holds" and _evaluates(subject, call)
    if kind == "raises":
        return subject == call or (relation == "holds" and _evaluates(call, subject))
    if relation == "equals" and kind == "holds":
        if len(_values_of(call, claims)) > 1:
            return False
        return _is_false(subject, {call: expected}) or _is_actual(subject, call, said)
    if relation == "holds" and kind == "equals" and _is_compared(subject, value, claims):
        return len(_values_of(subject, claims)) == 1 and _is_false(call, {subject: value})
    return relation == "holds" and made == ("equals", call, "False")


def _catches(kind: str, expected: str) -> bool:
    """Whether ``raises(kind)`` lets `expected` pass: it is one of the classes, or above it."""
    node = parsed_expression(kind)
    kinds = [unparsed(one) for one in node.elts] if isinstance(node, ast.Tuple) else [kind]
    if any(one in ANY_ERROR or is_same_error(one, expected) for one in kinds):
        return True
    wanted = getattr(builtins, expected, None)
    if not isinstance(wanted, type):
        return any(not isinstance(getattr(builtins, one, None), type) for one in kinds)
    above = (getattr(builtins, one, None) for one in kinds)
    return any(one is None or (isinstance(one, type) and issubclass(wanted, one)) for one in above)


def _evaluates(text: str, call: str) -> bool:
    """Whether evaluating an expression always makes the call."""
    node = parsed_expression(text)
    if node is None or any(isinstance(one, _LATER) for one in ast.walk(node)):
        return False
    return any(isinstance(one, ast.expr) and unparsed(one) == call for one in ast.walk(node))


def _is_compared(subject: str, value: str, claims: Set[Claim]) -> bool:
    """Whether a test compares both, and does not only ask whether `subject` is true."""
    return ("holds", f"{subject} == {value}", "") in claims


def _values_of(call: str, claims: Set[Claim]) -> set[str]:
    """Returns the values that the test compares a call with: several if it gives one after the
    other."""
    return {
        value
        for kind, subject, value in claims
        if kind == "equals" and subject == call and _is_compared(subject, value, claims)
    }


def _is_actual(claim: str, call: str, said: Discrepancy) -> bool:
    """Whether a claim is that the call gives what the program gives, in the same words."""
    actual = parsed_expression(said.actual)
    return actual is not None and claim == f"{call} == {unparsed(actual)}"


def _is_false(text: str, known: Mapping[str, str]) -> bool:
    """Whether an expression is false where its parts in `known` have these values."""
    node = parsed_expression(text)
    values = {part: parsed_expression(value) for part, value in known.items()}
    try:
        return node is not None and not _value(node, values)
    except (_Unknown, TypeError, ValueError, RecursionError, MemoryError):
        return False


def _value(node: ast.expr, known: Mapping[str, ast.expr | None]) -> object:
    """Returns the value of an expression. Raises _Unknown."""
    given = known.get(unparsed(node))
    if given is not None:
        return ast.literal_eval(given)
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return not _value(inner, known)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _compared(left, op, right, known)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            one, other = _value(left, known), _value(right, known)
            if isinstance(one, int | float) and isinstance(other, int | float):
                return one + other if isinstance(op, ast.Add) else one - other
            raise _Unknown
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name in _CALLED:
            return _CALLED[name](_value(inner, known))
    return ast.literal_eval(node)


def _compared(
    left: ast.expr, op: ast.cmpop, right: ast.expr, known: Mapping[str, ast.expr | None]
) -> object:
    if isinstance(op, ast.Eq | ast.NotEq) and _shown(left, known) == _shown(right, known):
        return isinstance(op, ast.Eq)
    one, other = _value(left, known), _value(right, known)
    if isinstance(one, float) or isinstance(other, float):
        near = isinstance(one, int | float) and isinstance(other, int | float)
        if near and abs(one - other) <= 1e-6 * max(abs(one), abs(other)):  # type: ignore[operator, arg-type]
            raise _Unknown  # a test may compare roughly
    return _COMPARING[type(op)](one, other)


def _shown(node: ast.expr, known: Mapping[str, ast.expr | None]) -> str:
    given = known.get(unparsed(node))
    return unparsed(given if given is not None else node)
