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
_OPTION = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)+")
DOCTEST_ERROR = re.compile(r"^([A-Za-z_][\w.]*)(?::|$)", re.MULTILINE)
_RAISING = ("raises", "assertRaises", "assertRaisesRegex")
_COMPARING = ("assertEqual", "assertEquals", "assertIs", "assertIn", "assertCountEqual",
              "assertListEqual", "assertDictEqual", "assertTupleEqual", "assertSetEqual",
              "assertSequenceEqual", "assertMultiLineEqual", "assertAlmostEqual")  # fmt: skip
"""How tests of unittest say it."""
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
    if any(is_made(statement, expected) for statement in examples(requirement)):
        return "example"
    text = requirement.text
    if _calls_one_of(text, expected) and _asks_for(text, expected) and _quoted(text, expected):
        return "quoted value"
    if any(asserts(one, source) for one in expected_of_it):
        return "expectation"
    return None


def quotes(requirement: Requirement, sentence: str, expected: Expectations) -> bool:
    """Whether a value that a test expects is quoted in this very sentence of the requirement.

    A sentence that names options, or calls with arguments, is about those only; options that the
    title or the description names are meant by all.
    """
    about = f"{requirement.title}\n{requirement.description}"
    asked_for = _asks_for(about, expected) and _asks_for(sentence, expected)
    if not (asked_for and _calls_one_of(requirement.text, expected)):
        return False
    if not _quoted(sentence, expected):
        return False
    calls = [one for span in code_spans(sentence) if (one := _written_call(span)) is not None]
    made = any(
        set(_calls(call)) <= expected.calls and set(_constants(call)) <= expected.constants
        for call in calls
    )
    return made or not calls


def _written_call(span: str) -> ast.Call | None:
    call = parsed(span, "eval")
    body = getattr(call, "body", None)
    return body if isinstance(body, ast.Call) else None


def _calls_one_of(text: str, expected: Expectations) -> bool:
    """A function that the text names is called."""
    return any(_leaf(span) in expected.calls for span in code_spans(text))


def _asks_for(text: str, expected: Expectations) -> bool:
    """An option is used, if the text names any."""
    options = {span for span in code_spans(text) if _OPTION.fullmatch(span)}
    return not options or bool(options & (expected.keywords | expected.calls))


def is_made(statement: Statement, expected: Expectations) -> bool:
    """Whether a test calls and expects what an example states."""
    return (
        statement.value in expected.values
        and statement.calls <= expected.calls
        and statement.constants <= expected.constants
    )


def _quoted(text: str, expected: Expectations) -> bool:
    """A value of the test, beyond the trivial ones, is a code span or a quotation, bare or as a
    literal."""
    spans = code_spans(text) | quotations(text)
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
    return tuple(s for text in texts if ">>>" in text for s in doctest_statements(text))


def doctest_statements(text: str) -> Iterator[Statement]:
    """What the doctest sessions in `text` state, one for each output."""
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
    """What is asserted and both sides of its comparisons, rows of parametrize, raised types; also
    in the words of unittest."""
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
            if name in _RAISING and node.args:
                yield from (_leaf(ast.unparse(e)) for e in elements(node.args[0]))
            elif name in _COMPARING:
                yield from (assigned.get(side, side) for side in map(unparsed, node.args[:2]))
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
