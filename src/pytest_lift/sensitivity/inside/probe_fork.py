"""A function run in a process of its own, within a time: inside a run, standard library only."""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import time
import warnings
from collections.abc import Callable
from typing import Any

_CHUNK = 65_536
Answer = dict[str, Any]


def apart(work: Callable[[], Answer], seconds: float) -> Answer:
    """Runs `work` in a copy of this process; returns its result, or how the process ended."""
    heard, said = os.pipe()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that threads are not copied
            number = os.fork()
    except OSError:
        os.close(heard)
        os.close(said)
        return {"outcome": "not-started"}
    if number == 0:
        _work(work, said)
    os.close(said)
    try:
        data, timed_out = _hear(heard, time.monotonic() + seconds)
    finally:
        os.close(heard)
        _end(number)
    if timed_out:
        return {"outcome": "timed-out"}
    try:
        answer = json.loads(data)
    except ValueError:
        return {"outcome": "crashed"}
    return answer if isinstance(answer, dict) else {"outcome": "crashed"}


def _work(work: Callable[[], Answer], said: int) -> None:
    """Runs the work and never returns: this copy of the session ends here."""
    try:
        os.setpgid(0, 0)
        gc.disable()  # it would touch, and so copy, all that is in memory
        write, left = os.write, json.dumps(work()).encode()
        while left:
            left = left[write(said, left) :]
    finally:
        os._exit(0)


def _hear(heard: int, until: float) -> tuple[bytes, bool]:
    data = b""
    while (left := until - time.monotonic()) > 0:
        if not select.select([heard], [], [], left)[0]:
            continue
        more = os.read(heard, _CHUNK)
        if not more:
            return data, False
        data += more
        if data.endswith(b"}"):  # a process that it started may hold the pipe open
            return data, False
    return data, True


def _end(number: int) -> None:
    """Ends the process with all that it started."""
    for end in (os.killpg, os.kill):
        try:
            end(number, signal.SIGKILL)
        except OSError:
            pass
    try:
        os.waitpid(number, 0)
    except ChildProcessError:
        pass
