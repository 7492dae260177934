"""Whether a repaired text asserts what it did before, but for names that were corrected."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pytest_lift.source.syntax import bare_leaf, chain, parse, walked
from pytest_lift.suite.collection import Naming, definitions

_EXPECTING = frozenset({"raises", "warns", "deprecated_call", "fail", "parametrize", "xfail"})


def same_checks(before: str, after: str, renamed: Mapping[str, str], naming: Naming) -> bool:
    """Whether both texts have the same assertions in the same order, and no fewer tests.

    Names may differ as `renamed` says, and nothing else. Raises SyntaxError.
    """
    old, new = parse(before), parse(after)
    meant = {name[1:] for name, other in renamed.items() if name[0] == "." and _is_check(other[1:])}
    first, second = [*checks_in(old, meant)], [*checks_in(new)]
    if len(first) != len(second) or _count(new, naming) < _count(old, naming):
        return False
    return all(_same(a, b, renamed) for a, b in zip(first, second, strict=True))


def checks_in(tree: ast.Module, more: Collection[str] = ()) -> Iterator[ast.AST]:
    """Yields what checks in a file, in its order: assertions, expected exceptions, tables, and
    calls of what has one of the names `more`."""
    found: list[tuple[int, int, ast.AST]] = []
    for node in walked(tree):
        if isinstance(node, ast.Assert):
            found.append((node.lineno, node.col_offset, node))
        elif isinstance(node, ast.Call):
            name = bare_leaf(node)
            if _is_check(name) or name in more:
                found.append((node.lineno, node.col_offset, node))
    return (node for _, _, node in sorted(found, key=lambda one: one[:2]))


def _is_check(name: str) -> bool:
    return name in _EXPECTING or name.startswith(("assert", "fail"))


def _count(tree: ast.Module, naming: Naming) -> int:
    return len({one.name for one in definitions(tree, naming)})


def _same(a: Any, b: Any, renamed: Mapping[str, str]) -> bool:
    """Compares two trees; chains of names are compared as wholes."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_same(x, y, renamed) for x, y in zip(a, b, strict=True))
    if isinstance(a, ast.expr) and isinstance(b, ast.expr):
        first, second = chain(a), chain(b)
        if first and second:
            return _same_names(first, second, renamed)
    if type(a) is not type(b):
        return False
    if isinstance(a, ast.Constant):
        return type(a.value) is type(b.value) and repr(a.value) == repr(b.value)
    if not isinstance(a, ast.AST):
        return bool(a == b)
    if isinstance(a, ast.keyword):
        same = a.arg == b.arg or renamed.get(f"{a.arg}=") == f"{b.arg}="
        return same and _same(a.value, b.value, renamed)
    if isinstance(a, ast.Attribute):
        same = a.attr == b.attr or renamed.get(f".{a.attr}") == f".{b.attr}"
        return same and _same(a.value, b.value, renamed)
    return all(_same(value, getattr(b, name, None), renamed) for name, value in ast.iter_fields(a))


def _same_names(a: list[str], b: list[str], renamed: Mapping[str, str]) -> bool:
    if a == b:
        return True
    for end in range(len(a), 0, -1):
        head = renamed.get(".".join(a[:end]))
        if head is not None and _same_leaves([*head.split("."), *a[end:]], b, renamed):
            return True
    return _same_leaves(a, b, renamed)


def _same_leaves(a: list[str], b: list[str], renamed: Mapping[str, str]) -> bool:
    return len(a) == len(b) and all(
        x == y or (place > 0 and renamed.get(f".{x}") == f".{y}")
        for place, (x, y) in enumerate(zip(a, b, strict=True))
    )
