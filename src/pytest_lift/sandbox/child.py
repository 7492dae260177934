"""One child process in its jail: started by a supervisor, bounded, and gone in the end.

Every process that runs the program, a test or a tool on generated files goes through `run_child`,
or is a `LiveChild`.
"""

from __future__ import annotations

import marshal
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pytest_lift.errors import UsageError
from pytest_lift.sandbox.jail import Jail, Job

_START = """
import sys
sys.path.append({!r})
from pytest_lift.sandbox.supervisor import main
main()
"""
_PACKAGES = str(Path(__file__).resolve().parents[2])
_PATIENCE = 15.0
"""Seconds that a supervisor gets to clean up."""
_CHUNK = 1 << 16


@dataclass(frozen=True)
class Child:
    """Ending of a child."""

    status: int
    """Negative for a signal."""
    reason: str
    """``ended`` by itself, or the limit that it hit: ``timed-out``, ``flooded``,
    ``out-of-memory``, ``too-many-processes``, ``scratch-full``."""
    seconds: float
    output: str
    """stdout and stderr together; the first and last part when longer than the limit."""

    @property
    def timed_out(self) -> bool:
        return self.reason == "timed-out"


@dataclass(frozen=True)
class Places:
    """Files that one child may use beside those that its jail allows to all. Paths are absolute."""

    reads: Sequence[Path] = ()
    writes: Sequence[Path] = ()
    throwaway: Path | None = None
    """A folder that is empty at the start, apart from `folders`, and whose content is lost."""
    folders: Sequence[str] = ()


def run_child(
    command: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    seconds: float,
    jail: Jail,
    places: Places,
    output_bytes: int = 256 * 1024,
    record: Callable[[socket.socket], None] | None = None,
) -> Child:
    """Runs `command` to its end or for `seconds`; it and all that it started is gone on return.

    `env` is the complete environment (see `Jail.environment`). With `record` the child finds a
    socket as descriptor 3; the function is called with the other end at the start, whenever there
    is something to read, and at the end. On KeyboardInterrupt everything is killed and the
    exception goes on. Raises UsageError when the jail cannot be made or `command` not be started.
    """
    started = time.monotonic()
    _empty(places)
    ours, theirs = socket.socketpair() if record else (None, None)
    with tempfile.TemporaryFile() as sink:
        job = _job(command, cwd, env, seconds, jail, places)
        job["output"], job["record"] = sink.fileno(), theirs.fileno() if theirs else -1
        try:
            reason, status, words = _supervised(job, theirs, ours, record)
        finally:
            for end in (ours, theirs):
                if end is not None:
                    end.close()
        if reason == "not-started":
            raise _not_started(jail, words, _ends_of(sink, 2000))
        seconds = time.monotonic() - started
        return Child(status, reason, seconds, _ends_of(sink, output_bytes))


