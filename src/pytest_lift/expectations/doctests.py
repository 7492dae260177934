"""Reads doctest sessions as expectations: for each output a call, its result and its setup."""

from __future__ import annotations

import ast
import doctest
import re
import textwrap
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pytest_lift.requirements.requirement import Expectation, Relation, Requirement
from pytest_lift.source.syntax import parsed

Alternatives = tuple[Expectation, ...]
"""Forms in which a test may assert one output."""

_ERROR = re.compile(r"^([A-Za-z_][\w.]*)(?::|$)", re.MULTILINE)


@lru_cache(maxsize=4096)
def examples(requirement: Requirement) -> tuple[Alternatives, ...]:
    """Returns the expectations of a requirement's sessions; text without sessions is ignored."""
    texts = (*requirement.examples, requirement.description, *requirement.acceptance)
    return tuple(one for text in texts if ">>>" in text for one in stated_in(text))


@lru_cache(maxsize=4096)
def stated_in(text: str) -> tuple[Alternatives, ...]:
    """Returns the expectations of the sessions in a text, an entry for each output of an
    expression."""
    try:
        session = doctest.DocTestParser().get_examples(textwrap.dedent(text))
    except ValueError:
        return ()
    before: list[ast.stmt] = []
    found = []
    for example in session:
        tree = parsed(example.source)
        if not isinstance(tree, ast.Module):
            continue
        if made := tuple(_alternatives(example, tree, before)):
            found.append(made)
        before += tree.body
    return tuple(found)


def _alternatives(
    example: doctest.Example, tree: ast.Module, before: Sequence[ast.stmt]
) -> Iterator[Expectation]:
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr | ast.Assign):
        return
    call, want = last.value, example.want.rstrip("\n")
    setup = "\n".join(map(ast.unparse, _needed(call, [*before, *tree.body[:-1]])))
    if example.exc_msg is not None:
        named = _ERROR.search(example.exc_msg)
        if named:
            leaf = named[1].rpartition(".")[2]
            yield Expectation("", "", ast.unparse(call), "raises", leaf, setup)
    elif want and isinstance(last, ast.Expr):
        for shown, relation, expected in _shown(call, want):
            yield Expectation("", "", shown, relation, expected, setup)


def _shown(call: ast.expr, want: str) -> Iterator[tuple[str, Relation, str]]:
    """Yields (call, relation, expected), in equivalent forms."""
    source = ast.unparse(call)
    if isinstance(call, ast.Call) and ast.unparse(call.func) == "print" and len(call.args) == 1:
        inner = ast.unparse(call.args[0])
        yield inner, "equals", repr(want)
        yield f"str({inner})", "equals", repr(want)
        return
    if want == "True" and isinstance(call, ast.Compare) and len(call.ops) == 1:
        # ``f(x) == y`` printing True states the relation, not the value True.
        yield source, "holds", ""
        return
    yield source, "equals", want if parsed(want, "eval") is not None else repr(want)
    yield f"repr({source})", "equals", repr(want)


def _needed(call: ast.expr, before: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Returns the statements that may change the result of the call: they share data with it."""
    data = {name for statement in before for name in _names(statement, ast.Store)}
    names = data & _names(call, ast.expr_context)
    found = []
    for statement in reversed(before):
        used = data & _names(statement, ast.expr_context)
        if names & used:
            names |= used
            found.append(statement)
    return found[::-1]


def _names(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    return {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, context)
    }
