"""Clock of the child process, which can be moved to see what depends on it.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import datetime
import functools
import time
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any

LATER = 0.01
"""Seconds by which each reading of the time that was spent is later than the one before."""


class Clock:
    """Clock of the process: what stays the same when it is moved does not depend on it.

    Installed before the program is imported, because default arguments keep functions of `time`.
    """

    SECONDS = ("time", "monotonic", "perf_counter")
    """Functions of `time` that give seconds; with ``_ns`` they give nanoseconds."""
    SPENT = ("process_time", "thread_time")
    """The same that give the seconds spent: few, and in a jail none. Each reading is a later one
    where the clock is moved, so that what lies between two is not the same."""
    OF_NOW = (("localtime", 0), ("gmtime", 0), ("ctime", 0), ("asctime", 0), ("strftime", 1))
    """(function of `time` that takes a moment, or now where it is not given; its position)."""

    def __init__(self) -> None:
        self.offset = 0.0
        self._swapped: list[tuple[dict[str, Any], str, Any]] = []
        for name in self.SECONDS:
            setattr(time, name, self._moved(getattr(time, name), 1))
            setattr(time, f"{name}_ns", self._moved(getattr(time, f"{name}_ns"), 10**9))
        self._readings = count(1)
        for name in self.SPENT:
            setattr(time, name, self._spent(getattr(time, name), 1))
            setattr(time, f"{name}_ns", self._spent(getattr(time, f"{name}_ns"), 10**9))
        now, broken_down = time.time, time.localtime
        for name, at in self.OF_NOW:
            seconds = name in ("localtime", "gmtime", "ctime")
            moment = now if seconds else lambda: broken_down(now())
            setattr(time, name, self._of(moment, getattr(time, name), at))
        self.classes = _moved_classes(self)

    def _moved(self, real: Callable[[], float], unit: int) -> Callable[[], float]:
        kind = type(real())
        return functools.wraps(real)(lambda: real() + kind(self.offset * unit))

    def _spent(self, real: Callable[[], float], unit: int) -> Callable[[], float]:
        kind = type(real())
        return functools.wraps(real)(
            lambda: real() + kind(next(self._readings) * LATER * unit if self.offset else 0)
        )

    def _of(self, now: Callable[[], Any], real: Callable[..., Any], at: int) -> Callable[..., Any]:
        """Returns a function of `time` that means this clock where no moment is given."""
        return functools.wraps(real)(
            lambda *given: real(*given) if len(given) > at else real(*given, now())
        )

    def move(self, seconds: float, spaces: Iterable[dict[str, Any]]) -> None:
        """Moves the clock, also that of the classes of `datetime` in these namespaces."""
        self.offset = seconds
        for space in (vars(datetime), *spaces):
            for name, value in list(space.items()):
                if isinstance(value, type) and value in self.classes:
                    self._swapped.append((space, name, value))
                    space[name] = self.classes[value]

    def move_back(self) -> None:
        self.offset = 0.0
        while self._swapped:
            space, name, value = self._swapped.pop()
            space[name] = value


def _moved_classes(clock: Clock) -> dict[type, type]:
    """Returns `datetime.datetime` and `datetime.date` -> classes that follow the clock."""
    moment, day = datetime.datetime, datetime.date

    class _Same(type):
        """Takes objects of the real class for its own."""

        real: type

        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, cls.real)

        def __subclasscheck__(cls, kind: type) -> bool:
            return issubclass(kind, cls.real)

    class _Moment(datetime.datetime, metaclass=_Same):
        real = moment

        def __new__(cls, *args: Any, **named: Any) -> Any:
            return moment(*args, **named)

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return moment.now(tz) + datetime.timedelta(seconds=clock.offset)

        @classmethod
        def utcnow(cls) -> Any:
            return moment.utcnow() + datetime.timedelta(seconds=clock.offset)

        @classmethod
        def today(cls) -> Any:
            return cls.now()

    class _Day(datetime.date, metaclass=_Same):
        real = day

        def __new__(cls, *args: Any, **named: Any) -> Any:
            return day(*args, **named)

        @classmethod
        def today(cls) -> Any:
            return day.fromtimestamp(time.time())  # the moved one

    return {moment: _Moment, day: _Day}
