"""How long each phase of an iteration took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class PhaseTimer:
    """Adds up the phases of the iteration that is going on; `began` is told each as it begins."""

    began: Callable[[str], None] = lambda name: None
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        self.began(name)
        started = time.monotonic()
        try:
            yield
        finally:
            taken = time.monotonic() - started
            self.seconds[name] = self.seconds.get(name, 0.0) + taken

    def take(self) -> dict[str, float]:
        """Phase -> seconds, to the millisecond; the next iteration begins with none."""
        taken, self.seconds = self.seconds, {}
        return {name: round(seconds, 3) for name, seconds in taken.items()}
