"""Places of new imports in a file: in the group of their kind, in the group's order."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pytest_lift.source.imports import ImportNode, import_bindings

_STANDARD, _OTHER, _RELATIVE = range(3)
_TOOLS = {"pytest", "hypothesis", "mock", "freezegun", "responses", "respx", "pytest_mock"}
"""Modules that tests import from others; never the program itself."""
_Key = Callable[[ImportNode], tuple[object, ...]]


@dataclass(frozen=True)
class ImportPlace:
    """Place of one new line."""

    line: int
    """Index of the line before which it goes."""
    parted_above: bool = False
    """It opens a group of its own: a blank line above it,"""
    parted_below: bool = False
    """or below it."""


def place_of(statement: str, nodes: Sequence[ImportNode], lines: Sequence[str]) -> ImportPlace:
    """Returns the place of the import `statement` among the top-level imports `nodes` (at least
    one, none of them from `__future__`).

    Groups are parted by blank lines. Where code stands between imports, what follows may depend on
    it: a new module's line goes after all of them.
    """
    node = ast.parse(statement).body[0]
    assert isinstance(node, ImportNode)
    groups = [*_groups(nodes, lines)]
    kind, top = _kind(node), _top(node)
    together = _are_together(nodes, lines)
    same = [g for g in groups if kind == _OTHER and any(_top(each) == top for each in g)]
    alike = [g for g in groups if any(_kind(each) == kind for each in g)]
    if same:
        return _within(node, same[-1], lines)
    if kind == _OTHER and together:
        alike = _of_other_modules(top, groups, alike)
    if alike and (together or kind == _STANDARD):
        first = kind != _OTHER or top in _TOOLS
        return _within(node, alike[0] if first else alike[-1], lines)
    if not together or (len(groups) == 1 and len({_kind(each) for each in groups[0]}) > 1):
        return _within(node, groups[-1], lines)
    return _new_group(kind, top, groups, lines)


def order_of(statement: str) -> tuple[object, ...]:
    """Returns the key by which new imports at one place are sorted."""
    node = ast.parse(statement).body[0]
    assert isinstance(node, ImportNode)
    return _straight_first(node)


def _groups(nodes: Sequence[ImportNode], lines: Sequence[str]) -> Iterator[list[ImportNode]]:
    group = [nodes[0]]
    for before, node in pairwise(nodes):
        between = lines[before.end_lineno or 0 : node.lineno - 1]
        if all(line.lstrip().startswith("#") for line in between):
            group.append(node)
        else:
            yield group
            group = [node]
    yield group


def _are_together(nodes: Sequence[ImportNode], lines: Sequence[str]) -> bool:
    """Whether only blank lines and comments stand between the imports."""
    within = lines[nodes[0].lineno - 1 : nodes[-1].end_lineno]
    code = [line for line in within if line.strip() and not line.startswith("#")]
    own = sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes)
    return len(code) <= own


def _kind(node: ImportNode) -> int:
    if isinstance(node, ast.ImportFrom) and node.level:
        return _RELATIVE
    return _STANDARD if _top(node) in sys.stdlib_module_names else _OTHER


def _top(node: ImportNode) -> str:
    return next(import_bindings(node)).top


def _module(node: ImportNode) -> str:
    return next(import_bindings(node)).source


def _of_other_modules(
    top: str, groups: list[list[ImportNode]], alike: list[list[ImportNode]]
) -> list[list[ImportNode]]:
    """Returns the groups for a module of its kind: the program's imports have a group beside those
    of test libraries, if the file keeps groups."""
    if len(groups) == 1 and len({_kind(each) for each in groups[0]}) > 1:
        return alike
    others = [g for g in alike if any(_kind(n) == _OTHER and _top(n) not in _TOOLS for n in g)]
    if top not in _TOOLS:
        return others
    return [g for g in alike if any(_top(n) in _TOOLS for n in g)] or others[:-1]


def _within(node: ImportNode, group: list[ImportNode], lines: Sequence[str]) -> ImportPlace:
    """Returns the place within a group: in its order if it is sorted, else at its end."""
    for key in (_straight_first, _by_module):
        if all(key(before) <= key(after) for before, after in pairwise(group)):
            later = [each for each in group if key(each) > key(node)]
            return ImportPlace(_above(later[0], lines)) if later else ImportPlace(_below(group))
    same = [each for each in group if _top(each) == _top(node)]
    return ImportPlace(_below(same or group))


def _straight_first(node: ImportNode) -> tuple[object, ...]:
    return (isinstance(node, ast.ImportFrom), *_by_module(node))


def _by_module(node: ImportNode) -> tuple[object, ...]:
    name = node.names[0].name if isinstance(node, ast.ImportFrom) else ""
    return _kind(node), _module(node).lower(), name.lower()


def _above(node: ImportNode, lines: Sequence[str]) -> int:
    """Returns the index of the line of a statement, or of the comments above it."""
    index = node.lineno - 1
    while index and lines[index - 1].lstrip().startswith("#"):
        index -= 1
    return index if index else node.lineno - 1


def _below(group: Sequence[ImportNode]) -> int:
    return max(node.end_lineno or node.lineno for node in group)


def _new_group(
    kind: int, top: str, groups: list[list[ImportNode]], lines: Sequence[str]
) -> ImportPlace:
    """Returns the place of a new group, between the groups of the kinds before and after it."""

    def rank(each: int, name: str) -> tuple[int, bool]:
        return each, each == _OTHER and name not in _TOOLS

    own = rank(kind, top)
    before = [g for g in groups if all(rank(_kind(n), _top(n)) < own for n in g)]
    if before:
        return ImportPlace(_below(before[-1]), parted_above=True)
    return ImportPlace(_above(groups[0][0], lines), parted_below=True)
