"""Parts of the program that a generator could not test, each with the reason and a remedy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ObstacleKind = Literal["module", "class", "function"]


@dataclass(frozen=True)
class Obstacle:
    """Module that cannot be imported, class that cannot be built, or function whose every call
    fails."""

    kind: ObstacleKind
    path: str
    symbol: str
    """Qualified name inside the file; empty for a module."""
    reason: str
    """The exception or the limit that was met most often."""
    remedy: str
    calls: int = 0
    """Calls that were tried; 0 for a module."""
