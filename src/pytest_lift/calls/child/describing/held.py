"""Tells containers of objects by the variables and attributes that hold these: ``[op.left]``.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from typing import Any

from .expressions import Unprintable, source_of
from .names import UsedNames
from .objects import from_program

MOST_ITEMS, MOST_HELD = 12, 300
"""Most items of a container, and most objects that variables hold, for which that is tried."""
DEEPEST = 3
"""Containers inside of each other."""
LONGEST = 200
"""Most characters of what is told."""
NOT_HELD = (type, types.FunctionType, types.ModuleType)


def told_by_holders(
    value: Any, space: Mapping[str, Any], program: frozenset[str]
) -> dict[str, Any]:
    """Returns what is told of a list, tuple or dict with objects of the program that are compared
    by identity, each of which a variable of `space` or an attribute of one holds; nothing for any
    other value, and of items of a list that is an attribute: these tell more by what they show."""
    if not _has_objects(value, program):
        return {}
    names = UsedNames()
    try:
        telling = _Telling(dict(_held(space, program)), names, program)
        source = telling.source(value)
    except (Unprintable, RecursionError):
        return {}
    if len(source) > LONGEST:
        return {}
    return {"shown": source, "source": source, "names": sorted(names)}


def _has_objects(value: Any, program: frozenset[str], depth: int = 0) -> bool:
    """Whether an object that is compared by identity is in a container that is not too long."""
    if type(value) in (list, tuple, dict):
        items = value.values() if type(value) is dict else value
        small = depth < DEEPEST and len(value) <= MOST_ITEMS
        return small and any(_has_objects(item, program, depth + 1) for item in items)
    return depth > 0 and _is_object(value, program)


def _is_object(value: Any, program: frozenset[str]) -> bool:
    kind = type(value)
    if isinstance(value, NOT_HELD) or not from_program(kind, program):
        return False
    return all("__eq__" not in vars(one) for one in kind.__mro__[:-1])


def _held(space: Mapping[str, Any], program: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yields the identity of each object that a variable holds, or an attribute of what one holds,
    and how a test names it; the longest names come first, and those of variables last."""
    named = [(name, one) for name, one in space.items() if name.isidentifier() and name[0] != "_"]
    named = [(name, one) for name, one in named if _is_object(one, program)]
    attributes = [
        (f"{name}.{attribute}", value)
        for name, one in named
        for attribute, value in getattr(one, "__dict__", _slots(one)).items()
        if attribute[0] != "_"
    ]
    if len(attributes) + len(named) > MOST_HELD:
        return
    for name, value in attributes:
        if type(value) in (list, tuple) and len(value) <= MOST_ITEMS:
            numbered = ((f"{name}[{at}]", item) for at, item in enumerate(value))
            yield from ((id(item), one) for one, item in numbered if _is_object(item, program))
    for name, value in (*attributes, *named):
        if _is_object(value, program):
            yield id(value), name


def _slots(value: Any) -> dict[str, Any]:
    """Returns the attributes of an object that has them in slots."""
    slots = [slot for kind in type(value).__mro__ for slot in getattr(kind, "__slots__", ())]
    return {slot: getattr(value, slot) for slot in slots if hasattr(value, slot)}


class _Telling:
    """Writes values with objects as what holds them."""

    def __init__(self, held: Mapping[int, str], names: UsedNames, program: frozenset[str]) -> None:
        self.held = held
        self.names = names
        self.program = program

    def source(self, value: Any, depth: int = 0) -> str:
        """Returns an expression equal to a value; raises `Unprintable` where there is none."""
        if type(value) is dict:
            pairs = value.items()
            inner = [f"{self._plain(k)}: {self.source(v, depth + 1)}" for k, v in pairs]
            return f"{{{', '.join(inner)}}}"
        if type(value) in (list, tuple):
            items = [self.source(item, depth + 1) for item in value]
            if type(value) is list:
                return f"[{', '.join(items)}]"
            return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
        if not _is_object(value, self.program):
            return self._plain(value)
        name = self.held.get(id(value), "")
        if not name or (depth == 1 and name.endswith("]")):
            raise Unprintable
        return name

    def _plain(self, value: Any) -> str:
        return source_of(value, self.names, self.program)
