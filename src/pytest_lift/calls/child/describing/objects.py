"""Reads what an object of the program holds, without leaving it changed.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

CASE = "lift_case"
"""Name of the module that cases are taken to be, and with them what they define."""
LOCAL = "test_case.<locals>."
"""Before the name of what they define, as it is in the function of a test."""
NOTHING = object()
"""Stands for what cannot be read."""


def attribute_names(value: Any) -> list[str]:
    """Returns the names of its attributes, private ones included, in the order of definition."""
    slots = [slot for kind in type(value).__mro__ for slot in getattr(kind, "__slots__", ())]
    names = dict.fromkeys([*getattr(value, "__dict__", ()), *slots])
    return [name for name in names if name.isidentifier()]


def read_aside(value: Any, read: Callable[[], Any]) -> Any:
    """Returns what reading something of an object gives, and puts its attributes back;
    `NOTHING` where that fails, or replaces an attribute: a property that does something."""
    before = dict(getattr(value, "__dict__", ()))
    try:
        seen = read()
    except Exception:
        seen = NOTHING
    finally:  # also where the case is stopped
        after = getattr(value, "__dict__", {})
        kept = all(name in after and after[name] is one for name, one in before.items())
        if not kept or len(before) != len(after):
            after.clear()
            after.update(before)
    return seen if kept else NOTHING


def indexes(value: Any, names: Iterable[str]) -> frozenset[str]:
    """Returns the attributes in which a container of a program keeps tables of what is in it, which
    another attribute holds item by item; none of any other object."""
    kind = type(value)
    if not (hasattr(kind, "__len__") and hasattr(kind, "__iter__")):
        return frozenset()
    try:
        size, held = len(value), {name: getattr(value, name) for name in names if name[0] != "_"}
        items = any(type(one) in (list, set, deque) and len(one) == size for one in held.values())
    except Exception:
        return frozenset()
    return frozenset(name for name, one in held.items() if items and isinstance(one, dict))


def module_of(kind: type) -> str:
    """Returns the module that a class names; "" for one that stands in for others, whose
    ``__module__`` is a property."""
    module: object = kind.__module__
    return module if isinstance(module, str) else ""


def from_program(thing: Any, program: frozenset[str]) -> bool:
    return str(getattr(thing, "__module__", "")).partition(".")[0] in program


def text_of(value: Any, program: frozenset[str]) -> str | None:
    kind = type(value)
    definer = next((k for k in kind.__mro__ if "__str__" in vars(k)), object)
    if not from_program(definer, program) and not isinstance(value, BaseException):
        return None
    try:
        text = str(value)
    except Exception:
        return None
    placed = " at 0x" in text or str(id(value)) in text or LOCAL in text
    return text if not placed and len(text) <= 300 else None
