"""The process that starts one child in its jail, watches its limits, and leaves nothing behind.

It runs outside the jail, one for each child, as an interpreter of its own (``-I -S``), so only
cheap modules are imported. The lift holds the other end of its stdin: when that closes, because
the lift was interrupted, ended or killed, the child and all its descendants are killed. On
stdout it says how the child ended, in one line: a reason, the exit status, words.
"""

from __future__ import annotations

import errno
import marshal
import os
import select
import sys
import time

from pytest_lift.sandbox import signals, tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_lift.sandbox.job import Job

CONTROL, STATUS = 0, 1
RECORD = 3
"""The number under which the child finds the socket for its record."""

GLANCE = 0.1
"""Seconds between two looks at what the child uses."""
SELDOM = 5
"""Glances between two looks at the sizes of folders."""
LEAST_LEFT = 0.03
"""Share of the machine's memory that has to be left."""


def main() -> None:
    """Read a `Job` from stdin, carry it out, say how it ended."""
    job = _read_job()
    try:
        said = _carried_out(job)
    except OSError as error:
        said = ("not-started", 0, str(error))
    os.write(STATUS, "{} {} {}\n".format(*said).encode("utf-8", "replace"))
    os._exit(0)


def _read_job() -> Job:
    data = b""
    while len(data) < 8 or len(data) < 8 + int.from_bytes(data[:8], "big"):
        more = os.read(CONTROL, 1 << 20)
        if not more:
            os._exit(1)  # the lift is gone before it said anything
        data += more
    job: Job = marshal.loads(data[8:])
    return job


def _carried_out(job: Job) -> tuple[str, int, str]:
    """(reason, exit status, words)"""
    if sys.platform == "linux":
        from pytest_lift.sandbox import kernel

        kernel.become_subreaper()
    told, tell = _pipe()
    pid = _start(job, tell)
    os.close(tell)
    watch = _Watch(job, pid)
    reason = watch.until_it_ends()
    if reason != "ended":
        _kill(pid)
    status = _exit_status(pid) if watch.status is None else watch.status
    tree.end_children(pid)
    words = _read_all(told)
    if job["tier"] == "bwrap":
        from pytest_lift.sandbox import bwrap

        inner = bwrap.exit_status(words)
        if inner is None and reason == "ended":
            return "not-started", status, "bwrap could not make the jail"
        return reason, status if inner is None else inner, ""
    if words and not words.lstrip(b"-").isdigit():
        return "not-started", status, words.decode("utf-8", "replace")
    return reason, int(words) if words else status, ""


def _start(job: Job, tell: int) -> int:
    """Start the child in its jail; the id of its first process."""
    if job["tier"] == "namespaces":
        from pytest_lift.sandbox import namespaces

        return namespaces.start(job, tell, lambda: _become(job))
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            _become(job, tell)
        except BaseException as error:
            os.write(tell, f"cannot start {job['command'][0]}: {error}".encode())
        finally:
            os._exit(1)
    return pid


def _become(job: Job, tell: int = -1) -> None:
    """Turn this process into the child: limits, descriptors, restrictions, program."""
    signals.forget_handlers()
    _set_limits(job)
    os.chdir(job["cwd"])
    command, kept = job["command"], list[int]()
    if job["tier"] == "bwrap":
        command, kept = _bwrap_command(job, tell)
    elif job["tier"] == "landlock":
        _enter_landlock(job)
    elif job["tier"] == "namespaces":
        _restrict(job)
    _set_descriptors(job, kept)
    os.execve(command[0], command, job["env"])


