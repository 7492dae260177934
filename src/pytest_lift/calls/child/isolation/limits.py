"""Limits of the memory that a child and its cases may take.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

ADDRESS_SPACE = 1 << 30
ROOM, IMPORTING = 96 << 20, 256 << 20
"""Bytes that a case may take beside what the imported program takes, and while it imports more:
numpy has a hundred megabytes of the address space, most of which it never uses."""


def limit() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_growth(room: int = ROOM) -> None:
    """Limits the process to what it takes now and `room` bytes more."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        taken = int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()
        most = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (min(most, taken + room), most))


class Room:
    """The memory that the case which is running may take."""

    def __init__(self) -> None:
        self._is_wide = False

    def widen(self) -> None:
        """Has the case take more: it imports something. Opens no file, which is heard."""
        if self._is_wide:
            return
        self._is_wide = True
        with contextlib.suppress(ImportError, ValueError, OSError):
            import resource

            now, most = resource.getrlimit(resource.RLIMIT_AS)
            if now != resource.RLIM_INFINITY:
                resource.setrlimit(resource.RLIMIT_AS, (min(most, now + IMPORTING - ROOM), most))

    def narrow(self) -> None:
        """Ends the case: what it imported is there now."""
        if self._is_wide:
            self._is_wide = False
            limit_growth()
