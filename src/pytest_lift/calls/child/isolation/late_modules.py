"""Modules of the program that a case was the first to import.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any


class LateModules:
    """Tells which modules were imported after the state of the program was noted. What they
    register in others is put back after the case and would never be registered again: they are
    forgotten and imported before it, as if a test had imported them."""

    def __init__(self, finder: Any) -> None:
        self.executed: list[str] = finder.executed
        self.known: set[str] = set()

    def begin(self) -> None:
        """Takes what is imported now for what was imported before any case."""
        self.known.update(self.executed)
        self.executed.clear()

    @property
    def found(self) -> bool:
        """Whether the program has imported modules since then that it never did before."""
        return bool(self.executed) and not self.known.issuperset(self.executed)

    def forgotten(self) -> list[str]:
        """Forgets these modules; returns their names, the first ones first."""
        late = [name for name in dict.fromkeys(self.executed) if name not in self.known]
        for name in late:
            sys.modules.pop(name, None)
        return late


def lines(modules: Iterable[str]) -> list[str]:
    """Returns the lines that import modules."""
    return [f"import {name}" for name in modules]
