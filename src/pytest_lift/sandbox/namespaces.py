"""Namespaces of one's own without a program's help: the first process of a jail.

User, mount, pid, network and ipc namespaces; a root of which only the planned mounts are
visible; a loopback that works; the first process reaps, and when it ends everything ends.
"""

from __future__ import annotations

import os
import struct

from pytest_lift.sandbox import kernel, mounts, watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_lift.sandbox.jail import Job

_NEW = {"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "ipc": 0x08000000}
_NEW_NETWORK = 0x40000000
_SIOCSIFFLAGS, _UP_AND_RUNNING = 0x8914, 0x41
_OLD = "/.old"
_ROOT_BYTES = 4 * 1024 * 1024


def start(job: Job, status_fd: int, child: Callable[[], None]) -> int:
    """Returns the id, outside, of a jail's first process; `child` runs in a process inside and
    execs.

    The first process writes to `status_fd` how that one ended, as a decimal number, negative
    for a signal; or why it could not be started, as a text. Raises OSError.
    """
    user, group = os.getuid(), os.getgid()
    flags = sum(_NEW.values()) | watch.CHILD | (0 if job["net"] else _NEW_NETWORK)
    pid = kernel.system_call("clone", flags, None, None, None, None)
    if pid == 0:
        try:
            _first_process(job, user, group, status_fd, child)
        except BaseException as error:
            os.write(status_fd, f"cannot make the namespaces: {error}".encode())
        finally:
            os._exit(1)
    return pid


def _first_process(
    job: Job, user: int, group: int, status_fd: int, child: Callable[[], None]
) -> None:
    os.setsid()
    _map_ids(user, group)
    kernel.die_with_parent(watch.KILL)
    _make_root(job)
    if not job["net"]:
        _loopback_up()
    os.chdir(job["cwd"])
    pid = os.fork()
    if pid == 0:
        try:
            child()
        except BaseException as error:
            os.write(status_fd, f"cannot start {job['command'][0]}: {error}".encode())
        finally:
            os._exit(1)
    kernel.hide_memory()
    kernel.renounce_privileges()
    for number in {0, 1, 2, job["output"], job["record"]} - {status_fd, -1}:
        os.close(number)
    ended, status = os.wait()
    while ended != pid:
        ended, status = os.wait()
    os.write(status_fd, str(os.waitstatus_to_exitcode(status)).encode())


def _map_ids(user: int, group: int) -> None:
    """Maps the ids so that user and group stay the same inside: files keep their owner."""
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        place = os.open(f"/proc/self/{name}", os.O_WRONLY)
        try:
            os.write(place, text.encode())
        finally:
            os.close(place)


def _make_root(job: Job) -> None:
    """Makes all mounts on an empty root, from the old one, which is detached then."""
    quiet, plan = kernel.MS_NOSUID | kernel.MS_NODEV, mounts.plan(job)
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("tmpfs", "/tmp", "tmpfs", quiet, f"size={_ROOT_BYTES},mode=755")
    os.mkdir(f"/tmp{_OLD}")
    kernel.system_call("pivot_root", b"/tmp", f"/tmp{_OLD}".encode())
    os.chdir("/")
    _make_devices(quiet)
    os.mkdir("/proc")
    kernel.mount("proc", "/proc", "proc", quiet | kernel.MS_NOEXEC)
    _cover_proc()
    limits = f"size={job['scratch_bytes']},nr_inodes={job['scratch_files']},mode=1777"
    for kind, target, source in plan:
        if kind == "link":
            os.symlink(source, target)
        elif kind == "empty":
            os.makedirs(target, exist_ok=True)
            kernel.mount("tmpfs", target, "tmpfs", quiet, limits)
        elif kind == "hide" and os.path.isdir(target):
            kernel.mount("tmpfs", target, "tmpfs", quiet | 1, "size=4096")
        elif kind == "hide":
            _bind("/dev/null", target)
        else:
            _bind(_OLD + source, target)
            if kind == "read":
                kernel.set_read_only(target, whole=True)
    for name in job["folders"]:
        os.mkdir(f"{job['throwaway']}/{name}")
    kernel.unmount(_OLD)
    os.rmdir(_OLD)
    kernel.set_read_only("/", whole=False)


def _make_devices(quiet: int) -> None:
    os.mkdir("/dev")
    for name in mounts.DEVICES:
        _bind(f"{_OLD}/dev/{name}", f"/dev/{name}")
    for folder in ("/dev/pts", "/dev/shm"):
        os.mkdir(folder)
    kernel.mount("devpts", "/dev/pts", "devpts", kernel.MS_NOSUID, "newinstance,ptmxmode=0666")
    shared = f"size={mounts.SHARED_MEMORY},mode=1777"
    kernel.mount("tmpfs", "/dev/shm", "tmpfs", quiet, shared)
    os.symlink("pts/ptmx", "/dev/ptmx")
    os.symlink("/proc/self/fd", "/dev/fd")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", f"/dev/{name}")


def _cover_proc() -> None:
    for name in mounts.SWITCHES:
        place = f"/proc/{name}"
        if os.path.exists(place):
            kernel.mount(place, place, None, kernel.MS_BIND | kernel.MS_REC)
            kernel.set_read_only(place, whole=True)


def _bind(source: str, target: str) -> None:
    """Binds a path; missing mount points are made, which works on the new root only."""
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    elif not os.path.lexists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    kernel.mount(source, target, None, kernel.MS_BIND | kernel.MS_REC)


def _loopback_up() -> None:
    import _socket
    import fcntl

    with_name = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
    request = struct.pack("16sh22x", b"lo", _UP_AND_RUNNING)
    fcntl.ioctl(with_name.fileno(), _SIOCSIFFLAGS, request)
    with_name.close()
