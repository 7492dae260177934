"""One child process: own group, scrubbed environment, closed stdin, bounded time and output.

This is the seam for the jail: every process that runs the program or a test goes through
`run_child`. Its limits are not a jail: a grandchild that starts a session of its own
(`setsid`) leaves the process group and outlives the child.
"""

from __future__ import annotations

import os
import select
import signal
import site
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

PASSED_ON = (
    "PATH",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "TEMP",
    "TMP",
    "SYSTEMROOT",
    "VIRTUAL_ENV",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "SOURCE_DATE_EPOCH",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD",
    "PYTEST_PLUGINS",
)
"""The only variables of the user's environment that a child sees; keys are never among them."""

FLOOD = 64 * 1024 * 1024
"""Bytes of output after which a child is killed."""

GLANCE = 0.2
"""Seconds between two looks at the size of the output."""


@dataclass(frozen=True)
class Child:
    """How a child ended. `status` is negative for a signal; `timed_out` says the limit was hit."""

    status: int
    timed_out: bool
    seconds: float
    output: str
    """stdout and stderr together; the first and last part when longer than the limit."""
    flooded: bool = False
    """It was killed because it printed more than `FLOOD` bytes."""


def child_environment(home: Path, extra: Mapping[str, str]) -> dict[str, str]:
    """The allow-listed part of the environment, a fresh HOME, and `extra`.

    Packages installed with ``pip install --user`` stay importable under the other HOME.
    """
    kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    if site.ENABLE_USER_SITE:
        kept["PYTHONUSERBASE"] = site.getuserbase()
    return {**kept, "HOME": str(home), "USERPROFILE": str(home), **extra}


def run_child(
    command: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    seconds: float,
    output_bytes: int = 256 * 1024,
    flood_bytes: int = FLOOD,
) -> Child:
    """Run `command` to its end or for `seconds`; the whole process group is gone on return.

    `env` is the complete environment (see `child_environment`). On KeyboardInterrupt the group
    is killed and the exception goes on. Output goes to a file, so that a grandchild that keeps
    it open holds nobody up. Raises OSError when `command` cannot be started.
    """
    started = time.monotonic()
    with tempfile.TemporaryFile() as sink:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            ended, flooded = _watch(process, sink, started + seconds, flood_bytes)
        finally:
            _kill_group(process)
        return Child(
            status=process.returncode,
            timed_out=not ended and not flooded,
            seconds=time.monotonic() - started,
            output=_ends_of(sink, output_bytes),
            flooded=flooded,
        )


def _watch(
    process: subprocess.Popen[bytes], sink: IO[bytes], deadline: float, flood: int
) -> tuple[bool, bool]:
    """Wait for the end, the deadline or a flood: (has ended, has flooded)."""
    while True:
        left = deadline - time.monotonic()
        if _has_ended(process, min(max(left, 0.0), GLANCE)):
            return True, False
        if os.fstat(sink.fileno()).st_size > flood:
            return False, True
        if left <= 0:
            return False, False


def _has_ended(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether the child ends within `seconds`.

    Where the system has pidfds it is told at once and not reaped: its id cannot have gone to a
    stranger when the group is killed.
    """
    try:
        handle = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        return _has_ended_by_waiting(process, seconds)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        return bool(poll.poll(seconds * 1000))
    finally:
        os.close(handle)


def _has_ended_by_waiting(process: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the group; the leader's id stays its group id after it has ended."""
    if hasattr(os, "killpg"):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
    elif process.poll() is None:
        process.kill()
    process.wait()


def _ends_of(sink: IO[bytes], limit: int) -> str:
    """The text of `sink`, its middle left out when it is longer than `limit` bytes."""
    size = sink.seek(0, os.SEEK_END)
    sink.seek(0)
    if size <= limit:
        return sink.read(limit).decode("utf-8", "replace")
    head = sink.read(limit // 2)
    sink.seek(size - limit // 2)
    gap = f"\n... {size - limit} bytes left out ...\n"
    tail = sink.read(limit // 2)
    return head.decode("utf-8", "replace") + gap + tail.decode("utf-8", "replace")
