"""The file system of a jail as a list of mounts, and the command line of bubblewrap with them.

A new root of which only this is visible: the system's programs and libraries, what a job may
read, what it may write, and empty folders of limited size. Everything else is not there.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_lift.sandbox.jail import Job

    Mount = tuple[str, str, str]
    """What is done (``read``, ``write``, ``empty``, ``link``, ``hide``), where, and from what."""

SYSTEM = ("/usr", "/etc", "/opt", "/nix/store", "/gnu/store", "/sys/devices/system")
SHORT_NAMES = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Links into /usr on a merged system, folders of their own elsewhere."""

TEMPORARY = ("/tmp", "/var/tmp")

SECRETS = (
    *("/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers"),
    *("/etc/sudoers.d", "/etc/ssh", "/etc/ssl/private", "/etc/krb5.keytab", "/etc/NetworkManager"),
    *("/etc/wireguard", "/etc/docker", "/etc/kubernetes", "/etc/security/opasswd"),
)
"""Files below /etc that root could read and no test has to."""

SWITCHES = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi")
"""Below /proc: what acts on the whole machine when root writes to it, also without capabilities."""

DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
RESOLVER = "/etc/resolv.conf"
SHARED_MEMORY = 256 * 1024 * 1024
"""Bytes below /dev/shm."""

BWRAP_PLACES = ("/usr/bin", "/bin", "/usr/local/bin")
"""Folders in which bubblewrap (0.8 or later) is looked up: a PATH may have been changed."""


def plan(job: Job) -> list[Mount]:
    """Returns the mounts in the order in which they are made: what is nearer to the root first."""
    mounts = [("empty", place, "") for place in TEMPORARY]
    mounts += [("read", path, path) for path in readable(job) if os.path.exists(path)]
    mounts += [("write", path, path) for path in job["writes"] if os.path.exists(path)]
    mounts += [("hide", path, path) for path in SECRETS if os.path.lexists(path)]
    if job["throwaway"]:
        mounts.append(("empty", job["throwaway"], ""))
    mounts.sort(key=lambda mount: mount[1].count("/"))
    return [*_links(), *mounts]


def readable(job: Job, resolver: str = RESOLVER) -> Iterator[str]:
    """Yields every path that the job may read, links on the way followed as well."""
    for path in (*SYSTEM, *_real_folders(), *job["reads"]):
        yield path
        real = os.path.realpath(path)
        if real != path:
            yield real
    if job["net"] and os.path.islink(resolver):
        yield os.path.realpath(resolver)


def _links() -> Iterator[Mount]:
    for place in SHORT_NAMES:
        if os.path.islink(place):
            yield ("link", place, os.readlink(place))


def _real_folders() -> Iterator[str]:
    return (place for place in SHORT_NAMES if os.path.isdir(place) and not os.path.islink(place))


def without_secrets(path: str, secrets: tuple[str, ...] = SECRETS) -> Iterator[str]:
    """Yields `path`, or its content without secrets: for rules that can only allow."""
    inside = [secret for secret in secrets if secret.startswith(f"{path}/")]
    if path in secrets:
        return
    if not inside:
        yield path
        return
    for name in os.listdir(path):
        yield from without_secrets(f"{path}/{name}", secrets)


def find_bwrap(places: tuple[str, ...] = BWRAP_PLACES) -> str | None:
    found = (f"{place}/bwrap" for place in places)
    return next((path for path in found if os.access(path, os.X_OK)), None)


def bwrap_command(job: Job, program: str, filter_fd: int, status_fd: int) -> list[str]:
    """Returns the command line of bwrap. `filter_fd` holds the system call filter; to `status_fd`
    bwrap writes how the child ended."""
    return [
        program,
        *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--die-with-parent"),
        *(() if job["net"] else ("--unshare-net",)),
        *("--cap-drop", "ALL", "--new-session"),
        *("--seccomp", str(filter_fd), "--json-status-fd", str(status_fd)),
        *("--proc", "/proc", "--dev", "/dev", "--size", str(SHARED_MEMORY)),
        *("--tmpfs", "/dev/shm", "--remount-ro", "/dev"),
        *(word for place in _switches() for word in ("--ro-bind", place, place)),
        *(word for mount in plan(job) for word in _words(mount, job)),
        *(word for name in job["folders"] for word in ("--dir", f"{job['throwaway']}/{name}")),
        *("--remount-ro", "/", "--chdir", job["cwd"], "--", *job["command"]),
    ]


def _switches() -> Iterator[str]:
    """Returns the kernel switches that are made read-only; bwrap does so by itself only if it finds
    that they could be written."""
    places = (f"/proc/{name}" for name in SWITCHES)
    return (place for place in places if os.path.exists(place))


def bwrap_status(said: bytes) -> int | None:
    """Returns the exit status that bwrap wrote, negative for a signal; None without a child."""
    _, found, rest = said.partition(b'"exit-code": ')
    digits = rest.split(b"}")[0].strip()
    if not found or not digits.isdigit():
        return None
    code = int(digits)
    return 128 - code if code > 128 else code


def _words(mount: Mount, job: Job) -> Iterator[str]:
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
