"""The time of a lift: how much is left, and what it is spent on now."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType, MappingProxyType

SHARES: Mapping[str, float] = MappingProxyType(
    {
        "orders": 0.05,
        "mutate": 0.4,
        "expect": 0.6,
        "generate": 0.55,
        "minimise": 1.0,
        "feedback": 0.1,
    }
)
"""Phase -> the part of the whole time that it may take each time. Running the suite is not among
them: it takes what it takes, and is not begun where that does not fit."""
REPORTING, LEAST_REPORTING, MOST_REPORTING = 0.04, 1.0, 15.0
"""The part that is kept for writing reports; seconds at least and at most."""
LEAST_GENERATION, MOST_GENERATION = 2.0, 60.0
"""Seconds without which it is not worth while to look for tests, and what offline agents take."""
WORTHWHILE = 3.0
"""Seconds that a phase gets even where more may be needed after it than seems now."""
MARGIN = 0.15
"""Part of the time until a phase is stopped that it should leave unused."""


class TimeIsUp(BaseException):
    """The time of the lift is up, or too short for what would come next; it says which.

    Like KeyboardInterrupt it is no Exception, so that nobody on the way takes it for a failure of
    their own.
    """


class NotBegun(TimeIsUp):
    """Less time is left than what would come next takes; it says how long that is."""


@dataclass(frozen=True)
class TimeBudget:
    """A lift that began at `began` has `seconds` (None: no limit). Moments are those of `clock`."""

    seconds: float | None = None
    began: float = 0.0
    clock: Callable[[], float] = time.monotonic

    @property
    def until(self) -> float | None:
        """The moment when all but the reports must be over."""
        if self.seconds is None:
            return None
        reporting = min(max(REPORTING * self.seconds, LEAST_REPORTING), MOST_REPORTING)
        return self.began + max(self.seconds - reporting, 0.0)

    @property
    def left(self) -> float | None:
        """Seconds until then, never less than 0; None without a limit."""
        return None if self.until is None else max(self.until - self.clock(), 0.0)

    def aim(self, phase: str, keep: float = 0.0, growth: float = 1.0) -> float | None:
        """Returns the moment when a phase that begins now should be over: its share is used up
        then, or almost all but the seconds to `keep` for what comes after it.

        Those may grow by a factor of `growth`, where that leaves enough to be worth while.
        """
        if self.seconds is None or self.left is None:
            return None
        share = SHARES.get(phase, 1.0) * self.seconds
        most = max(self.left - keep, 0.0)
        careful = max(self.left - growth * keep, min(WORTHWHILE, most))
        return self.clock() + min(share, (1 - MARGIN) * careful)

    def require(self, seconds: float, what: str) -> None:
        """Raises NotBegun where `what`, which takes so long, would not be over in time."""
        if self.left is not None and self.left < seconds:
            raise NotBegun(
                f"{what} takes about {spoken(seconds)}, and {spoken(self.left)} "
                f"of {self.told} are left; allow {self.enough(seconds)}"
            )

    def enough(self, seconds: float) -> str:
        """Returns the limit with which what takes so long, and as much again, would be over in
        time."""
        needed = self.clock() - self.began + 2 * seconds + LEAST_GENERATION
        return f"--lift-max-minutes {max(math.ceil(needed / 6) / 10, 0.1):g}"

    def least(self, trying: float) -> float:
        """Returns seconds without which no iteration fits, where trying a candidate takes
        `trying`."""
        return LEAST_GENERATION + trying

    def about(self, trying: float) -> float:
        """Returns seconds that an iteration is expected to take, where trying a candidate takes
        `trying`."""
        generation = MOST_GENERATION
        if self.seconds is not None:
            generation = min(generation, SHARES["generate"] * self.seconds)
        return generation + trying

    @property
    def told(self) -> str:
        """The limit in words."""
        return f"--lift-max-minutes {(self.seconds or 0.0) / 60:.4g}"

    @contextmanager
    def stopping(self, keep: float = 0.0) -> Iterator[None]:
        """Ends the block with TimeIsUp when only the seconds to `keep` are left.

        It ends as Ctrl-C would end it, wherever it is, if the system has timers and this is the
        main thread; elsewhere only code that asks for the time ends.
        """
        if self.left is None:
            yield
            return
        self.require(keep, "what comes next")
        timers = hasattr(signal, "setitimer")
        if not timers or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGALRM, self._stop)
        try:
            signal.setitimer(signal.ITIMER_REAL, max(self.left - keep, 0.001))
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before or signal.SIG_DFL)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        raise TimeIsUp(f"the time of {self.told} is used up; unfinished work does not count")


UNLIMITED = TimeBudget()


def spoken(seconds: float) -> str:
    """Returns seconds in words (``0.4 s``, ``45 s``, ``3 min``), as exact as an estimate is."""
    if seconds < 9.5:
        return f"{seconds:.1f} s"
    return f"{seconds:.0f} s" if seconds < 119.5 else f"{seconds / 60:.1f} min"


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
