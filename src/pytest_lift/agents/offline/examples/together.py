"""Groups the examples of a session that have to run together since they share a variable."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.agents.offline.examples.sessions import Item


def groups(items: list[Item]) -> Iterator[list[Item]]:
    """Yields groups of items between which a variable passes; definitions are shared by groups."""
    leader = list(range(len(items)))

    def find(index: int) -> int:
        while leader[index] != index:
            index = leader[index]
        return index

    touched: dict[str, int] = {}
    for index, item in enumerate(items):
        if item.imports or item.defines:
            continue
        for name in item.reads - item.binds:
            if name in touched:
                leader[find(touched[name])] = find(index)
                touched[name] = index
        for name in item.binds:
            if name in item.reads and name in touched and _updates(item, name):
                leader[find(touched[name])] = find(index)
            touched[name] = index
    for root in dict.fromkeys(find(i) for i in range(len(items))):
        members = [i for i in range(len(items)) if find(i) == root]
        if not (items[members[0]].imports or items[members[0]].defines):
            yield _with_definitions(items, members)


def _updates(item: Item, name: str) -> bool:
    """Whether an example continues with the old value, such as ``x = f(x)`` and ``x += 1``."""
    for node in ast.walk(item.tree):
        if isinstance(node, ast.AugAssign):
            return True
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            return True
    return False


def _with_definitions(items: list[Item], members: list[int]) -> list[Item]:
    wanted = set(members)
    own = set().union(*(items[i].binds for i in members))
    names = set().union(*(items[i].reads for i in members)) - own
    for index in range(len(items) - 1, -1, -1):
        item = items[index]
        if item.defines and item.binds & names and index < max(members):
            wanted.add(index)
            names |= item.reads
            names -= item.binds
    return [items[i] for i in sorted(wanted)]
