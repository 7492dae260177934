"""A child program of ours that works through a job, and can be run again after it died."""

from __future__ import annotations

import json
import marshal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_lift.files import untrusted
from pytest_lift.sandbox.child import Child, LiveChild, Places, run_child
from pytest_lift.sandbox.jail import Jail

LARGEST = 64 * 1024 * 1024
"""Bytes of a journal that are read, and of one line of it."""
ENDED = b'{"case": -1}'
"""Last record of a child that got through its job."""
JOB, JOURNAL, CURRENT, HOME = "job", "journal", "current", "home"
"""Files of a worker in its folder: its task, its records, the numbers of what it is at."""

LIFETIME = 6 * 3600.0
"""Seconds after which a child that stays alive is ended, whatever it does."""
LONGEST_ANSWER = 100


@dataclass(frozen=True)
class Worker:
    """One script of ours with the folder that it may write to. Code that the user did not write
    runs in its process: nothing that it leaves is believed beyond its form."""

    script: Path
    folder: Path
    cwd: Path
    jail: Jail
    reads: Sequence[Path] = ()
    """Folders and files beside the script that it may read."""
    variables: Mapping[str, str] = field(default_factory=dict)
    options: Sequence[str] = ("-W", "ignore")
    """Options of the interpreter."""

    def run(self, job: Mapping[str, Any], seconds: float) -> Child:
        """Runs the script on `job` with an empty home and an empty journal."""
        environment = self._prepared()
        self._write(job, JOB, self.journal)
        return run_child(
            self._command,
            cwd=self.cwd,
            env=environment,
            seconds=seconds,
            jail=self.jail,
            places=self._places,
        )

    @property
    def _command(self) -> list[str]:
        return [sys.executable, "-P", *self.options, str(self.script), str(self.folder / JOB)]

    @property
    def _places(self) -> Places:
        return Places(reads=(*self.reads, self.script), writes=(self.folder.resolve(),))

    def _prepared(self) -> dict[str, str]:
        """Makes an empty home; returns the environment of the child."""
        home = self.folder / HOME
        untrusted.remove(home)
        home.mkdir(parents=True)
        untrusted.remove(self.folder / CURRENT)
        return self.jail.environment(home.resolve(), dict(self.variables))

    def _write(self, job: Mapping[str, Any], place: str, journal: Path) -> None:
        """Writes a job of plain values for the same Python: thousands of cases are
        written and read several times faster than as JSON."""
        untrusted.remove(journal)
        files = {CURRENT: str(self.folder / CURRENT), JOURNAL: str(journal)}
        untrusted.write(self.folder / place, marshal.dumps({**job, **files}))

    def died_at(self, child: Child) -> tuple[int, ...] | None:
        """Numbers of the task in which the last child died; None if it finished or timed out."""
        if child.timed_out or self._last == ENDED:
            return None
        return self.at

    @property
    def at(self) -> tuple[int, ...] | None:
        """Numbers of what the child is at, or was at when it ended."""
        with suppress(OSError, ValueError):
            return tuple(map(int, untrusted.read(self.folder / CURRENT, 100).split()))
        return None

    @property
    def journal(self) -> Path:
        """The file for `records`."""
        return self.folder / JOURNAL

    @property
    def _last(self) -> bytes:
        with suppress(OSError):
            return untrusted.read(self.journal).rstrip(b"\n").rpartition(b"\n")[2]
        return b""


class LiveWorker:
    """A worker whose child stays alive between jobs, so that it imports once.

    Its script does the job of the file that it is started with, says the job's number in a line on
    descriptor 3, and then reads the number of the next one there; the file has that number, too.
    One job is given at a time.
    """

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self._child: LiveChild | None = None
        self._number = 0

    def give(self, job: Mapping[str, Any], first: Mapping[str, Any]) -> None:
        """Begins a job; `first` is added where it is the first one of a child."""
        worker = self.worker
        self._number += 1
        untrusted.remove(self._journal(self._number - 1))
        job = {**job, "number": self._number}
        if self._child is not None:
            worker._write(job, f"{JOB}{self._number}", self.journal)
            if self._child.tell(b"%d\n" % self._number):
                return
            self.close()
        environment = worker._prepared()
        worker._write({**first, **job}, JOB, self.journal)
        self._child = LiveChild(
            worker._command,
            cwd=worker.cwd,
            env=environment,
            seconds=LIFETIME,
            jail=worker.jail,
            places=worker._places,
        )

    def wait(self, seconds: float) -> tuple[int, ...] | None:
        """Waits for the end of the job. Returns the numbers of what ended the child, if anything
        did; after `seconds` the child is ended."""
        until, said = time.monotonic() + seconds, b""
        while self._child is not None:
            left = until - time.monotonic()
            heard = self._child.heard(left) if left > 0 else b""
            if not heard:
                self.close()
                return self.worker.at if heard is None else None
            said = (said + heard)[-LONGEST_ANSWER:]
            if b"%d\n" % self._number in said:
                break
        untrusted.remove(self.worker.folder / f"{JOB}{self._number}")
        return None

    @property
    def is_running(self) -> bool:
        """Whether there is a child, which has imported what its jobs needed."""
        return self._child is not None

    @property
    def journal(self) -> Path:
        """The file for `records` of the last job."""
        return self._journal(self._number)

    def _journal(self, number: int) -> Path:
        return self.worker.folder / f"{JOURNAL}{number}"

    def close(self) -> None:
        """Ends the child."""
        if self._child is not None:
            self._child.close()
            self._child = None


def records(journal: Path) -> Iterator[dict[str, Any]]:
    """Yields the lines of a journal that are JSON objects; the last one may be cut off."""
    for line in untrusted.lines(journal, LARGEST, LARGEST):
        with suppress(ValueError, RecursionError):
            record = json.loads(line)
            if isinstance(record, dict):
                yield record
