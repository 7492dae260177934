"""Landlock: a process gives up every file but those allowed, without root or namespaces.

Source: the kernel's Documentation/userspace-api/landlock.rst. ABI 3 (truncation) is the least
that is of use; from ABI 6 on signals and abstract sockets stay inside too.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct

from pytest_lift.sandbox import kernel

LEAST_ABI, SCOPED_ABI = 3, 6

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1, 2, 4, 8
_TRUNCATE, _DEVICE_CONTROL = 1 << 14, 1 << 15
_ALL = {3: (1 << 15) - 1, 4: (1 << 15) - 1}
_ALL_LATER = (1 << 16) - 1
_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _DEVICE_CONTROL
_READING = _EXECUTE | _READ_FILE | _READ_FOLDER
_SCOPES = 3
"""Abstract unix sockets and signals."""


def abi() -> int:
    """Returns the version that the kernel enforces; 0 for none. Asked by the call, never from
    /sys."""
    try:
        return kernel.system_call("landlock_create_ruleset", None, ctypes.c_size_t(0), 1)
    except OSError:
        return 0


def restrict(reads: list[str], writes: list[str]) -> None:
    """Restricts this process and its children to `reads`, and `writes` for both.

    Missing paths are skipped. Needs no_new_privs. Raises OSError.
    """
    version = abi()
    if version < LEAST_ABI:
        raise OSError(38, f"Landlock ABI {version}, at least {LEAST_ABI} is needed")
    handled = _ALL.get(version, _ALL_LATER)
    attributes = struct.pack("QQQ", handled, 0, _SCOPES)
    size = 24 if version >= SCOPED_ABI else 8
    ruleset = kernel.system_call(
        "landlock_create_ruleset", attributes, ctypes.c_size_t(size), ctypes.c_uint32(0)
    )
    try:
        for path in reads:
            _allow(ruleset, path, _READING & handled)
        for path in writes:
            _allow(ruleset, path, handled)
        kernel.system_call("landlock_restrict_self", ruleset, ctypes.c_uint32(0))
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
        kernel.system_call("landlock_add_rule", ruleset, 1, rule, ctypes.c_uint32(0))
    finally:
        os.close(place)
