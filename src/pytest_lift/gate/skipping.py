"""Rule for setting tests aside: only the program writes xfail marks, and a skip needs a reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.assertions.name_resolution import QualifiedNames
from pytest_lift.assertions.test_checks import EXPECTING, REASONED, name_of, uses_of
from pytest_lift.gate.forbidden import Violation

_WORDS = {"skipif": 1, "skipIf": 1, "skipUnless": 1}
"""Position of the reason if it is not the first argument; `importorskip` takes it as a keyword
only."""


_BY_PROGRAM = "leave it out: what contradicts a requirement is marked by the program"


_SAY_WHY = 'say why, as in reason="needs a network", or leave it out'


def set_aside(tree: ast.Module) -> Iterator[Violation]:
    """Yields a violation for each xfail, and for each skip without a literal reason."""
    meant = QualifiedNames(tree)
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in uses_of(tree, meant):
        name, call = name_of(node, meant), calls.get(id(node))
        if name in EXPECTING:
            yield Violation(node.lineno, f"expects a test to fail ({name})", _BY_PROGRAM)
        elif name in REASONED and (call is None or not _has_reason(name, call)):
            yield Violation(node.lineno, f"skips without a reason ({name})", _SAY_WHY)


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
