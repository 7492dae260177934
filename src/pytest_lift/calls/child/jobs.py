"""Jobs of a child that stays alive: each a file whose number is said on a socket; forks for cases.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import faulthandler
import marshal
import mmap
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

NUMBER = 10
"""Digits of the number of a case."""
CHANNEL = 3
"""Descriptor of the socket on which the child speaks with its parent."""


def read(place: str) -> dict[str, Any]:
    """Returns the job in the file `place`."""
    job: dict[str, Any] = marshal.loads(Path(place).read_bytes())
    return job


def shared(place: str) -> mmap.mmap:
    """Returns the memory of a new file: what is put there outlives the process, and takes no call
    of the system."""
    handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    try:
        os.ftruncate(handle, NUMBER)
        return mmap.mmap(handle, NUMBER)
    finally:
        os.close(handle)


def following(job: dict[str, Any], place: str) -> dict[str, Any] | None:
    """Says that `job`, the first of which was in the file `place`, is done; returns the next one as
    soon as there is one, None where none will come."""
    if "number" not in job:
        return None
    os.write(CHANNEL, b"%d\n" % job["number"])
    number = b""
    while not number.endswith(b"\n"):
        more = os.read(CHANNEL, 1)
        if not more:
            return None
        number += more
    return read(f"{place}{int(number)}")


def can_fork() -> bool:
    """Whether the process can be forked: a thread of the program would not be there in the fork."""
    return hasattr(os, "fork") and threading.active_count() == 1


def in_forks(numbers: list[int], together: int, work: Callable[[int], object]) -> None:
    """Does `work` for so many numbers `together` in a fork of the process as it is now.

    Whatever ends a fork costs one number. `work` watches itself for hanging: a watch of this
    process, which would end it, is taken off.
    """
    faulthandler.cancel_dump_traceback_later()
    for begin in range(0, len(numbers), together):
        waiting = numbers[begin : begin + together]
        while waiting:
            waiting = waiting[_done(waiting, work) + 1 :]


def _done(numbers: list[int], work: Callable[[int], object]) -> int:
    """Does `work` for numbers in one fork; returns how many it got through."""
    hears, tells = os.pipe()
    child = os.fork()
    if not child:
        try:
            for number in numbers:
                work(number)
                os.write(tells, b".")
        finally:
            os._exit(0)
    os.close(tells)
    done = 0
    while more := os.read(hears, len(numbers)):
        done += len(more)
    os.close(hears)
    os.waitpid(child, 0)
    return done
