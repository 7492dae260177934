"""The system call filter of every tier: a BPF program for this machine, and its switching on.

Denied is what no test needs and what reaches around a jail: other processes' memory, mounts,
namespaces, kernel keys, modules, the clock; sockets of families that network namespaces do not
separate; keystrokes pushed into a terminal.
"""

from __future__ import annotations

import ctypes
import errno
import struct

from pytest_lift.sandbox import kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

UNIX, INET, INET6, NETLINK = 1, 2, 10, 16

_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_COLUMN = {"x86_64": 0, "aarch64": 1}

_DENIED = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    "unshare": (272, 97),
    "setns": (308, 268),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "lookup_dcookie": (212, 18),
    "nfsservctl": (180, 42),
}
"""Name -> number on (x86_64, aarch64)."""

_SHARED = {
    "shmget": (29, 194),
    "shmat": (30, 196),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
}
"""System calls on what all processes of a user share unless there is an ipc namespace."""

_OF_A_PROCESS = {
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "prlimit64": (302, 261),
}
"""System calls that take the number of any process of the user unless there is a pid namespace; 0
is oneself. In the first two it is the second argument."""

_CLONE, _CLONE3, _SOCKET, _IOCTL = (56, 220), (435, 435), (41, 198), (16, 29)
_PERSONALITY = (135, 92)
_ASK, _WEAKER = 0xFFFFFFFF, 0x0740000
"""The argument that only asks; what makes memory easier to attack (no random addresses, ...)."""
_NEW_NAMESPACES = 0x7E020000
_TERMINAL_INPUT = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX."""
_X32 = 0x40000000

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND = 0, 4, 16, 24
"""Offsets in the kernel's `struct seccomp_data`; arguments by their lower half."""


def is_known() -> bool:
    """Whether there is a table of numbers for this machine."""
    return kernel.MACHINE in _AUDIT


def program(families: tuple[int, ...], *, apart: bool = True) -> bytes:
    """Returns the filter as the kernel's `struct sock_filter[]`; sockets only of these `families`.

    `apart` says that the process is in namespaces of its own; if not, the user's other processes
    are within reach of some more calls, and these are denied.

    `clone3` is said not to exist: a filter cannot see its flags, and the C library falls back
    to `clone`. A denied family is one that the machine does not have (EAFNOSUPPORT).
    """
    column = _COLUMN[kernel.MACHINE]
    denied = [numbers[column] for numbers in ({} if apart else _SHARED).values()]
    denied += [numbers[column] for numbers in _DENIED.values()]
    code = [
        *_unless_equal(_ARCHITECTURE, _AUDIT[kernel.MACHINE], errno.EPERM),
        (_LOAD, 0, 0, _NUMBER),
        *(_when(_AT_LEAST, _X32, errno.EPERM) if kernel.MACHINE == "x86_64" else ()),
        *(step for number in denied for step in _when(_EQUAL, number, errno.EPERM)),
        *_when(_EQUAL, _CLONE3[column], errno.ENOSYS),
        *_inspected(_CLONE[column], _FIRST, _when(_ANY_BIT, _NEW_NAMESPACES, errno.EPERM)),
        *_inspected(_SOCKET[column], _FIRST, _only(families)),
        *_inspected(
            _IOCTL[column],
            _SECOND,
            [step for request in _TERMINAL_INPUT for step in _when(_EQUAL, request, errno.EPERM)],
        ),
        *_inspected(
            _PERSONALITY[column],
            _FIRST,
            [(_EQUAL, 0, 1, _ASK), (_RETURN, 0, 0, _ALLOW), *_when(_ANY_BIT, _WEAKER, errno.EPERM)],
        ),
        *(() if apart else _on_oneself(column)),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("HBBI", *step) for step in code)


def _on_oneself(column: int) -> Iterator[_Step]:
    for name, numbers in _OF_A_PROCESS.items():
        offset = _SECOND if name in ("setpriority", "ioprio_set") else _FIRST
        denial = [(_EQUAL, 1, 0, 0), (_RETURN, 0, 0, _ERRNO | errno.EPERM)]
        yield from _inspected(numbers[column], offset, denial)


def restrict(families: tuple[int, ...], *, apart: bool = True) -> None:
    """Switches the filter on for this process and all that it starts. Raises OSError."""
    code = program(families, apart=apart)
    held = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(held))
    kernel.system_call("seccomp", 1, 0, header)


_Step = tuple[int, int, int, int]


def _when(test: int, value: int, error: int) -> list[_Step]:
    return [(test, 0, 1, value), (_RETURN, 0, 0, _ERRNO | error)]


def _unless_equal(offset: int, value: int, error: int) -> list[_Step]:
    return [(_LOAD, 0, 0, offset), (_EQUAL, 1, 0, value), (_RETURN, 0, 0, _ERRNO | error)]


def _only(families: tuple[int, ...]) -> list[_Step]:
    allowed = [
        step for family in families for step in ((_EQUAL, 0, 1, family), (_RETURN, 0, 0, _ALLOW))
    ]
    return [*allowed, (_RETURN, 0, 0, _ERRNO | errno.EAFNOSUPPORT)]


def _inspected(number: int, offset: int, steps: list[_Step]) -> list[_Step]:
    """Returns `steps` on one argument of one system call; the number is loaded again afterwards."""
    body = [(_LOAD, 0, 0, offset), *steps, (_LOAD, 0, 0, _NUMBER)]
    return [(_EQUAL, 0, len(body), number), *body]
