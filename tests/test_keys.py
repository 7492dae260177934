"""Keys that a person types at a terminal: one decides, all others decide nothing."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time

import pytest

ASK = """
import sys, time
from pytest_lift.commands.keys import read_key
if sys.argv[1] == "late":
    print("ready", flush=True)
    time.sleep(0.3)
print("=", [read_key("ok?", "ynabq") for _ in range(int(sys.argv[2]))])
"""


def typed(keys: bytes, many: int = 1, *, late: bool = False, hang_up: bool = False) -> str:
    """What `read_key` gives for these keys; with `late` they are typed before it asks."""
    outer, inner = pty.openpty()
    command = [sys.executable, "-c", ASK, "late" if late else "now", str(many)]
    child = subprocess.Popen(
        command, stdin=inner, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    os.close(inner)
    assert child.stdout is not None
    if late:
        assert child.stdout.readline() == "ready\n"
    else:
        time.sleep(0.3)
    if keys:
        os.write(outer, keys)
    if hang_up:
        os.close(outer)
    try:
        out, problems = child.communicate(timeout=20)
    finally:
        child.kill()
        if not hang_up:
            os.close(outer)
    assert not problems
    return out.rpartition("= ")[2].strip()


@pytest.mark.parametrize("late", [False, True], ids=["asked", "typed ahead"])
@pytest.mark.parametrize(
    ("keys", "found"),
    [
        pytest.param(b"y", ["y"], id="one"),
        pytest.param(b"Y", ["y"], id="capital"),
        pytest.param(b"\x04", ["q"], id="Ctrl-D"),
        pytest.param(b"n\x04", ["n", "q"], id="Ctrl-D after a key"),
        pytest.param(b"\ny", ["y"], id="Enter decides nothing"),
        pytest.param(b" zy", ["y"], id="other keys decide nothing"),
        pytest.param(b"\x1b[A\x1b[By", ["y"], id="arrows are no letters"),
        pytest.param(b"\x1bOAy", ["y"], id="arrows of another mode"),
        pytest.param(b"\x1b[1;5Ay", ["y"], id="with Ctrl"),
        pytest.param(b"\x1b[[Ay", ["y"], id="function keys of the console"),
        pytest.param(b"\xc3\xa4y", ["y"], id="a letter of two bytes"),
    ],
)
def test_keys(keys: bytes, found: list[str], late: bool) -> None:
    assert typed(keys, len(found), late=late) == str(found)


def test_a_terminal_that_is_gone_is_the_end() -> None:
    assert typed(b"", hang_up=True) == "['q']"


@pytest.mark.parametrize(
    ("lines", "found"), [("\n\nno\n", ["n"]), ("", ["q"]), ("y\n", ["y", "q"])]
)
def test_without_a_terminal_a_line_is_read(lines: str, found: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASK, "now", str(len(found))],
        input=lines,
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    assert done.stdout.rpartition("= ")[2].strip() == str(found)
