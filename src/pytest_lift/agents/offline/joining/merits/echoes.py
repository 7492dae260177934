"""Tells whether a case only gets back what it has given."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from pytest_lift.agents.offline.joining.merits.hollow import is_none
from pytest_lift.agents.offline.search.dullness import BEGUN_WITH
from pytest_lift.agents.offline.writing.oracles.checks import Verified
from pytest_lift.source.syntax import leaf, parsed_expression


def is_echo(item: Verified) -> bool:
    """Whether a call gives back an argument as it is, or what a method of one that the test made up
    gives, nothing for nothing, or None."""
    shown = item.asserted
    if is_none(item) or _is_set_back(item):
        return True
    if len(shown) != 1 or shown[0].form not in ("equals", "is"):
        return False
    node = parsed_expression(shown[0].expression)
    nodes = ast.walk(node) if node is not None else ()
    calls = [one for one in nodes if isinstance(one, ast.Call)]
    given = [v for one in calls for v in (*one.args, *(keyword.value for keyword in one.keywords))]
    texts = {ast.unparse(value) for value in given if value not in calls or _is_made(value)}
    nothing = bool(texts) and all(text in BEGUN_WITH for text in texts)
    result = shown[0].expected
    texts |= {*_given_by_stubs(calls)}
    alike = {result, result.strip("[](),"), result.removesuffix(".0")}
    return bool(texts & alike) or (nothing and shown[0].expected in BEGUN_WITH)


def _is_made(node: ast.expr) -> bool:
    """Whether an expression is an object that a class makes: ``Path('a')``."""
    return isinstance(node, ast.Call) and leaf(node.func)[:1].isupper()


def _given_by_stubs(calls: Sequence[ast.Call]) -> Iterator[str]:
    """Yields the constants that methods of made-up objects give: ``1`` of
    ``SimpleNamespace(read=lambda: 1)``."""
    for call in calls:
        for keyword in call.keywords if leaf(call.func) == "SimpleNamespace" else ():
            match keyword.value:
                case ast.Lambda(body=ast.Constant() as result):
                    yield ast.unparse(result)


def _is_set_back(item: Verified) -> bool:
    """Whether a case asks for what it has set just before: ``set_name('a')``, then ``name`` or
    ``get_name()``."""
    shown = item.asserted
    lines = [one.expression for one in item.checks if one.form == "none"]
    call = parsed_expression(lines[-1]) if lines else None
    look = parsed_expression(shown[0].expression)
    look = look.func if isinstance(look, ast.Call) and not look.args else look
    if len(shown) != 1 or not isinstance(call, ast.Call) or look is None:
        return False
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    name = leaf(call.func)
    asked = leaf(look).removeprefix("get_").removeprefix("is_")
    value = ast.unparse(given[0]) if len(given) == 1 else ""
    return name == f"set_{asked}" and value == shown[0].expected
