"""The processes below one process: which they are, what memory they hold, and their end.

Signals come without the enumerations of `signal`, which take 5 ms.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_KILOBYTE = 1024
_PATIENCE = 5.0
"""Seconds after which what cannot be killed is left (a process stuck in the kernel)."""

KILL: int = _signal.SIGKILL
CHILD: int = _signal.SIGCHLD
_ORDINARY = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGPIPE", "SIGXFSZ")


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
