"""A project whose lifts are stored and may be killed anywhere."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from pytest_lift.store.archive import HistoryRun
from pytest_lift.store.history import History
from pytest_lift.store.landing import land
from pytest_lift.suite.suite import Edit, read_suite

USER = "def test_theirs():\n    assert 1\n"
FIRST = "def test_first():\n    assert 1\n"
NOON = datetime(2026, 11, 20, 12, 0, 0)


def lift(project: Path, *edits: dict[str, str | None], now: datetime = NOON) -> HistoryRun:
    """A run that lands one edit per iteration."""
    run = History.open(project).start_run(now)
    suite = read_suite(project, "tests")
    run.archive(0, suite=suite)
    for number, files in enumerate(edits, start=1):
        suite = land(project, project / ".lift", suite, suite.apply(Edit(files)), run.id).suite
        run.archive(number, suite=suite)
    return run


def killed_at(count: int, act: Callable[[], object]) -> bool:
    """Do something in a child that is killed before its `count`-th change of the disk."""
    child = os.fork()
    if child == 0:
        left = [count]

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            writing = event == "open" and arguments[1] in {"w", "wb", "xb"}
            if writing or event in {"os.rename", "os.remove", "os.mkdir", "os.rmdir"}:
                left[0] -= 1
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        act()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0
