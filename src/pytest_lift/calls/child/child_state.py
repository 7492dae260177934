"""Restores the module state of the program after every case.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


class ModuleState:
    """Snapshot of the program's modules after import, restored after a case changed them."""

    def __init__(self, names: dict[str, Any]) -> None:
        modules = [sys.modules[n] for n in names if isinstance(sys.modules.get(n), ModuleType)]
        for module in modules:
            module.__dict__.setdefault("__warningregistry__", {})
        self.spaces = [(m.__dict__, dict(m.__dict__)) for m in modules]
        self.kept = [
            (value, value.copy())
            for space, _ in self.spaces
            for name, value in list(space.items())
            if type(value) in (dict, list, set) and not name.startswith("__")
        ]
        values = [value for space, _ in self.spaces for value in space.values()]
        caches = (getattr(value, "cache_clear", None) for value in values)
        self.caches: list[Callable[[], object]] = [c for c in caches if callable(c)]

    def restore(self) -> bool:
        """Restores the modules; returns whether anything had changed."""
        changed = False
        for space, before in self.spaces:
            if space != before:
                changed = changed or _changed(space, before)
                space.clear()
                space.update(before)
        for value, before in self.kept:
            if len(value) != len(before) or value != before:
                value.clear()
                value.extend(before) if isinstance(value, list) else value.update(before)
                changed = True
        for clear in self.caches:
            clear()
        return changed


def _changed(space: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether a namespace changed; a submodule that was imported late does not count."""
    added = [value for name, value in space.items() if name not in before]
    if not all(isinstance(value, ModuleType) for value in added):
        return True
    return any(name not in space or space[name] is not before[name] for name in before)
