"""What an expression for a value refers to, and what may be called to look for one.

Loaded in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any


class Makers(IntEnum):
    """What of a program may be called to see whether it makes an equal object."""

    NONE = 0
    CLASSES = 1
    METHODS = 2
    """Classes, and their class methods."""


class UsedNames(set[tuple[str, str]]):
    """(module, name) of each name that an expression uses."""

    def __init__(
        self, found: Iterable[tuple[str, str]] = (), makers: Makers = Makers.CLASSES
    ) -> None:
        super().__init__(found)
        self.makers = makers
        self.reached: dict[frozenset[tuple[str, str]], Any] = {}
        """Names -> what their code reaches, as it was when these were first called."""

    def apart(self, found: Iterable[tuple[str, str]] = ()) -> UsedNames:
        """Returns other names of the same value: the same may be called, and reaches the same."""
        names = UsedNames(found, self.makers)
        names.reached = self.reached
        return names
