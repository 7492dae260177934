"""Sees whether what is called to describe an object changes its classes and their modules, and puts
that back: the steps after it must not see that.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import contextlib
import sys
from operator import is_not
from typing import Any

from .objects import from_program, module_of

MOST_THINGS = 400
"""Most things that are looked at: with more of them, nothing is called."""
ABSENT = object()


class Untouched:
    """What the classes of an object hold, the modules in which these are, and what is in them."""

    def __init__(self, kind: type, program: frozenset[str]) -> None:
        kinds = [one for one in kind.__mro__ if from_program(one, program)]
        modules = {name: sys.modules.get(name) for name in map(module_of, kinds)}
        things: list[Any] = [*kinds, *(one for one in modules.values() if one is not None)]
        values = [value for one in things for value in _space(one).values()]
        things += [one for one in values if _is_object(one, program)]
        self.held = [(one, _space(one)) for one in things[:MOST_THINGS]]
        inside = (value for _, space in self.held for value in space.values())
        containers = {id(one): one for one in inside if type(one) in (dict, list, set)}
        self.containers = [(one, one.copy()) for one in containers.values()]
        self.is_whole = len(things) <= MOST_THINGS
        """Whether all of it is looked at."""

    def put_back(self) -> bool:
        """Puts back what changed; returns whether anything had."""
        changed = False
        for one, before in self.held:
            now = _space(one)
            for name in now.keys() | before.keys():
                if now.get(name, ABSENT) is not before.get(name, ABSENT):
                    changed = True
                    _put_back(one, name, before.get(name, ABSENT))
        for one, before in self.containers:
            if _differs(one, before):
                changed = True
                one.clear()
                one.extend(before) if isinstance(one, list) else one.update(before)
        return changed


def _is_object(value: Any, program: frozenset[str]) -> bool:
    kind = type(value)
    return not issubclass(kind, type) and from_program(kind, program)


def _space(one: Any) -> dict[str, Any]:
    """Returns the attributes of a class, module or object, but for what Python keeps there."""
    kind = type if issubclass(type(one), type) else object
    with contextlib.suppress(Exception):
        space = kind.__getattribute__(one, "__dict__")
        return {name: value for name, value in space.items() if name[:2] != "__"}
    return {}


def _differs(one: Any, other: Any) -> bool:
    """Whether two containers of one type hold other things; they are not asked."""
    if len(one) != len(other):
        return True
    if type(one) is set:
        return {*map(id, one)} != {*map(id, other)}
    values = type(one) is dict and any(map(is_not, one.values(), other.values()))
    return values or any(map(is_not, one, other))


def _put_back(one: Any, name: str, before: Any) -> None:
    with contextlib.suppress(Exception):  # Python keeps something there
        kind = type if issubclass(type(one), type) else object
        if before is ABSENT:
            kind.__delattr__(one, name)
        else:
            kind.__setattr__(one, name, before)
