"""A child program of ours that works through a JSON job, and can be run again after it died."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_lift.files import untrusted
from pytest_lift.sandbox.child import Child, Places, run_child
from pytest_lift.sandbox.jail import Jail

LARGEST = 64 * 1024 * 1024
"""Bytes of a journal that are read, and of one line of it."""
ENDED = b'{"case": -1}'
"""Last record of a child that got through its job."""
JOB, JOURNAL, CURRENT, HOME = "job.json", "journal", "current", "home"
"""Files of a worker in its folder: its task, its records, the numbers of what it is at."""


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
        home = self.folder / HOME
        untrusted.remove(home)
        home.mkdir(parents=True)
        files = {name: str(self.folder / name) for name in (CURRENT, JOURNAL)}
        for path in files.values():
            untrusted.remove(Path(path))
        untrusted.write(self.folder / JOB, json.dumps({**job, **files}).encode())
        return run_child(
            [sys.executable, "-P", *self.options, str(self.script), str(self.folder / JOB)],
            cwd=self.cwd,
            env=self.jail.environment(home.resolve(), dict(self.variables)),
            seconds=seconds,
            jail=self.jail,
            places=Places(reads=(*self.reads, self.script), writes=(self.folder.resolve(),)),
        )

    def died_at(self, child: Child) -> tuple[int, ...] | None:
        """Numbers of the task in which the last child died; None if it finished or timed out."""
        if child.timed_out or self._last == ENDED:
            return None
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


def records(journal: Path) -> Iterator[dict[str, Any]]:
    """Yields the lines of a journal that are JSON objects; the last one may be cut off."""
    for line in untrusted.lines(journal, LARGEST, LARGEST):
        with suppress(ValueError, RecursionError):
            record = json.loads(line)
            if isinstance(record, dict):
                yield record
