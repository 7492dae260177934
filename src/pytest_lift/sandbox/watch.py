"""The limits of a running child, looked at from outside: time, output, memory, files, processes."""

from __future__ import annotations

import os
import select
import sys
import time

from pytest_lift.sandbox import tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_lift.sandbox.jail import Job

GLANCE = 0.1
"""Seconds between two looks at what the child uses."""
SELDOM = 5
"""Glances between two looks at the sizes of folders."""
LEAST_LEFT = 0.03
"""Share of the machine's memory that must stay free."""
BLAMED = 0.25
"""Share of its own limit that a child has to hold to be stopped for what the machine lacks: else it
is others who use it up."""


class LimitWatch:
    """Limits of a child, checked from outside ten times a second."""

    def __init__(self, job: Job, pid: int) -> None:
        self._job = job
        self._pid = pid
        self._until = time.monotonic() + job["seconds"]
        self._glances = 0
        self.status: int | None = None
        """The exit status, where it had to be collected to know of the end."""

    def until_it_ends(self, control: int) -> str:
        """Returns ``ended``, ``abandoned`` by the lift (`control` is closed), or the limit that was
        hit."""
        poll = select.poll()
        poll.register(control, select.POLLIN | select.POLLHUP)
        handle = _handle(self._pid)
        if handle is not None:
            poll.register(handle, select.POLLIN)
        wait = GLANCE if handle is not None else GLANCE / 5
        while True:
            left = max(self._until - time.monotonic(), 0.0)
            ready = {number for number, _ in poll.poll(1000 * min(wait, left))}
            if control in ready:
                return "abandoned"
            if handle in ready or (handle is None and self._has_ended()):
                return "ended"
            if sys.platform == "linux":
                tree.reap_orphans(self._pid)
            reason = self._exceeded()
            if reason:
                return reason

    def _has_ended(self) -> bool:
        ended, status = os.waitpid(self._pid, os.WNOHANG)
        if ended:
            self.status = os.waitstatus_to_exitcode(status)
        return bool(ended)

    def _exceeded(self) -> str:
        if time.monotonic() >= self._until:
            return "timed-out"
        if os.fstat(self._job["output"]).st_size > self._job["output_bytes"]:
            return "flooded"
        pids = self._alive()
        if len(pids) > self._job["processes"]:
            return "too-many-processes"
        if is_too_much(self._job["memory"], tree.machine_memory(), pids):
            return "out-of-memory"
        self._glances += 1
        if self._glances % SELDOM == 0 and (self._fills_scratch(pids[-1]) or self._hoards(pids)):
            return "scratch-full"
        return ""

    def _hoards(self, pids: list[int]) -> bool:
        """Whether files that no folder shows hold too many bytes; the output is one of them."""
        most = self._job["scratch_bytes"] + self._job["output_bytes"]
        return tree.nameless_bytes(pids) > most

    def _alive(self) -> list[int]:
        """Returns all processes below the supervisor, orphans included, which are no longer below
        the child."""
        return tree.descendants(os.getpid()) or [self._pid]

    def _fills_scratch(self, inmost: int) -> bool:
        """Folders on the disk are counted; a file system of the jail's own knows by itself."""
        job = self._job
        folders = list(job["writes"])
        if job["tier"] in ("bwrap", "namespaces"):
            empties = [job["throwaway"], "/tmp"]
            if any(_inodes(inmost, path) > job["scratch_files"] for path in empties if path):
                return True
        elif job["throwaway"]:
            folders.append(job["throwaway"])
        count, size = 0, 0
        for folder in folders:
            for entry_size in _sizes(folder):
                count, size = count + 1, size + entry_size
                if count > job["scratch_files"] or size > job["scratch_bytes"]:
                    return True
        return False


def is_too_much(limit: int, machine: tuple[int, int], pids: list[int]) -> bool:
    """Whether the processes hold more than `limit` bytes, or a good part of that while the
    machine, of which this is (what is left, all), runs out of memory."""
    left, whole = machine
    if left < whole * LEAST_LEFT:
        limit = int(BLAMED * limit)
    return tree.hold_more_than(limit, pids)


def _inodes(pid: int, path: str) -> int:
    """Returns the number of files on a file system inside the jail of process `pid`; 0 while it is
    being made.

    Until then the process still sees the machine's own, on which any number of files may be.
    """
    inside = f"/proc/{pid}/root{path}"
    try:
        if os.stat(inside).st_dev == os.stat(path).st_dev:
            return 0
        found = os.statvfs(inside)
    except OSError:
        return 0
    return found.f_files - found.f_ffree


def _sizes(folder: str) -> Iterator[int]:
    """Bytes on the disk of everything in a folder, links not followed."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    yield entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        yield from _sizes(entry.path)
                except OSError:
                    continue
    except (OSError, RecursionError):
        return


def _handle(pid: int) -> int | None:
    """Returns a descriptor that becomes readable when the process ends, if the system has one."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None