def _set_descriptors(job: Job, kept: list[int]) -> None:
    """0 reads nothing, 1 and 2 go to the output, 3 is the record; others end with the exec."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(job["output"], 1)
    os.dup2(job["output"], 2)
    if job["record"] >= 0:
        os.dup2(job["record"], RECORD)
    for number in _open_descriptors():
        if number > 2 and not (number == RECORD and job["record"] >= 0):
            os.set_inheritable(number, number in kept)


def _pipe() -> tuple[int, int]:
    """A pipe with numbers out of the way of those that the child gets."""
    import fcntl

    low = os.pipe()
    reading, writing = (fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 10) for number in low)
    for number in low:
        os.close(number)
    return reading, writing


def _open_descriptors() -> Iterator[int]:
    for number in range(3, 64):
        try:
            os.fstat(number)
        except OSError:
            continue
        yield number


def _set_limits(job: Job) -> None:
    import resource

    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: job["file_bytes"],
        resource.RLIMIT_NOFILE: job["open_files"],
    }
    if sys.platform == "linux":
        wanted[resource.RLIMIT_AS] = job["address_space"]
    if job["tier"] == "namespaces":  # elsewhere it counts whatever else the user runs
        wanted[resource.RLIMIT_NPROC] = job["processes"]
    for number, limit in wanted.items():
        highest = resource.getrlimit(number)[1]
        if highest != resource.RLIM_INFINITY:
            limit = min(limit, highest)
        resource.setrlimit(number, (limit, limit))


def _families(job: Job) -> tuple[int, ...]:
    """The socket families that stay: without a network of its own, none that leaves the machine."""
    from pytest_lift.sandbox import seccomp

    if job["tier"] == "landlock" and not job["net"]:
        return (seccomp.UNIX,)
    return (seccomp.UNIX, seccomp.INET, seccomp.INET6, seccomp.NETLINK)


def _restrict(job: Job) -> None:
    from pytest_lift.sandbox import kernel, seccomp

    kernel.renounce_privileges()
    seccomp.restrict(_families(job))


def _enter_landlock(job: Job) -> None:
    from pytest_lift.sandbox import kernel, landlock, mounts, seccomp

    kernel.renounce_privileges()
    reads = [real for path in mounts.readable(job) for real in mounts.without_secrets(path)]
    devices = [f"/dev/{name}" for name in (*mounts.DEVICES, "ptmx", "pts", "shm")]
    scratch = [job["throwaway"]] if job["throwaway"] else []
    landlock.restrict([*reads, "/proc"], [*devices, *scratch, *job["writes"]])
    seccomp.restrict(_families(job), apart=False)


def _bwrap_command(job: Job, tell: int) -> tuple[list[str], list[int]]:
    from pytest_lift.sandbox import bwrap, seccomp

    program = bwrap.find()
    if program is None:
        raise OSError(errno.ENOENT, "there is no bwrap")
    rules, feed = _pipe()
    os.write(feed, seccomp.program(_families(job)))
    os.close(feed)
    return bwrap.command(job, program, rules, tell), [rules, tell]


class _Watch:
    """What the child may use, looked at from outside ten times a second."""

    def __init__(self, job: Job, pid: int) -> None:
        self._job = job
        self._pid = pid
        self._until = time.monotonic() + job["seconds"]
        self._glances = 0
        self.status: int | None = None
        """The exit status, where it had to be collected to know of the end."""

    def until_it_ends(self) -> str:
        """``ended``, ``abandoned`` by the lift, or the limit that was hit."""
        poll = select.poll()
        poll.register(CONTROL, select.POLLIN | select.POLLHUP)
        handle = _handle(self._pid)
        if handle is not None:
            poll.register(handle, select.POLLIN)
        wait = GLANCE if handle is not None else GLANCE / 5
        while True:
            left = max(self._until - time.monotonic(), 0.0)
            ready = {number for number, _ in poll.poll(1000 * min(wait, left))}
            if CONTROL in ready:
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
        left, whole = tree.machine_memory()
        if tree.hold_more_than(self._job["memory"], pids) or left < whole * LEAST_LEFT:
            return "out-of-memory"
        self._glances += 1
        if self._glances % SELDOM == 0 and (self._fills_scratch(pids[-1]) or self._hoards(pids)):
            return "scratch-full"
        return ""

    def _hoards(self, pids: list[int]) -> bool:
        """Files that no folder shows count as well; the output is one of them."""
        most = self._job["scratch_bytes"] + self._job["output_bytes"]
        return tree.nameless_bytes(pids) > most

    def _alive(self) -> list[int]:
        """All below the supervisor: also orphans, which are no longer below the child."""
        return tree.descendants(os.getpid()) or [self._pid]

    def _fills_scratch(self, inmost: int) -> bool:
        """Folders on the disk are counted; a file system of the jail's own knows by itself."""
        job = self._job
        folders = [path for path in job["writes"] if path != job["throwaway"]]
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


def _inodes(pid: int, path: str) -> int:
    """Files on a file system inside the jail of process `pid`; 0 while that is being made.

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
    """A descriptor that becomes readable when the process ends, where the system has such."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signals.KILL)
    except ProcessLookupError:
        pass


def _exit_status(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _read_all(source: int) -> bytes:
    data = b""
    while more := os.read(source, 1 << 16):
        data += more
    return data


if __name__ == "__main__":
    main()
