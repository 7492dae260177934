"""Does the expected value of a test stand in the requirement that the test names?

The answer decides between the grades *verified* and *touches*. It is computed from the two texts
alone: what the test expects (`expectations`) and what the requirement states (`statements`).
"""

from __future__ import annotations

import ast
import doctest
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pytest_lift.expectations import Expectation
from pytest_lift.expectations.asserted import asserts
from pytest_lift.normal_form import called, elements, parsed, unparsed
from pytest_lift.requirements import Requirement

CODE_SPAN = re.compile(r"``([^`]+)``|`([^`]+)`")
QUOTATION = re.compile(r"(?<!\w)(?:'[^'\s]{2,}'|\"[^\"\s]{2,}\")(?!\w)")
VARIABLE = re.compile(r"[a-z_][a-z0-9_]*")
DOCTEST_ERROR = re.compile(r"^([A-Za-z_][\w.]*)(?::|$)", re.MULTILINE)
TRIVIAL = frozenset({"None", "True", "False", "0", "1", "-1", "''", "b''", "[]", "{}", "()"})
"""Values that stand in almost every text by chance."""


@dataclass(frozen=True)
class Statement:
    """One expectation that a requirement states: an example, or a value quoted in its text."""

    value: str
    """Normalised source of the value, or the leaf name of an exception."""
    calls: frozenset[str]
    """Leaf names of the functions that must be called."""
    constants: frozenset[str] = frozenset()
    """Literals that must occur in the test; empty for a value quoted in prose."""


@dataclass(frozen=True)
class Expectations:
    """What the source of one test says it expects."""

    values: frozenset[str]
    calls: frozenset[str]
    keywords: frozenset[str]
    constants: frozenset[str]


def agreement(
    requirement: Requirement, source: str, expected_of_it: Sequence[Expectation] = ()
) -> str | None:
    """``example``, ``quoted value`` or ``expectation``: what the test `source` rests upon.

    `expected_of_it` is what the requirement's text lets one expect, as far as it can be relied on.
    None when what the test expects is not stated by the requirement, as far as texts can tell.
    """
    expected = expectations(source)
    if any(_is_made(statement, expected) for statement in examples(requirement)):
        return "example"
    spans = code_spans(requirement.text)
    called = {leaf for leaf in map(_leaf, spans) if leaf in expected.calls}
    options = {span for span in spans if re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)+", span)}
    asked_for = not options or options & (expected.keywords | expected.calls)
    if called and asked_for and _quoted(spans | quotations(requirement.text), expected):
        return "quoted value"
    if any(asserts(one, source) for one in expected_of_it):
        return "expectation"
    return None


def _is_made(statement: Statement, expected: Expectations) -> bool:
    return (
        statement.value in expected.values
        and statement.calls <= expected.calls
        and statement.constants <= expected.constants
    )


def _quoted(spans: frozenset[str], expected: Expectations) -> bool:
    """A value of the test, beyond the trivial ones, is one of the spans, bare or as a literal."""
    for value in expected.values - TRIVIAL:
        if VARIABLE.fullmatch(value):
            continue  # a name of the test's own, which may well be that of an option
        bare = value[1:-1] if value[:1] in "'\"" else value
        if value in spans or (len(bare) > 1 and bare in spans):
            return True
    return False


@lru_cache(maxsize=4096)
def code_spans(text: str) -> frozenset[str]:
    """What stands between backticks, call parentheses and keyword values left as they are."""
    return frozenset((a or b).strip() for a, b in CODE_SPAN.findall(text))


@lru_cache(maxsize=4096)
def quotations(text: str) -> frozenset[str]:
    """Words in quotes, quotes included: values that a text gives without backticks."""
    return frozenset(QUOTATION.findall(text))


def _leaf(span: str) -> str:
    """``simplejson.dumps(x)`` -> ``dumps``."""
    return span.partition("(")[0].rpartition(".")[2]


