"""What the attacks are aimed at: decoys of the benchmark (aim.json), and how to call the kernel."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from pathlib import Path

_DATA = json.loads(Path(__file__).with_name("aim.json").read_text("utf-8"))

COPY = Path(__file__).resolve().parents[1]
"""The private copy in which the attack runs."""
PROJECT = Path(_DATA["project"])
"""The decoy of the user's own project."""
HOME = Path(_DATA["home"])
"""The decoy of the user's home."""
ELSEWHERE = Path(_DATA["elsewhere"])
"""A decoy of somebody else's folder below /tmp."""
VAR_TMP = Path(_DATA["var_tmp"])
SHM = Path(_DATA["shm"])
"""A decoy file in /dev/shm."""
PORTS: dict[str, int] = _DATA["ports"]
"""Where the benchmark listens on loopback: tcp4, tcp6, udp4, udp6, udplite, sctp (0: not here)."""
ABSTRACT = "\0" + _DATA["abstract"]
SOCKET = _DATA["socket"]
"""The path of a unix socket of the benchmark, as docker.sock would be one."""
DECOY: dict[str, int] = _DATA["decoy"]
"""A process of the user's: pid, the address and length of a secret, a descriptor."""
TERMINAL = _DATA["terminal"]
SHM_KEY = _DATA["shm_key"]
KEY_NAME = _DATA["key_name"]
MARK = "PLANTED"
"""Whatever an attack leaves somewhere holds this word."""

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def syscall(number: int, *arguments: object) -> int:
    """Call the kernel by number (x86-64); raises OSError when it says no."""
    told = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = _libc.syscall(ctypes.c_long(number), *told)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return int(result)


def reports() -> Path:
    """The folder that the run reports into, as its own command line tells."""
    option = next(word for word in sys.argv if word.startswith("--junitxml="))
    return Path(option.partition("=")[2]).parent


def writable() -> Path:
    """A folder in which a test may write."""
    return Path(os.environ.get("TMPDIR", "/tmp"))
