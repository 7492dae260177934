"""What sets a test aside: marks and calls that skip it or expect it to fail."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.assertions.name_resolution import QualifiedNames, chain, leaf

EXPECTING = frozenset({"xfail", "expectedFailure"})


REASONED = frozenset({"skip", "skipif", "skipIf", "skipUnless", "importorskip", "SkipTest"})


_SETTING_ASIDE = EXPECTING | REASONED | {"skipTest"}


_OWNERS = frozenset({"mark", "pytest", "unittest"})


def aside(tree: ast.AST, meant: QualifiedNames) -> list[str]:
    """What in `tree` sets tests aside, as texts; reasons and all."""
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return [ast.unparse(calls.get(id(node), node)) for node in uses_of(tree, meant)]


def uses_of(tree: ast.AST, meant: QualifiedNames) -> Iterator[ast.Name | ast.Attribute]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            name = name_of(node, meant)
            if name in _SETTING_ASIDE and _is_framework(node, meant):
                yield node


def name_of(node: ast.Name | ast.Attribute, meant: QualifiedNames) -> str:
    return (meant.of(node) or leaf(node)).rpartition(".")[2]


def _is_framework(node: ast.Name | ast.Attribute, meant: QualifiedNames) -> bool:
    """pytest's, unittest's or a test case's own; other things may have these names."""
    if full := meant.of(node):
        return full.partition(".")[0] in _OWNERS
    owners = chain(node)[:-1]
    return bool(owners) and (owners[-1] in _OWNERS or (owners == ["self"]))
