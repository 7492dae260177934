"""Abstract states of objects: two of one state are alike for what can be done with them next.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import enum
from collections import deque
from typing import Any


def state_of(value: Any) -> str:
    """Returns the abstract state of an object: types, emptiness, small counts, flags, enum members.

    Two objects of one abstract state are taken to be alike for what can be done with them next.
    """
    found = [type(value).__qualname__, _size(value)]
    for name in sorted(_attribute_names(value)):
        try:
            found.append(f"{name}={_abstract(getattr(value, name))}")
        except Exception:
            continue
    return ";".join(found)


def _size(value: Any) -> str:
    try:
        return str(min(len(value), 3))
    except Exception:
        return ""


def _abstract(value: Any) -> str:
    if value is None or isinstance(value, bool | enum.Enum):
        return str(value)
    if isinstance(value, int | float):
        return f"{max(-1, min(value, 3)):.0f}"
    if isinstance(value, str):
        return f"s{min(len(value), 2)}"
    if isinstance(value, list | tuple | dict | set | frozenset | deque):
        first = next(iter(value), None)
        return f"{type(value).__name__}{min(len(value), 3)}{type(first).__name__}"
    return type(value).__qualname__ + _size(value)


def _attribute_names(value: Any) -> list[str]:
    """Returns the names of its attributes, private ones included, in the order of definition."""
    slots = [slot for kind in type(value).__mro__ for slot in getattr(kind, "__slots__", ())]
    names = dict.fromkeys([*getattr(value, "__dict__", ()), *slots])
    return [name for name in names if name.isidentifier()]
