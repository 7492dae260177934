"""The processes of a running child, looked at from outside: their limits, and their end.

Signals come without the enumerations of `signal`, which take 5 ms.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import os
import select
import sys
import time

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
_KILOBYTE = 1024
_PATIENCE = 5.0
"""Seconds after which what cannot be killed is left (a process stuck in the kernel)."""

KILL: int = _signal.SIGKILL
CHILD: int = _signal.SIGCHLD
_ORDINARY = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGPIPE", "SIGXFSZ")


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
        """Returns ``ended``, ``abandoned`` (the lift closed `control`), or the limit hit."""
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
                reap_orphans(self._pid)
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
        pids = descendants(os.getpid()) or [self._pid]  # orphans are below the supervisor, too
        if len(pids) > self._job["processes"]:
            return "too-many-processes"
        if is_too_much(self._job["memory"], machine_memory(), pids):
            return "out-of-memory"
        self._glances += 1
        if self._glances % SELDOM == 0 and (self._fills_scratch(pids[-1]) or self._hoards(pids)):
            return "scratch-full"
        return ""

    def _hoards(self, pids: list[int]) -> bool:
        """Whether files that no folder shows hold too many bytes; the output is one of them."""
        most = self._job["scratch_bytes"] + self._job["output_bytes"]
        return nameless_bytes(pids) > most

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
    return hold_more_than(limit, pids)


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


def forget_handlers() -> None:
    """Resets the signal handlers, so that signals that the parent ignores are not ignored here."""
    for name in _ORDINARY:
        _signal.signal(getattr(_signal, name), _signal.SIG_DFL)


def descendants(pid: int) -> list[int]:
    """Returns the living children, their children and so on. Empty if there is no /proc."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        children = list(_children(waiting.pop()))
        found += children
        waiting += children
    return found


def hold_more_than(limit: int, pids: list[int]) -> bool:
    """Whether all processes together hold more bytes of anonymous and shared memory.

    Shared pages (such as those of forks of a large process) count once; that is computed only if
    the sum of all, which is cheaper to know, is too much.
    """
    if sum(map(_resident, pids)) * _KILOBYTE <= limit:
        return False
    return sum(_proportional(pid) for pid in pids) * _KILOBYTE > limit


def nameless_bytes(pids: list[int]) -> int:
    """Bytes of open files that are in no folder: memory files, and files that were deleted."""
    sizes = {}
    for pid in pids:
        for path in _open_files(pid):
            try:
                found = os.stat(path)
            except OSError:
                continue
            if found.st_nlink == 0:
                sizes[found.st_dev, found.st_ino] = found.st_blocks * 512
    return sum(sizes.values())


def machine_memory() -> tuple[int, int]:
    """Bytes of memory (that is left, in all); (0, 0) where the system does not say."""
    rows = dict.fromkeys(("MemAvailable", "MemTotal"), 0)
    for name, value in _rows("/proc/meminfo"):
        if name in rows:
            rows[name] = value * _KILOBYTE
    return rows["MemAvailable"], rows["MemTotal"]


def end_children(group: int) -> None:
    """Kills every process below this one and waits for it; `group` as one, against fork bombs.

    This process must be a subreaper to see those that left their parents.
    """
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        try:
            os.killpg(group, KILL)
        except (ProcessLookupError, PermissionError):
            pass
        if not _reaped():
            return
        for pid in descendants(os.getpid()):
            try:
                os.kill(pid, KILL)
            except (ProcessLookupError, PermissionError):
                pass
        time.sleep(0.002)


def reap_orphans(child: int) -> None:
    """Reaps ended processes whose parents are gone: they are reparented here, and count as running
    otherwise. `child` is left to its own waiter."""
    try:
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if ended.si_pid == child:
                return
            os.waitpid(ended.si_pid, 0)
    except ChildProcessError:
        return


def _reaped() -> bool:
    """Reaps the children that have ended; returns whether there are others."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _children(pid: int) -> Iterator[int]:
    """Threads have children of their own."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return
    for thread in threads:
        try:
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                yield from map(int, file.read().split())
        except OSError:
            continue


def _resident(pid: int) -> int:
    """Kilobytes of anonymous and shared memory that one process sees."""
    wanted = ("RssAnon", "RssShmem")
    return sum(value for name, value in _rows(f"/proc/{pid}/status") if name in wanted)


def _proportional(pid: int) -> int:
    """Returns the memory of a process, each page divided by the number of processes that see it."""
    wanted = ("Pss_Anon", "Pss_Shmem")
    rows = dict(_rows(f"/proc/{pid}/smaps_rollup"))
    return sum(rows[name] for name in wanted) if rows.keys() >= {*wanted} else _resident(pid)


def _open_files(pid: int) -> list[str]:
    try:
        return [f"/proc/{pid}/fd/{name}" for name in os.listdir(f"/proc/{pid}/fd")]
    except OSError:
        return []


def _rows(path: str) -> Iterator[tuple[str, int]]:
    try:
        with open(path, "rb") as file:
            lines = file.read().decode("ascii", "replace").splitlines()
    except OSError:
        return
    for line in lines:
        name, _, rest = line.partition(":")
        value = rest.split()
        if value and value[0].isdigit():
            yield name, int(value[0])