@lru_cache(maxsize=4096)
def examples(requirement: Requirement) -> tuple[Statement, ...]:
    """The examples of a requirement as statements; text that is no doctest states nothing here."""
    texts = (*requirement.examples, requirement.description, *requirement.acceptance)
    return tuple(s for text in texts if ">>>" in text for s in _doctest_statements(text))


def _doctest_statements(text: str) -> Iterator[Statement]:
    try:
        session = doctest.DocTestParser().get_examples(textwrap.dedent(text))
    except ValueError:
        return
    for example in session:
        tree = parsed(example.source)
        if tree is None:
            continue
        calls, constants = frozenset(_calls(tree)) - {"print"}, frozenset(_constants(tree))
        yield from (Statement(value, calls, constants) for value in _stated(example, tree))


def _stated(example: doctest.Example, tree: ast.AST) -> Iterator[str]:
    """What an example expects, in each form in which a test may say the same."""
    want = example.want.rstrip("\n")
    if example.exc_msg is not None:
        found = DOCTEST_ERROR.search(example.exc_msg)
        if found:
            yield _leaf(found.group(1))
    elif _is_print(tree):
        yield repr(want)
    elif want == "True":
        yield from _relation(tree)
    elif want:
        yield _normal(want) or repr(want)


def _is_print(tree: ast.AST) -> bool:
    call = _expression(tree)
    return isinstance(call, ast.Call) and ast.unparse(call.func) == "print" and len(call.args) == 1


def _relation(tree: ast.AST) -> Iterator[str]:
    """``f(x) == y`` printing True states the relation, not the value True."""
    expression = _expression(tree)
    if isinstance(expression, ast.Compare):
        yield unparsed(expression.comparators[-1])
    elif expression is not None:
        yield unparsed(expression)


def _expression(tree: ast.AST) -> ast.expr | None:
    """The single expression that `tree` is, if it is one."""
    body = getattr(tree, "body", None)
    if isinstance(body, list) and len(body) == 1 and isinstance(body[0], ast.Expr):
        return body[0].value
    return None


def _normal(source: str) -> str | None:
    """`source` as `ast.unparse` writes it: quotes and spaces no longer matter."""
    tree = parsed(source, "eval")
    return unparsed(tree) if tree is not None else None


@lru_cache(maxsize=16384)
def expectations(source: str) -> Expectations:
    """Read a test function's source: compared values, raised types, calls, keywords, literals."""
    tree = parsed(textwrap.dedent(source))
    if tree is None:
        return Expectations(frozenset(), frozenset(), frozenset(), frozenset())
    keywords = {k.arg for c in ast.walk(tree) if isinstance(c, ast.Call) for k in c.keywords}
    return Expectations(
        frozenset(_expected_values(tree)),
        frozenset(_calls(tree)),
        frozenset(name for name in keywords if name),
        frozenset(_constants(tree)),
    )


def _expected_values(tree: ast.AST) -> Iterator[str]:
    """What is asserted and both sides of its comparisons, rows of parametrize, raised types."""
    assigned = dict(_assigned(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            yield unparsed(node.test)
            for compare in ast.walk(node.test):
                if isinstance(compare, ast.Compare):
                    for side in map(unparsed, (compare.left, *compare.comparators)):
                        yield assigned.get(side, side)
        elif isinstance(node, ast.Call):
            name = called(node)
            if name == "raises" and node.args:
                yield from (_leaf(ast.unparse(e)) for e in elements(node.args[0]))
            elif name == "parametrize" and len(node.args) > 1:
                for row in elements(node.args[1]):
                    yield from map(unparsed, elements(row))


def _assigned(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """(name, value) of plain assignments: long expected values get a name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, unparsed(node.value)


def _calls(tree: ast.AST) -> Iterator[str]:
    return (called(node) for node in ast.walk(tree) if isinstance(node, ast.Call))


def _constants(tree: ast.AST) -> Iterator[str]:
    return (repr(n.value) for n in ast.walk(tree) if isinstance(n, ast.Constant))
