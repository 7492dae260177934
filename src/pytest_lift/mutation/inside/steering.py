"""Inside mutmut's own process: mutants in the order of the lift, and a tidy end when time is up.

Standard library only. mutmut runs mutants from the quickest to the slowest, and knows no end: a
sample of a part of them would be one of the quick ones, and a process that is killed may leave
half of a file. Here the next mutant is the next one of the queue. When the time is up those under
test are finished, none is begun, and mutmut is interrupted as by Ctrl-C, while it only waits.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

STARTED, ENDING, STOPPED = "started", "ending", "stopped"
"""Files: a byte for each mutant that was begun; no more are to be; mutmut was interrupted."""
NO_VERDICT = 2
"""Status of a mutant that was not run: what pytest ends with when it is interrupted."""
SOON, NOW_AND_THEN = 0.02, 0.2
MAIN = "mutmut.__main__"
ORDER = "estimated_worst_case_time"
"""mutmut's function that the mutants are sorted by: it is called when all else is done."""
WAITING = "wait_for_result"
"""Place in mutmut's runner where its process is while mutants run."""
BUSY = frozenset({"save", "shutdown"})
"""Places where it must not be interrupted: it writes verdicts, or has ended."""


@dataclass
class Steering:
    """Steering of one process of mutmut."""

    folder: Path
    queue: Mapping[str, int]
    """Mutant -> place in the queue."""
    until: float
    """`time.monotonic()` at which everything must have ended."""
    share: float
    """Part of the time from the first mutant on in which mutants are begun."""
    least: int
    """Number of mutants that are begun in any case, if there is time."""
    _begun: bool = False
    _finishing: set[int] | None = field(default=None)

    def take_over(self) -> None:
        """Raises AttributeError where mutmut is not what it was."""
        main: Any = sys.modules[MAIN]
        getattr(main, ORDER)
        setattr(main, ORDER, self.place)

    def place(self, mutant: str) -> int:
        """Returns the place of the mutant in the queue; the first call starts the clock."""
        if not self._begun:
            self._begun = True
            signal.signal(signal.SIGALRM, self._look)
            left = max(self.until - time.monotonic(), 0.0)
            signal.setitimer(signal.ITIMER_REAL, max(self.share * left, NOW_AND_THEN))
        return self.queue.get(mutant, len(self.queue))

    def _look(self, number: int, frame: FrameType | None) -> None:
        again = self._again(list(_frames(frame)))
        if again:
            signal.setitimer(signal.ITIMER_REAL, again)
            return
        (self.folder / STOPPED).touch()
        raise KeyboardInterrupt

    def _again(self, frames: list[FrameType]) -> float:
        """Returns seconds after which to look again; 0: mutmut can be interrupted now."""
        names = {frame.f_code.co_name: frame for frame in frames}
        if WAITING not in names or BUSY & names.keys():
            return SOON
        if time.monotonic() >= self.until:
            return 0.0
        if self._finishing is None:
            if _size(self.folder / STARTED) < self.least:
                return NOW_AND_THEN
            (self.folder / ENDING).touch()
            self._finishing = _running(names[WAITING])
        return SOON if self._finishing & _running(names[WAITING]) else 0.0


def begin_mutant(folder: Path) -> None:
    """Begins a mutant in its process; the process ends at once if no more are to be begun."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    if (folder / ENDING).exists():
        os._exit(NO_VERDICT)
    with open(folder / STARTED, "ab", buffering=0) as file:
        file.write(b".")


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _running(waiting: FrameType) -> set[int]:
    return set(getattr(waiting.f_locals.get("self"), "_running", ()))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
