"""Stops a case that takes too long or does what a test must not do.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from types import FrameType
from typing import Any

CPU_SECONDS = 0.25
WALL_SECONDS = 0.8
CHILD_SECONDS = 5.0
"""Limit for a documented command line, which starts a process of its own."""
ADDRESS_SPACE = 1 << 30


class Stopped(BaseException):
    """Raised into a case that takes too long or does what a test must not do."""


class Guard:
    """Records and stops what a test must not do: files, network, processes, clock, randomness."""

    OPENING = frozenset({"open", "os.listdir", "os.scandir", "glob.glob"})
    FORBIDDEN = ("socket.", "subprocess.", "os.", "shutil.", "ctypes.", "ftplib.", "urllib.",
                 "smtplib.", "sqlite3.", "webbrowser.", "signal.", "pty.", "syslog.")  # fmt: skip
    CLOCK = frozenset({"now", "today", "utcnow", "time", "time_ns", "monotonic", "perf_counter",
                       "localtime", "gmtime", "urandom", "getpid", "uuid1", "uuid4",
                       "random", "getrandbits", "randrange", "shuffle"})  # fmt: skip

    def __init__(self, readable: list[str], home: str) -> None:
        self.readable = tuple(readable)
        self.home = home
        self.active = False
        self.children = False
        """Whether the case is a documented command line, which may start the interpreter."""
        self.why = ""

    def audit(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.active:
            return
        if event in self.OPENING:
            if not self._may_open(args):
                self._stop("file")
        elif self.children and self._is_interpreter(event, args):
            return
        elif event.startswith(self.FORBIDDEN) and event not in ("os.putenv", "os.unsetenv"):
            self._stop(event.partition(".")[0])

    def _is_interpreter(self, event: str, args: tuple[Any, ...]) -> bool:
        return event in ("subprocess.Popen", "os.posix_spawn") and args[0] == sys.executable

    def _may_open(self, args: tuple[Any, ...]) -> bool:
        path = args[0]
        if not isinstance(path, str | bytes | os.PathLike):
            return True
        place = os.path.realpath(os.fsdecode(path))
        if place.startswith(self.home):
            return True
        mode = args[1] if len(args) > 1 and isinstance(args[1], str) else "r"
        writes = bool(set(mode) & set("wax+"))
        return not writes and place.startswith(self.readable)

    def _stop(self, why: str) -> None:
        self.why = self.why or why
        raise Stopped(why)

    def profile(self, frame: FrameType, event: str, arg: Any) -> None:
        if event == "c_call" and getattr(arg, "__name__", "") in self.CLOCK:
            owner = getattr(arg, "__self__", None)
            module = getattr(owner, "__name__", "") or type(owner).__module__
            if module in {"time", "datetime", "date", "posix", "random", "_random", "uuid"}:
                self.why = self.why or "clock or chance"


def start_timers(children: bool) -> None:
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS, 0.05)
    signal.setitimer(signal.ITIMER_REAL, CHILD_SECONDS if children else WALL_SECONDS, 0.1)


def stop_timers() -> None:
    while True:
        try:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
            return
        except Stopped:
            continue


def _expire(number: int, frame: FrameType | None) -> None:
    raise Stopped("timeout")


def limit() -> None:
    signal.signal(signal.SIGPROF, _expire)
    signal.signal(signal.SIGALRM, _expire)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
