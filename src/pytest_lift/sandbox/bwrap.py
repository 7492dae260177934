"""The command line of bubblewrap (bwrap, 0.8 or later) for a job."""

from __future__ import annotations

import os

from pytest_lift.sandbox import mounts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_lift.sandbox.job import Job

NAME = "bwrap"
PLACES = ("/usr/bin", "/bin", "/usr/local/bin")
"""Folders in which it is looked up: never on a PATH, which may have been changed."""


def find(places: tuple[str, ...] = PLACES) -> str | None:
    found = (f"{place}/{NAME}" for place in places)
    return next((path for path in found if os.access(path, os.X_OK)), None)


def command(job: Job, program: str, filter_fd: int, status_fd: int) -> list[str]:
    """Returns the command line of bwrap. `filter_fd` holds the system call filter; to `status_fd`
    bwrap writes how the child ended."""
    return [
        program,
        *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--die-with-parent"),
        *(() if job["net"] else ("--unshare-net",)),
        *("--cap-drop", "ALL", "--new-session"),
        *("--seccomp", str(filter_fd), "--json-status-fd", str(status_fd)),
        *("--proc", "/proc", "--dev", "/dev", "--size", str(mounts.SHARED_MEMORY)),
        *("--tmpfs", "/dev/shm", "--remount-ro", "/dev"),
        *(word for place in _switches() for word in ("--ro-bind", place, place)),
        *(word for mount in mounts.plan(job) for word in _words(mount, job)),
        *(word for folder in _folders(job) for word in ("--dir", folder)),
        *("--remount-ro", "/", "--chdir", job["cwd"], "--", *job["command"]),
    ]


def _switches() -> Iterator[str]:
    """Returns the kernel switches that are made read-only; bwrap does so by itself only if it finds
    that they could be written."""
    places = (f"/proc/{name}" for name in mounts.SWITCHES)
    return (place for place in places if os.path.exists(place))


def exit_status(said: bytes) -> int | None:
    """Returns the exit status that bwrap wrote: negative for a signal, None if there was no
    child."""
    _, found, rest = said.partition(b'"exit-code": ')
    digits = rest.split(b"}")[0].strip()
    if not found or not digits.isdigit():
        return None
    code = int(digits)
    return 128 - code if code > 128 else code


def _words(mount: mounts.Mount, job: Job) -> Iterator[str]:
    kind, target, source = mount
    if kind == "empty":
        yield from ("--perms", "1777", "--size", str(job["scratch_bytes"]), "--tmpfs", target)
    elif kind == "hide" and os.path.isdir(source):
        yield from ("--size", "4096", "--tmpfs", target, "--remount-ro", target)
    elif kind == "hide":
        yield from ("--ro-bind", "/dev/null", target)
    else:
        option = {"read": "--ro-bind", "write": "--bind", "link": "--symlink"}[kind]
        yield from (option, source, target)


def _folders(job: Job) -> Iterator[str]:
    return (f"{job['throwaway']}/{name}" for name in job["folders"])
