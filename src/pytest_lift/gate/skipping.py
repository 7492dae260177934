"""What sets a test aside: expecting it to fail is the program's, skipping it needs a reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.gate.forbidden import Forbidden
from pytest_lift.gate.names_meant import Meanings, chain, leaf

_EXPECTING = frozenset({"xfail", "expectedFailure"})
_REASONED = frozenset({"skip", "skipif", "skipIf", "skipUnless", "importorskip", "SkipTest"})
_SETTING_ASIDE = _EXPECTING | _REASONED | {"skipTest"}
_OWNERS = frozenset({"mark", "pytest", "unittest"})
_WORDS = {"skipif": 1, "skipIf": 1, "skipUnless": 1}
"""Position of the reason where it is not the first argument; `importorskip` has a keyword only."""
_BY_PROGRAM = "leave it out: what contradicts a requirement is marked by the program"
_SAY_WHY = 'say why, as in reason="needs a network", or leave it out'


def set_aside(tree: ast.Module) -> Iterator[Forbidden]:
    """Every xfail, and every skip without a literal reason."""
    meant = Meanings(tree)
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in _uses(tree, meant):
        name, call = _name(node, meant), calls.get(id(node))
        if name in _EXPECTING:
            yield Forbidden(node.lineno, f"expects a test to fail ({name})", _BY_PROGRAM)
        elif name in _REASONED and (call is None or not _has_reason(name, call)):
            yield Forbidden(node.lineno, f"skips without a reason ({name})", _SAY_WHY)


def aside(tree: ast.AST, meant: Meanings) -> list[str]:
    """What in `tree` sets tests aside, as texts; reasons and all."""
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return [ast.unparse(calls.get(id(node), node)) for node in _uses(tree, meant)]


def _uses(tree: ast.AST, meant: Meanings) -> Iterator[ast.Name | ast.Attribute]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            name = _name(node, meant)
            if name in _SETTING_ASIDE and _is_framework(node, meant):
                yield node


def _name(node: ast.Name | ast.Attribute, meant: Meanings) -> str:
    return (meant.of(node) or leaf(node)).rpartition(".")[2]


def _is_framework(node: ast.Name | ast.Attribute, meant: Meanings) -> bool:
    """pytest's, unittest's or a test case's own; other things may have these names."""
    if full := meant.of(node):
        return full.partition(".")[0] in _OWNERS
    owners = chain(node)[:-1]
    return bool(owners) and (owners[-1] in _OWNERS or (owners == ["self"]))


def _has_reason(name: str, call: ast.Call) -> bool:
    given = [word.value for word in call.keywords if word.arg in ("reason", "msg")]
    if name != "importorskip":
        at = _WORDS.get(name, 0)
        given += call.args[at : at + 1]
    return any(_says(value) for value in given)


def _says(node: ast.expr) -> bool:
    if isinstance(node, ast.JoinedStr):
        return any(_says(part) for part in node.values)
    return (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(node.value.strip())
    )
