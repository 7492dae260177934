"""Reads one key at the terminal without a line end, or the first letter of a line."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Collection
from contextlib import suppress

_END = ("", "\x04", "\0")
"""End of the input: nothing more to read, or Ctrl-D, which reads as the zero byte if typed
ahead."""
_ESCAPE = b"\x1b"


def read_key(question: str, keys: Collection[str]) -> str:
    """Asks until one of `keys` (lower case) is typed; the end of the input counts as ``q``.

    Enter, arrows and other keys are ignored. Ctrl-C raises KeyboardInterrupt.
    """
    print(question, end=" ", flush=True)
    while True:
        typed = _one_key() if sys.stdin.isatty() else sys.stdin.readline()
        key = "q" if typed in _END else typed.strip()[:1].lower()
        if key and key in keys:
            print(key if sys.stdin.isatty() else "", flush=True)
            return key


def _one_key() -> str:
    try:
        import termios
        import tty
    except ImportError:  # no such terminal here: a line will do
        return sys.stdin.readline()
    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    try:
        tty.setcbreak(handle, termios.TCSADRAIN)  # what was typed ahead counts
        key = os.read(handle, 1)
        if key == _ESCAPE:
            _skip_sequence(handle)
        return key.decode("ascii", "replace")
    except OSError:  # the terminal is gone
        return ""
    finally:
        with suppress(termios.error):
            termios.tcsetattr(handle, termios.TCSADRAIN, before)


def _skip_sequence(handle: int) -> None:
    """Reads the rest of the sequence of an arrow or function key; it may end in a letter."""
    if not _is_waiting(handle) or os.read(handle, 1) not in (b"[", b"O"):
        return
    while _is_waiting(handle):
        byte = os.read(handle, 1)
        if b"@" <= byte <= b"~" and byte != b"[":
            return


def _is_waiting(handle: int) -> bool:
    return bool(select.select([handle], [], [], 0.05)[0])
