"""Functions and classes that cases define, put back as they were defined.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from types import FunctionType
from typing import Any

OF_FUNCTION = ("__doc__", "__name__", "__qualname__", "__defaults__", "__kwdefaults__")
"""What decorators change in a function beside its attributes."""
ABSENT = object()


class DefinedObjects:
    """What functions and classes held when they were defined: cases that share a definition must
    not see what others did to it, as a decorator that marks a function."""

    def __init__(self) -> None:
        self._held: dict[int, tuple[object, dict[str, Any]]] = {}
        """Number of an object -> the object, and its attributes."""

    def note(self, values: Iterable[object]) -> None:
        """Notes what functions and classes hold that were just defined; no object is asked for its
        class, which may be told falsely."""
        for value in values:
            if issubclass(type(value), (FunctionType, type)):
                self._held[id(value)] = (value, _attributes(value))

    def put_back(self, values: Iterable[object]) -> None:
        """Puts back what is another one now in those that were noted; metaclasses are not asked."""
        for value in values:
            if id(value) in self._held:
                _, before = self._held[id(value)]
                now = _attributes(value)
                for name in now.keys() | before.keys():
                    if now.get(name, ABSENT) is not before.get(name, ABSENT):
                        _put_back(value, name, before.get(name, ABSENT))

    def forget(self) -> None:
        """Forgets all: the definitions are executed anew."""
        self._held.clear()


def _attributes(value: object) -> dict[str, Any]:
    if issubclass(type(value), FunctionType):
        return {**value.__dict__, **{name: getattr(value, name) for name in OF_FUNCTION}}
    return dict(type.__getattribute__(value, "__dict__"))


def _put_back(value: object, name: str, before: object) -> None:
    kind = type if issubclass(type(value), type) else object
    with contextlib.suppress(AttributeError, TypeError):  # some cannot be assigned
        if before is ABSENT:
            kind.__delattr__(value, name)
        else:
            kind.__setattr__(value, name, before)
