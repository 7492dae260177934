"""States of the program once cases have defined what registers itself somewhere in it.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Snapshot:
    """What modules, classes and objects of the program held at one moment."""

    def __init__(self, modules: Any, shared: Any) -> None:
        self.modules = modules
        """A `ModuleState`."""
        self.shared = shared
        """`SharedObjects`."""

    def put_back(self) -> bool:
        """Puts everything back; returns whether anything had changed."""
        self.modules.restore()
        touched: bool = self.modules.touched
        return bool(self.shared.put_back()) or touched


class DefinedStates:
    """The state after import, and one for each group of definitions that change it: a case sees
    what it registers itself, and nothing that others do."""

    def __init__(self, plain: Snapshot, take: Callable[[], Snapshot]) -> None:
        self.plain = plain
        self._take = take
        self._own: dict[str, Snapshot] = {}

    def of(self, definitions: str) -> Snapshot:
        """Returns the state for cases that begin with these definitions."""
        return self._own.get(definitions, self.plain)

    def define(
        self, definitions: str, before: str, bind: Callable[[], dict[str, Any]]
    ) -> dict[str, Any]:
        """Returns what the last of some definitions binds, after those `before` it; notes the state
        where that is another one then."""
        begun = self.of(before)
        begun.put_back()
        found = bind()
        if not begun.put_back():
            if begun is not self.plain:
                self._own[definitions] = begun
        else:
            found = bind()
            self._own[definitions] = self._take()
        self.plain.put_back()
        return found
