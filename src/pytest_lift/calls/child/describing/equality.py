"""Tells as what objects of a class are compared: a container, or without their class.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import enum
import itertools
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from .objects import attribute_names, from_program, text_of

PLAIN: dict[type, Callable[[Any], Any]] = {
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    float: float.__float__,
    list: lambda value: [*list.__iter__(value)],
    tuple: lambda value: (*tuple.__iter__(value),),
    dict: lambda value: dict(dict.items(value)),
}
"""Class of Python's own -> what makes a plain value of an object of a class derived from it."""
MOST_ALIKE = 2
"""Most classes of which it is tried whether an object equals one of them."""


def of_builtin(value: Any) -> Any:
    """Returns the plain value to which an object of a derived class is equal: ``'a'`` for a text
    with more attributes; None where there is none."""
    compared: object = type(value).__eq__
    for kind, plain in PLAIN.items():
        if isinstance(value, kind) and compared is kind.__eq__:
            return plain(value)
    return None


def compared_as(kind: type) -> type | None:
    """Returns the container of Python's own as which objects of a class are compared."""
    definer = next(k for k in kind.__mro__ if "__eq__" in vars(k))
    return definer if definer in (dict, list, set, frozenset) else None


def hides_class(value: Any, program: frozenset[str]) -> bool:
    """Whether an object equals one of another class that is not derived from its own, 5 MB the
    5 Mb that have the same state, and its text tells what the equality does not: ``"5 MB"``."""
    kind = type(value)
    definer = next(k for k in kind.__mro__ if "__eq__" in vars(k))
    if definer is kind or not from_program(definer, program) or issubclass(kind, enum.Enum):
        return False
    others = (other for other in _derived(definer) if _is_like(other, kind))
    if not (first := [*itertools.islice(others, MOST_ALIKE)]):
        return False
    shown = text_of(value, program)
    return bool(shown) and any(_equals_as(value, other, str(shown)) for other in first)


def _is_like(other: type, kind: type) -> bool:
    """Whether a class is compared as another one from which it is not derived, and an object of it
    can be made, and be thrown away without the program's doing something then."""
    compared: object = kind.__eq__
    if issubclass(other, kind) or other.__eq__ is not compared:
        return False
    ends = hasattr(other, "__del__") or hasattr(kind, "__del__")
    return not (ends or getattr(other, "__abstractmethods__", False))


def _derived(kind: type) -> Iterator[type]:
    """Yields the classes that are derived from one, each once, the nearest first."""
    seen, waiting = {kind}, deque([kind])
    while waiting:
        nearest: list[type] = type.__subclasses__(waiting.popleft())
        for one in nearest:
            if one not in seen:
                seen.add(one)
                waiting.append(one)
                yield one


def _equals_as(value: Any, other: type, shown: str) -> bool:
    """Whether an object equals one of another class with the same attributes, and one that is made
    as its own `repr` says has another text."""
    kind = type(value).__name__
    try:
        twin: Any = object.__new__(other)
        for name in attribute_names(value):
            if hasattr(value, name):
                object.__setattr__(twin, name, getattr(value, name))
        source = repr(value)
        if value != twin or not source.startswith(f"{kind}("):
            return False
        return str(eval(source, {kind: other})) != shown
    except Exception:
        return False
