"""Time limits of cases: timers that go on from case to case, and waits for what nobody does.

To set timers for each case takes as long as many a case. Loaded by path in the child process, so it
imports nothing of this package.
"""

from __future__ import annotations

import functools
import math
import selectors
import signal
import threading
import time
from types import FrameType
from typing import Any

CPU_SECONDS = 0.25
WALL_SECONDS = 0.8
CHILD_SECONDS = 5.0
"""Limit for a documented command line, which starts a process of its own."""
CPU_TICK, WALL_TICK = 0.025, 0.05
"""Seconds between two looks."""
TOO_LONG, WAITS = "timeout", "waits"
"""Why a case is stopped that takes too long, and one that waits for what nobody will do."""
AGAIN = 0.2
"""Seconds after which a case that goes on all the same is stopped once more; what follows its end
takes less."""
TICKING = {
    signal.SIGALRM: (signal.ITIMER_REAL, WALL_TICK),
    signal.SIGPROF: (signal.ITIMER_PROF, CPU_TICK),
}
"""Signal -> the timer that sends it, and the seconds between two looks."""
OTHERS = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGCHLD")
    if hasattr(signal, name)
)
"""Signals of which nothing here is heard, and that a case may have heard."""


class Stopped(BaseException):
    """Raised into a case that takes too long or does what a test must not do."""


def _ticks(timer: int, tick: float) -> bool:
    """Whether a timer goes off so often, as it does unless a case has changed it."""
    return math.isclose(signal.getitimer(timer)[1], tick, abs_tol=1e-6)


class Timers:
    """The limits of the case that is running. A clock that is moved is not theirs."""

    def __init__(self) -> None:
        self.cpu_until = self.wall_until = math.inf
        self._worked = 0.0
        self._looking = self._look
        """One object: what hears a signal may be the program's, and is not asked what it equals."""
        self._others: dict[int, Any] = {}
        """Signal -> what hears it when no case runs."""
        self._wall = time.clock_gettime
        self._cpu = functools.partial(time.clock_gettime, time.CLOCK_PROCESS_CPUTIME_ID)

    def install(self) -> None:
        """Has signals looked at."""
        signal.signal(signal.SIGPROF, self._looking)
        signal.signal(signal.SIGALRM, self._looking)
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        self.note()

    def note(self) -> None:
        """Notes what hears other signals when no case runs: a program may hear some from its import
        on."""
        heard = ((number, signal.getsignal(number)) for number in OTHERS)
        self._others = {number: one for number, one in heard if one is not None}

    def put_back(self) -> bool:
        """Puts back what hears signals, and the timers, where a case has changed these; returns
        whether it has left something that goes on after a test: a function that hears a signal, or
        an alarm that is still to come."""
        others = self._put_others_back()
        heard = [one for one in map(signal.getsignal, TICKING) if one is not self._looking]
        alarms = [timer for timer, tick in TICKING.values() if not _ticks(timer, tick)]
        left = any(signal.getitimer(timer)[0] > 0 for timer in alarms)
        if alarms or heard:
            for number in TICKING:
                signal.signal(number, self._looking)
            self.set(self._worked)
        return others or left or any(one is not signal.SIG_DFL for one in heard)

    def _put_others_back(self) -> bool:
        """Puts back what hears other signals; returns whether a case has changed that."""
        changed = [one for one, usual in self._others.items() if signal.getsignal(one) is not usual]
        for number in changed:
            signal.signal(number, self._others[number])
        return bool(changed)

    def set(self, worked: float = 0.0) -> None:
        """Sets the timers: a case may have changed them, and a fork has none. The process ends when
        it has `worked` for so long, unless they are set again or a signal is heard: what is written
        in C may hear none."""
        self._worked = worked
        for timer, tick in TICKING.values():
            signal.setitimer(timer, tick, tick)
        signal.setitimer(signal.ITIMER_VIRTUAL, worked)

    def begin(self, children: bool, share: float = 1.0) -> None:
        """Begins with a case, which gets the `share` of the usual time."""
        wall = CHILD_SECONDS if children else WALL_SECONDS * share
        self.wall_until = self._wall(time.CLOCK_MONOTONIC) + wall
        self.cpu_until = self._cpu() + CPU_SECONDS * share

    def is_beyond(self, seconds: float | None) -> bool:
        """Whether a wait of so many seconds, or without an end, takes longer than the case that is
        running has time."""
        left = self.wall_until - self._wall(time.CLOCK_MONOTONIC)
        return left < math.inf and (seconds is None or seconds > left)

    def end(self) -> None:
        """Ends the case, also where its time is over at this very moment."""
        while self.cpu_until < math.inf or self.wall_until < math.inf:
            try:
                self.cpu_until = self.wall_until = math.inf
            except Stopped:
                continue

    def _look(self, number: int, frame: FrameType | None) -> None:
        # A profile may be looking for clocks that the program asks: these are none of them.
        cpu, wall = self._cpu(), self._wall(time.CLOCK_MONOTONIC)
        if cpu > self.cpu_until or wall > self.wall_until:
            self.cpu_until, self.wall_until = cpu + AGAIN, wall + AGAIN
            signal.setitimer(signal.ITIMER_VIRTUAL, self._worked)
            raise Stopped(TOO_LONG)


class Idleness:
    """Stops a case at once that waits for what nobody will do: in its event loop, or for another
    thread where it has none."""

    def __init__(self, timers: Timers) -> None:
        self._timers = timers
        self._before: frozenset[threading.Thread] = frozenset()
        """Threads from before the case that is running."""

    def begin(self) -> None:
        """Begins with a case."""
        self._before = frozenset(threading.enumerate())

    def install(self) -> None:
        """Has the running case end where it would wait without an end, or for longer than it has
        time: in an event loop with nothing scheduled, where nothing is open but what wakes the loop
        up, or for a condition that another thread has to notify; and no thread of it is left. What
        sleeps for longer than there is time takes too long, as it would be told in the end."""
        kind: Any = selectors.DefaultSelector
        select = kind.select

        def looked_at(selector: Any, timeout: float | None = None) -> Any:
            endless = timeout is None or self._timers.is_beyond(timeout)
            if endless and len(selector.get_map() or ()) == 1 and self._is_alone():
                raise Stopped(WAITS if timeout is None else TOO_LONG)
            return select(selector, timeout)

        kind.select = looked_at
        condition: Any = threading.Condition
        wait = condition.wait

        def waited_for(condition: Any, timeout: float | None = None) -> Any:
            if self._timers.is_beyond(timeout) and self._is_alone():
                raise Stopped(WAITS)
            return wait(condition, timeout)

        condition.wait = waited_for
        sleep = time.sleep

        @functools.wraps(sleep)
        def slept(seconds: Any) -> None:
            numeric = isinstance(seconds, int | float)
            if numeric and self._timers.is_beyond(seconds) and _in_main_thread():
                raise Stopped(TOO_LONG)
            sleep(seconds)

        time.sleep = slept

    def _is_alone(self) -> bool:
        """Whether the case has no thread but the main one, in which this is."""
        return _in_main_thread() and self._before >= frozenset(threading.enumerate())


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
