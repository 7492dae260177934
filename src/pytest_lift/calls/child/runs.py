"""A case that is running, and a step of it.

Loaded in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class CaseRun:
    """A case that is running."""

    case: dict[str, Any]
    space: dict[str, Any]
    """Its variables."""
    outcomes: list[dict[str, Any]]
    """What is told of its steps, to which each step adds."""
    printed: Any
    """Stream to which it prints."""

    @property
    def symbol(self) -> str:
        """Symbol that it is about, without the file of that."""
        return str(self.case["symbol"]).rpartition(":")[2]

    def lines(self, most: int | None = None) -> list[str]:
        """Returns the sources of its steps, or of the first ones."""
        return [step[0] for step in self.case["steps"][:most]]


@dataclass
class StepRun:
    """A step that is running: what there was before it, and what is known of it so far."""

    at: int
    """Which step of the case it is."""
    printed: int
    complained: int
    """Characters on the standard streams before it."""
    files: dict[str, str]
    """Texts of the files that it did not write, where these are looked at."""
    reached: bytes
    """Probes that were reached before it, where it only looks at something."""
    how: str = ""
    """How its value is had, as far as that has begun."""
    said: str = ""
    """What it has printed."""
