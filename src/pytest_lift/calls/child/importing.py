"""Executes the import lines of cases, each once.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import faulthandler
from collections.abc import Iterable
from typing import Any

IMPORT_SECONDS = 20.0


class ImportLines:
    """Import line -> the names that it binds, or why it fails."""

    def __init__(self, guards: Any) -> None:
        self.guards = guards
        self.found: dict[str, dict[str, Any] | str] = {}

    def execute(self, lines: Iterable[str]) -> bool:
        """Executes the lines that are new; returns whether there are any. Limits the memory that
        cases may take beside what was imported."""
        new = [line for line in dict.fromkeys(lines) if line not in self.found]
        if not new:
            return False
        faulthandler.dump_traceback_later(IMPORT_SECONDS, exit=True)
        self.guards.limit_growth(self.guards.ADDRESS_SPACE)
        for line in new:
            space: dict[str, Any] = {}
            try:
                exec(line, space)
            except BaseException as error:
                self.found[line] = f"import: {type(error).__name__}: {error}"[:200]
            else:
                space.pop("__builtins__", None)
                self.found[line] = space
        self.guards.limit_growth()
        return True
