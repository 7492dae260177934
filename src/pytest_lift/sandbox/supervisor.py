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
import sys

from pytest_lift.sandbox import watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_lift.sandbox.jail import Job

CONTROL, STATUS = 0, 1
RECORD = 3
"""The number under which the child finds the socket for its record."""


def main() -> None:
    """Reads a `Job` from stdin, runs it and writes how it ended."""
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
    """Returns (reason, exit status, words) of a job."""
    if sys.platform == "linux":
        from pytest_lift.sandbox import kernel

        kernel.become_subreaper()
    told, tell = _pipe()
    pid = _start(job, tell)
    os.close(tell)
    limits = watch.LimitWatch(job, pid)
    reason = limits.until_it_ends(CONTROL)
    if reason != "ended":
        _kill(pid)
    status = (
        os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) if limits.status is None else limits.status
    )
    watch.end_children(pid)
    words = _read_all(told)
    if job["tier"] == "bwrap":
        from pytest_lift.sandbox.mounts import bwrap_status

        inner = bwrap_status(words)
        if inner is None and reason == "ended":
            return "not-started", status, "bwrap could not make the jail"
        return reason, status if inner is None else inner, ""
    if words and not words.lstrip(b"-").isdigit():
        return "not-started", status, words.decode("utf-8", "replace")
    return reason, int(words) if words else status, ""


def _start(job: Job, tell: int) -> int:
    """Starts the child in its jail; returns the id of its first process."""
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
    """Turns this process into the child: limits, descriptors, restrictions, then the program."""
    watch.forget_handlers()
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
    """Sets the descriptors: 0 reads nothing, 1 and 2 go to the output, 3 is the record; others are
    closed by the exec."""
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
    """Returns a pipe with numbers out of the way of those that the child gets."""
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
    """Returns the socket families that stay: none that leaves the machine without a network."""
    from pytest_lift.sandbox import seccomp

    if job["tier"] == "landlock" and not job["net"]:
        return (seccomp.UNIX,)
    return (seccomp.UNIX, seccomp.INET, seccomp.INET6, seccomp.NETLINK)


def _restrict(job: Job) -> None:
    from pytest_lift.sandbox import kernel, seccomp

    kernel.renounce_privileges()
    seccomp.restrict(_families(job))


def _enter_landlock(job: Job) -> None:
    from pytest_lift.sandbox import kernel, mounts, seccomp

    kernel.renounce_privileges()
    reads = [real for path in mounts.readable(job) for real in mounts.without_secrets(path)]
    devices = [f"/dev/{name}" for name in (*mounts.DEVICES, "ptmx", "pts", "shm")]
    scratch = [job["throwaway"]] if job["throwaway"] else []
    kernel.restrict_files([*reads, "/proc"], [*devices, *scratch, *job["writes"]])
    seccomp.restrict(_families(job), apart=False)


def _bwrap_command(job: Job, tell: int) -> tuple[list[str], list[int]]:
    from pytest_lift.sandbox import mounts, seccomp

    program = mounts.find_bwrap()
    if program is None:
        raise OSError(errno.ENOENT, "bwrap is not installed")
    rules, feed = _pipe()
    os.write(feed, seccomp.program(_families(job)))
    os.close(feed)
    return mounts.bwrap_command(job, program, rules, tell), [rules, tell]


def _kill(pid: int) -> None:
    try:
        os.kill(pid, watch.KILL)
    except ProcessLookupError:
        pass


def _read_all(source: int) -> bytes:
    data = b""
    while more := os.read(source, 1 << 16):
        data += more
    return data
