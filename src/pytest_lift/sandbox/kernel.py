"""System calls that Python has no name for, by ctypes, and Landlock; each raises OSError.

Imported only where a jail is made or probed: ctypes costs a third of an interpreter's start.

By Landlock a process gives up every file but those allowed, without root or namespaces. Source:
the kernel's Documentation/userspace-api/landlock.rst. ABI 3 (truncation) is the least that is of
use; from ABI 6 on signals and abstract sockets stay inside too.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct

MACHINE = os.uname().machine if os.name == "posix" else ""

_NUMBERS = {
    "x86_64": {"clone": 56, "capset": 126, "pivot_root": 155, "seccomp": 317},
    "aarch64": {"clone": 220, "capset": 91, "pivot_root": 41, "seccomp": 277},
}
_EVERYWHERE = {
    "mount_setattr": 442,
    "landlock_create_ruleset": 444,
    "landlock_add_rule": 445,
    "landlock_restrict_self": 446,
}

MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 0x1000, 0x4000, 0x40000
MNT_DETACH = 2
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_ATTR_RDONLY = 1

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_DROP = 1, 4, 24
_PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 36, 38
_CAPABILITY_VERSION = 0x20080522
_LAST_CAPABILITY = 63

LEAST_ABI, SCOPED_ABI = 3, 6

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1, 2, 4, 8
_TRUNCATE, _DEVICE_CONTROL = 1 << 14, 1 << 15
_ALL = (1 << 16) - 1
_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _DEVICE_CONTROL
_READING = _EXECUTE | _READ_FILE | _READ_FOLDER
_SCOPES = 3
"""Abstract unix sockets and signals."""


def system_call(name: str, *arguments: object) -> int:
    """Makes a system call by name; raises OSError, ENOSYS on an unknown machine."""
    number = _EVERYWHERE.get(name) or _NUMBERS.get(MACHINE, {}).get(name)
    if number is None:
        raise OSError(38, f"{name} is not known on {MACHINE}")
    return _checked(_libc().syscall(number, *arguments), name)


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    arguments = (_text(source), _text(target), _text(kind), ctypes.c_ulong(flags), _text(data))
    _checked(_libc().mount(*arguments), f"mount {target}")


def unmount(target: str) -> None:
    _checked(_libc().umount2(_text(target), MNT_DETACH), f"umount {target}")


def set_read_only(target: str, *, whole: bool) -> None:
    """Makes a mount read-only; `whole` includes what is mounted below it."""
    attributes = (ctypes.c_uint64 * 4)(_ATTR_RDONLY)
    system_call(
        "mount_setattr",
        _AT_FDCWD,
        _text(target),
        _AT_RECURSIVE if whole else 0,
        ctypes.byref(attributes),
        ctypes.c_size_t(ctypes.sizeof(attributes)),
    )


def die_with_parent(signal: int) -> None:
    _prctl(_PR_SET_PDEATHSIG, signal)


def become_subreaper() -> None:
    """Orphans below this process become its children, not those of the system's first one."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def hide_memory() -> None:
    """Processes of the same user cannot look into this one, nor attach to it."""
    _prctl(_PR_SET_DUMPABLE, 0)


def renounce_privileges() -> None:
    """Drops all capabilities, so that no executed program regains one."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    for capability in range(_LAST_CAPABILITY + 1):
        try:
            _prctl(_PR_CAPBSET_DROP, capability)
        except OSError:
            break  # beyond the last one, or nothing to drop for an ordinary user
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    none = (ctypes.c_uint32 * 6)()
    system_call("capset", ctypes.byref(header), ctypes.byref(none))


def _prctl(option: int, argument: int) -> None:
    zero = ctypes.c_ulong(0)
    result = _libc().prctl(option, ctypes.c_ulong(argument), zero, zero, zero)
    _checked(result, f"prctl {option}")


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, name: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{os.strerror(number)} ({name})")
    return result


def _text(text: str | None) -> bytes | None:
    return None if text is None else os.fsencode(text)


def landlock_abi() -> int:
    """Returns the version of Landlock that the kernel enforces, asked by the call; 0 for none."""
    try:
        return system_call("landlock_create_ruleset", None, ctypes.c_size_t(0), 1)
    except OSError:
        return 0


def restrict_files(reads: list[str], writes: list[str]) -> None:
    """Restricts this process and its children to `reads`, and `writes` for both, by Landlock.
    Missing paths are skipped. Needs no_new_privs. Raises OSError."""
    version = landlock_abi()
    if version < LEAST_ABI:
        raise OSError(38, f"Landlock ABI {version}, at least {LEAST_ABI} is needed")
    handled = _ALL if version > 4 else _ALL & ~_DEVICE_CONTROL
    attributes = struct.pack("QQQ", handled, 0, _SCOPES)
    size = 24 if version >= SCOPED_ABI else 8
    ruleset = system_call(
        "landlock_create_ruleset", attributes, ctypes.c_size_t(size), ctypes.c_uint32(0)
    )
    try:
        for path in reads:
            _allow(ruleset, path, _READING & handled)
        for path in writes:
            _allow(ruleset, path, handled)
        system_call("landlock_restrict_self", ruleset, ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            access &= _ON_FILES
        rule = struct.pack("=Qi", access, place)
        system_call("landlock_add_rule", ruleset, 1, rule, ctypes.c_uint32(0))
    finally:
        os.close(place)
