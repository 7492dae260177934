"""Writes verified cases with nothing in containers of which objects are made that are arguments."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.source.syntax import leaf

Place = tuple[int, int]
"""Number of a line, and of a container among the nodes of its tree."""


def emptied(item: Verified, own: AbstractSet[str]) -> Iterator[list[StepCheck]]:
    """Yields the checks of a case with all such containers empty, then with each; `own` are the
    names of what the program defines. An object that is only handed on may be made of little; what
    the object in use has in it is what a test is about."""
    trees = [ast.parse(check.expression) for check in item.checks]
    handed = _handed_on(trees)
    places = [
        (at, number)
        for at, tree in enumerate(trees)
        for number in _containers(tree, own, alone=_assigned(tree) in handed)
    ]
    if len(places) > 1:
        yield _without_items(item, trees, places)
    for place in places:
        yield _without_items(item, trees, [place])


def _handed_on(trees: Sequence[ast.Module]) -> AbstractSet[str]:
    """Returns the variables that are nothing but arguments of calls."""
    nodes = [node for tree in trees for node in ast.walk(tree)]
    calls = (node for node in nodes if isinstance(node, ast.Call))
    given = {id(one) for call in calls for one in (*call.args, *(k.value for k in call.keywords))}
    read = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    otherwise = {node.id for node in read if id(node) not in given}
    return frozenset(node.id for node in read) - otherwise


def _assigned(tree: ast.Module) -> str:
    """Returns the variable to which a line assigns what a call gives; "" of other lines."""
    match tree.body:
        case [ast.Assign(targets=[ast.Name(id=name)], value=ast.Call())]:
            return name
    return ""


def _containers(tree: ast.Module, own: AbstractSet[str], *, alone: bool) -> Iterator[int]:
    """Yields the numbers of the lists and dicts with something in them that a class of the program
    gets which is called inside of an argument, or anywhere where the object is `alone` in a
    line."""
    nodes = list(ast.walk(tree))
    numbers = {id(node): number for number, node in enumerate(nodes)}
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    arguments = [one for call in calls for one in _arguments(call)]
    inside = {id(part) for one in arguments for part in ast.walk(one)}
    for call in calls:
        name = leaf(call.func)
        if name in own and name[:1].isupper() and (alone or id(call) in inside):
            yield from (numbers[id(one)] for one in _arguments(call) if _is_filled(one))


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(one.value for one in call.keywords)]


def _is_filled(node: ast.expr) -> bool:
    match node:
        case ast.Dict(keys=items) | ast.List(elts=items) | ast.Tuple(elts=items):
            return bool(items)
    return False


def _without_items(
    item: Verified, trees: Sequence[ast.Module], places: Sequence[Place]
) -> list[StepCheck]:
    changed = {at: copy.deepcopy(trees[at]) for at, _ in places}
    nodes = {at: [*ast.walk(tree)] for at, tree in changed.items()}
    for at, number in places:
        node = nodes[at][number]
        if isinstance(node, ast.Dict):
            node.keys, node.values = [], []
        elif isinstance(node, ast.List | ast.Tuple):
            node.elts = []
    return [
        replace(check, expression=ast.unparse(changed[at])) if at in changed else check
        for at, check in enumerate(item.checks)
    ]