class LiveChild:
    """A child that runs beside this process and answers through a socket, its descriptor 3.

    It and all that it started is gone after `close`, or when nothing refers to it any more. Raises
    UsageError when the jail cannot be made or `command` not be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        seconds: float,
        jail: Jail,
        places: Places,
    ) -> None:
        self._jail = jail
        opened = ExitStack()
        self._sink = opened.enter_context(_nameless())
        self._socket, theirs = socket.socketpair()
        opened.enter_context(self._socket)
        job = _job(command, cwd, env, seconds, jail, places)
        job["output"], job["record"] = self._sink.fileno(), theirs.fileno()
        try:
            process = _supervisor(job)
        except OSError as error:
            opened.close()
            raise _not_started(jail, str(error), "") from error
        finally:
            theirs.close()
        self._process = process
        opened.callback(_end, process)
        self._end = weakref.finalize(self, opened.close)
        _send(process, job)

    def tell(self, line: bytes) -> bool:
        """Sends a few bytes; returns whether the child is there to read them."""
        try:
            self._socket.sendall(line)
        except OSError:
            return False
        return True

    def heard(self, seconds: float) -> bytes | None:
        """Returns what the child has said next, ``b""`` if it says nothing for `seconds`, None if
        it has ended."""
        poll = select.poll()
        poll.register(self._socket, select.POLLIN | select.POLLHUP)
        if not poll.poll(1000 * max(seconds, 0.0)):
            return b""
        try:
            said = self._socket.recv(_CHUNK)
        except OSError:
            said = b""
        if said:
            return said
        assert self._process.stdout is not None
        reason, _, words = _said(_heard(self._process.stdout, None, None))
        if reason == "not-started":
            raise _not_started(self._jail, words, _ends_of(self._sink, 2000))
        return None

    def close(self) -> None:
        """Ends the child and all that it started."""
        self._end()


def _nameless() -> IO[bytes]:
    return tempfile.TemporaryFile()


def _empty(places: Places) -> None:
    if places.throwaway is not None:
        shutil.rmtree(places.throwaway, ignore_errors=True)
        for name in ("", *places.folders):
            (places.throwaway / name).mkdir(parents=True, exist_ok=True)


def _job(
    command: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    seconds: float,
    jail: Jail,
    places: Places,
) -> Job:
    limits = jail.limits
    return Job(
        # The way to an interpreter named `../venv/bin/python` leads through folders that a jail
        # does not show.
        command=[os.path.abspath(command[0]), *map(str, command[1:])],
        cwd=str(cwd),
        env=dict(env),
        tier=jail.tier,
        net=jail.net,
        reads=[str(path) for path in (*jail.reads, *places.reads)],
        writes=[str(path) for path in (*jail.writes, *places.writes)],
        throwaway=str(places.throwaway or ""),
        folders=list(places.folders),
        output=-1,
        record=-1,
        seconds=seconds,
        output_bytes=limits.output_bytes,
        memory=limits.memory,
        address_space=limits.address_space,
        file_bytes=limits.file_bytes,
        open_files=limits.open_files,
        processes=limits.processes,
        scratch_bytes=limits.scratch_bytes,
        scratch_files=limits.scratch_files,
    )


def _supervised(
    job: Job,
    theirs: socket.socket | None,
    ours: socket.socket | None,
    record: Callable[[socket.socket], None] | None,
) -> tuple[str, int, str]:
    """Runs the supervisor; returns its report: (reason, exit status, words)."""
    try:
        process = _supervisor(job)
    except OSError as error:  # no such interpreter any more, or no room for another process
        return "not-started", -1, str(error)
    assert process.stdout is not None
    try:
        if theirs is not None:
            theirs.close()
        _send(process, job)
        return _said(_heard(process.stdout, ours, record))
    finally:
        _end(process)


def _supervisor(job: Job) -> subprocess.Popen[bytes]:
    """Starts the supervisor of a job; raises OSError."""
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _START.format(_PACKAGES)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=job["output"],
        pass_fds=[number for number in (job["output"], job["record"]) if number >= 0],
        env={},
        start_new_session=True,
    )


def _send(process: subprocess.Popen[bytes], job: Job) -> None:
    assert process.stdin is not None
    data = marshal.dumps(dict(job))
    with suppress(BrokenPipeError):  # it says why on the other pipe
        process.stdin.write(len(data).to_bytes(8, "big") + data)
        process.stdin.flush()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Has the supervisor end everything, and waits for that."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(BrokenPipeError):  # it is gone, and what it was sent is still in the buffer
        process.stdin.close()
    _wait(process)
    process.stdout.close()


def _heard(
    status: IO[bytes], ours: socket.socket | None, record: Callable[[socket.socket], None] | None
) -> bytes:
    """Returns the supervisor's last words; the record is read on while the child runs."""
    poll = select.poll()
    poll.register(status, select.POLLIN | select.POLLHUP)
    if ours is not None and record is not None:
        ours.setblocking(False)
        poll.register(ours, select.POLLIN)
        record(ours)
    said = b""
    while True:
        for number, event in poll.poll():
            if ours is not None and number == ours.fileno() and record is not None:
                record(ours)
                if event & select.POLLHUP:
                    poll.unregister(ours)
            elif number == status.fileno():
                more = os.read(number, _CHUNK)
                said += more
                if not more:
                    if ours is not None and record is not None:
                        record(ours)
                    return said


def _said(line: bytes) -> tuple[str, int, str]:
    reason, _, rest = line.decode("utf-8", "replace").strip().partition(" ")
    status, _, words = rest.partition(" ")
    if not status.lstrip("-").isdigit():
        return "ended", -9, ""  # the supervisor was killed
    return reason, int(status), words


def _wait(process: subprocess.Popen[bytes]) -> None:
    """Waits for the end of the supervisor, which closes its stdout; `Popen.wait` with a limit only
    looks from time to time, up to 50 ms apart."""
    assert process.stdout is not None
    poll, until = select.poll(), time.monotonic() + _PATIENCE
    poll.register(process.stdout, select.POLLIN | select.POLLHUP)
    while poll.poll(1000 * max(until - time.monotonic(), 0.0)):
        if not os.read(process.stdout.fileno(), _CHUNK):
            break
    try:
        process.wait(max(until - time.monotonic(), 0.0))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _not_started(jail: Jail, words: str, output: str) -> UsageError:
    said = "; ".join(part for part in (words, output.strip()) if part)
    return UsageError(
        f"a process cannot be started in the jail ({jail.tier}): {said}",
        where="--lift-sandbox",
        todo="name another tier, or off to run without a jail",
    )


def _ends_of(sink: IO[bytes], limit: int) -> str:
    """Returns the text of `sink`, its middle left out when it is longer than `limit` bytes."""
    size = sink.seek(0, os.SEEK_END)
    sink.seek(0)
    if size <= limit:
        return sink.read(limit).decode("utf-8", "replace")
    head = sink.read(limit // 2)
    sink.seek(size - limit // 2)
    gap = f"\n... {size - limit} bytes left out ...\n"
    tail = sink.read(limit // 2)
    return head.decode("utf-8", "replace") + gap + tail.decode("utf-8", "replace")
