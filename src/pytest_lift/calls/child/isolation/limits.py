"""Limits of the memory that a child and its cases may take.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

ADDRESS_SPACE = 1 << 30
ROOM = 256 << 20
"""Bytes that a case may take beside what the imported program takes."""


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
