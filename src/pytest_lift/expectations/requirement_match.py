"""Decides whether a test asserts what the requirement that it names states.

The answer separates the grades *verified* and *touches*. It is computed from the two texts alone,
and only if function, arguments, relation and value agree; cases that texts do not decide are left
to an evaluator.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pytest_lift.expectations.asserted import Claim, asserts, claims, is_same_error
from pytest_lift.expectations.doctests import Alternatives, examples
from pytest_lift.expectations.sentences import Statement, statements
from pytest_lift.requirements.points import sentences_of
from pytest_lift.requirements.requirement import Expectation, Requirement
from pytest_lift.source.syntax import called, parsed

_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_LISTING = ("list", "tuple")
"""Functions that show the values of an iterator."""


CODE_SPAN = re.compile(r"``([^`]+)``|`([^`]+)`")


def agrees(statement: Statement, source: str) -> bool:
    """Whether the test `source` asserts the statement, of exactly such a call.

    False for a statement that does not say which arguments it is about.
    """
    if not statement.is_pinned or not statement.names | statement.titled <= _names(source):
        return False
    if statement.is_written and not _is_of_that(statement, source):
        return False
    if statement.is_written and not statement.options and _is_told(statement, source):
        return True
    return any(_is_made(statement, made, source) for made in _asserted_calls(source))


def _is_told(statement: Statement, source: str) -> bool:
    """Whether the test asserts it of the call as it is written."""
    return any(
        (subject, operator) == (statement.call, statement.operator)
        and _is_same(operator, statement.value, value)
        for subject, operator, value in _asserted_texts(source)
    )


def _is_same(operator: str, stated: str, asserted: str) -> bool:
    return is_same_error(stated, asserted) if operator == "raises" else stated == asserted


def _is_of_that(statement: Statement, source: str) -> bool:
    """Whether a call is made on the owner that the text writes (``Fraction.from_float``), or on
    something of that name."""
    written = getattr(parsed(statement.source, "eval"), "body", None)
    function = written.func if isinstance(written, ast.Call) else None
    owner = function.value if isinstance(function, ast.Attribute) else None
    if not isinstance(owner, ast.Name | ast.Attribute):
        return True
    name = re.escape(owner.id if isinstance(owner, ast.Name) else owner.attr)
    taken = rf"\b{name}\s*\.\s*{re.escape(statement.called)}\b"
    imported = rf"\bfrom\s+[\w.]*\b{name}\s+import\b[^\n]*\b{re.escape(statement.called)}\b"
    plain = rf"(?<![\w.]){re.escape(statement.called)}\s*\("
    if name[:1].islower() and re.search(plain, source):
        return True  # a module, from which the test file imports the function
    return re.search(f"{taken}|{imported}", source) is not None


@dataclass(frozen=True)
class _Made:
    """Call of which a test asserts something."""

    call: ast.Call
    operator: str
    value: str

    @cached_property
    def keywords(self) -> dict[str, str]:
        return {word.arg: ast.unparse(word.value) for word in self.call.keywords if word.arg}


@lru_cache(maxsize=4096)
def _asserted_calls(source: str) -> tuple[_Made, ...]:
    found = (made for claim in claims(source) for made in _compared(claim))
    return tuple(_Made(call, *told) for node, *told in found if (call := _inner(node)))


@lru_cache(maxsize=4096)
def _asserted_texts(source: str) -> frozenset[tuple[str, str, str]]:
    """Returns (subject, relation, value) of each assertion, as texts in normal form."""
    found = (made for claim in claims(source) for made in _compared(claim))
    return frozenset((ast.unparse(node), *told) for node, *told in found)  # type: ignore[misc]


@lru_cache(maxsize=4096)
def _names(source: str) -> frozenset[str]:
    """Returns every name that a test uses, including keywords and attributes."""
    found = set()
    tree = parsed(textwrap.dedent(source))
    for node in ast.walk(tree) if tree is not None else ():
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                found.add(name)
            case ast.alias(name=name):
                found.add(name.rpartition(".")[2])
    return frozenset(found)


def _compared(claim: Claim) -> Iterator[tuple[ast.expr, str, str]]:
    """Yields (subject, relation, value) of a claim, seen from either side."""
    relation, subject, expected = claim
    node = getattr(parsed(subject, "eval"), "body", None)
    if node is None:
        return
    if relation in ("equals", "raises"):
        yield node, ("==" if relation == "equals" else "raises"), expected
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        operator = _OPERATORS.get(type(node.ops[0]))
        if operator is not None:
            left, right = node.left, node.comparators[0]
            yield left, operator, ast.unparse(right)
            yield right, _MIRRORED[operator], ast.unparse(left)


def _inner(subject: ast.expr) -> ast.Call | None:
    """Returns the call itself, without a conversion of its value to a list or tuple."""
    while isinstance(subject, ast.Call) and called(subject) in _LISTING and len(subject.args) == 1:
        subject = subject.args[0]
    return subject if isinstance(subject, ast.Call) else None


def _is_made(statement: Statement, made: _Made, source: str) -> bool:
    if made.operator != statement.operator:
        return False
    if not _is_same(made.operator, statement.value, made.value):
        return False
    if called(made.call) != _meant(statement, made, source) or not _has_receiver(statement, made):
        return False
    if statement.absent & made.keywords.keys():
        return False
    if any(made.keywords.get(name) != said for name, said in statement.options):
        return False
    if statement.is_written:
        return _is_written(statement, made)
    return _has_inputs(statement, made)


def _meant(statement: Statement, made: _Made, source: str) -> str:
    """Returns the function that a sentence is about.

    It is that of the written call; else the nearest name that is no argument of the call; else, if
    the sentence names none, the last function named before that the test calls.
    """
    if statement.call:
        return statement.called
    if statement.functions:
        return next((name for name in statement.functions if name not in made.keywords), "")
    return next((name for name in statement.about if name in _called(source)), "")


def _has_receiver(statement: Statement, made: _Made) -> bool:
    """Whether a method is called on the object that the text writes, or on one made without
    arguments.

    A text that only names the method says nothing about other objects.
    """
    written = getattr(parsed(statement.call, "eval"), "body", None)
    wanted = _receiver(written) if isinstance(written, ast.Call) else None
    found = _receiver(made.call)
    if wanted is not None or found is None or statement.is_written:
        return wanted == found
    return found.endswith("()")


def _receiver(call: ast.Call) -> str | None:
    """Returns the object of a method call; None for a function, whose module makes no
    difference."""
    return ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else None


@lru_cache(maxsize=4096)
def _called(source: str) -> frozenset[str]:
    tree = parsed(textwrap.dedent(source))
    nodes = ast.walk(tree) if tree is not None else ()
    return frozenset(called(node) for node in nodes if isinstance(node, ast.Call))


def _is_written(statement: Statement, made: _Made) -> bool:
    """Whether the call is as the text writes it, with the options that the sentence names."""
    written = getattr(parsed(statement.call, "eval"), "body", None)
    if not isinstance(written, ast.Call) or _is_spread(made.call):
        return False
    named = {word.arg: ast.unparse(word.value) for word in written.keywords if word.arg}
    wanted = {*named, *(name for name, _ in statement.options)}
    return (
        list(map(ast.unparse, written.args)) == list(map(ast.unparse, made.call.args))
        and wanted <= made.keywords.keys() <= wanted | statement.names | statement.titled
        and named.items() <= made.keywords.items()
    )


def _has_inputs(statement: Statement, made: _Made) -> bool:
    """Whether the call gets exactly the literals of the sentence, apart from values of its
    options."""
    options = {name for name, _ in statement.options} | statement.names | statement.titled
    if made.keywords.keys() - options or _is_spread(made.call):
        return False
    given = set(map(ast.unparse, _listed(made.call.args, len(statement.inputs))))
    known = {*statement.inputs, *made.keywords.values()}
    return statement.inputs <= given | {*made.keywords.values()} and given <= known


def _listed(arguments: Sequence[ast.expr], many: int) -> Sequence[ast.expr]:
    """Returns the arguments; for several inputs the elements of a single list."""
    one = arguments[0] if len(arguments) == 1 else None
    return one.elts if many > 1 and isinstance(one, ast.List | ast.Tuple) else arguments


def _is_spread(call: ast.Call) -> bool:
    """Whether arguments are unpacked (``f(*rows, **options)``), so that they are not known."""
    starred = any(isinstance(one, ast.Starred) for one in call.args)
    return starred or any(word.arg is None for word in call.keywords)


def agreement(
    requirement: Requirement, source: str, expected_of_it: Sequence[Expectation] = ()
) -> str | None:
    """Returns the evidence for the test `source`: ``example``, ``quoted value`` or ``expectation``.

    `expected_of_it` holds the requirement's expectations, as far as they can be relied on. None if
    the requirement, as far as texts can tell, does not state what the test expects.
    """
    if any(is_made(one, source) for one in examples(requirement)):
        return "example"
    if any(agrees(one, source) for one in statements(requirement)):
        return "quoted value"
    if any(asserts(one, source) for one in expected_of_it):
        return "expectation"
    return None


def quotes(requirement: Requirement, text: str, source: str) -> bool:
    """Whether the test `source` asserts what a sentence in this `text` of the requirement
    states."""
    sentences = {*sentences_of(text), " ".join(text.split())}
    return any(agrees(one, source) for one in statements(requirement) if one.sentence in sentences)


def is_made(example: Alternatives, source: str) -> bool:
    """Whether the test `source` asserts, in any form, what an example states."""
    return any(asserts(form, source) for form in example)


@lru_cache(maxsize=4096)
def code_spans(text: str) -> frozenset[str]:
    """Returns the texts between backticks, with call parentheses and keyword values unchanged."""
    return frozenset((a or b).strip() for a, b in CODE_SPAN.findall(text))
