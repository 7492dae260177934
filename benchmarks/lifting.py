"""The command of a lift, for benchmarks of something else than mutants."""

from __future__ import annotations

import sys


def lift_command(*options: str) -> list[str]:
    """Mutants left out."""
    return [sys.executable, "-m", "pytest", "--lift", "--lift-mutation=off", *options]
