"""One key from a person at the terminal, without a line end; else the first letter of a line."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection


def read_key(question: str, keys: Collection[str]) -> str:
    """Ask until one of `keys` (lower case) is typed; at the end of the input it is ``q``.

    Ctrl-C raises KeyboardInterrupt.
    """
    print(question, end=" ", flush=True)
    while True:
        typed = _one_key() if sys.stdin.isatty() else sys.stdin.readline()
        key = typed.strip()[:1].lower()
        if not typed or typed == "\x04":
            key = "q"
        if key in keys:
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
        return os.read(handle, 1).decode("ascii", "replace")
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)
