"""Current activity of a lift: its phase, the thing that is waited for, and how far that is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType

from pytest_lift.measure.time_budget import spoken

WORDS: Mapping[str, str] = MappingProxyType(
    {
        "prepare": "copying the project",
        "notice": "looking for what you changed",
        "measure": "measuring",
        "orders": "trying other orders of the tests",
        "mutate": "measuring mutants",
        "expect": "reading what the requirements say",
        "generate": "looking for tests",
        "land": "landing",
        "feedback": "judging",
        "minimise": "looking for tests to remove",
        "report": "writing the reports",
    }
)
"""Phase -> what is going on then."""

ENOUGH = 0.1
"""The part of a count that says how long all of it will take."""
Count = Callable[[], tuple[int, int]]
"""Returns (number done, total); the total is 0 until it is known."""


@dataclass(frozen=True)
class Waiting:
    """One thing that is waited for."""

    what: str
    began: float
    estimate: float = 0.0
    """Estimate in seconds; 0 if there is none."""
    count: Count | None = None
    noun: str = ""
    figure: Callable[[], str] = str
    """Returns the result so far in words; called after `count`."""

    @property
    def counted(self) -> tuple[int, int]:
        return self.count() if self.count else (0, 0)


@dataclass
class Activity:
    """Current work, set by the working thread and read by the one that displays it: a field is
    replaced as a whole."""

    clock: Callable[[], float] = time.monotonic
    began: float = field(default=0.0)
    phase: str = ""
    since: float = 0.0
    iteration: int = 0
    waiting: Waiting | None = None
    projected: float = 0.0
    """Seconds that what was waited for last would have taken, by what of it was done; 0 where too
    little was."""

    def __post_init__(self) -> None:
        self.began = self.began or self.clock()

    def begin(self, phase: str) -> None:
        """Begins another phase."""
        self.phase, self.since, self.waiting = phase, self.clock(), None

    @contextmanager
    def wait(
        self,
        what: str,
        *,
        estimate: float = 0.0,
        count: Count | None = None,
        noun: str = "tests",
        figure: Callable[[], str] = str,
    ) -> Iterator[None]:
        """Shows what is waited for while the block runs."""
        before = self.waiting
        self.waiting = Waiting(what, self.clock(), estimate, count, noun, figure)
        try:
            yield
        finally:
            self.projected = self._projected(self.waiting, *self.waiting.counted)
            self.waiting = before

    def _projected(self, waiting: Waiting, done: int, total: int) -> float:
        if not total or done < ENOUGH * total:
            return 0.0
        return (self.clock() - waiting.began) * total / done

    @property
    def told(self) -> str:
        """One line: ``1:05  iteration 2: measuring: running the suite, 340 of 519 tests, 12 s of
        about 17 s``."""
        now, waiting = self.clock(), self.waiting
        minutes, seconds = divmod(int(now - self.began), 60)
        told = WORDS.get(self.phase, self.phase)
        since, estimate = self.since, 0.0
        if waiting is not None:
            told += f": {waiting.what}"
            done, total = waiting.counted
            since = waiting.began
            estimate = self._projected(waiting, done, total) or waiting.estimate
            if total:
                told += f", {done:,} of {total:,} {waiting.noun}{waiting.figure()}"
        place = f"iteration {self.iteration}: " if self.iteration else ""
        lasts = f"{max(now - since, 0.0):.0f} s"
        lasts += f" of about {spoken(estimate)}" if estimate >= max(now - since, 1.0) else ""
        return f"{minutes:>2}:{seconds:02d}  {place}{told}, {lasts}"
