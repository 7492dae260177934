"""What one execution of a suite was: its tests, how each ended, and how the run itself did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

Outcome = Literal["passed", "failed", "error", "skipped", "xfailed", "xpassed"]
Ending = Literal[
    "passed",
    "failed",
    "collection-errors",
    "nothing-collected",
    "crashed",
    "timed-out",
    "out-of-memory",
    "refused",
]

CutShort = Literal["crashed", "timed-out", "out-of-memory"]
"""Endings after which nothing is known of the tests that had not run."""


@dataclass(frozen=True)
class Failure:
    """Why a test or a collection failed: the exception and where it came from."""

    phase: str
    """``collect``, ``setup``, ``call`` or ``teardown``."""
    type: str
    """Qualified name of the exception class (``builtins.`` left out)."""
    message: str
    file: str
    """Where it was raised, relative to the project root when inside it."""
    line: int
    traceback: str
    frames: tuple[tuple[str, int, str], ...] = ()
    """(file, line, function), outermost first."""


@dataclass(frozen=True)
class TestResult:
    """What one test (one parametrize row) did."""

    __test__ = False

    node: str
    """pytest's node id, relative to the project root, parameters included."""
    outcome: Outcome
    seconds: float
    failure: Failure | None = None
    reason: str = ""
    """Why it was skipped or expected to fail."""
    output: str = ""
    """Captured stdout, stderr and log (the last part when long)."""
    requirements: tuple[str, ...] = ()
    emergent: str | None = None
    doc: str = ""
    written: bool = True
    """False for what is no Python function: doctests, and the items of linters."""
    ran: bool = True
    """False for what `with_rows_not_run` adds."""

    @property
    def function(self) -> str:
        """The node without its parameters: the key of `suite.TestFunction`."""
        return self.node.partition("[")[0]


@dataclass(frozen=True)
class Run:
    """One execution of the suite and how it ended."""

    ending: Ending
    results: Mapping[str, TestResult] = field(default_factory=dict)
    collected: tuple[str, ...] = ()
    broken: Mapping[str, Failure] = field(default_factory=dict)
    """File -> why it could not be collected."""
    running: str | None = None
    """The test that was running when the process crashed or was stopped."""
    detail: str = ""
    """``signal 11 (SIGSEGV)``, ``exit status 0 before the session ended``, ..."""
    seconds: float = 0.0
    output: str = ""
    """The last part of what the process printed."""
    reports: Path | None = None
    """Folder with junit.xml, coverage.xml, coverage.json and coverage.db, when measured."""

    @property
    def cut_short(self) -> CutShort | None:
        """What stopped it before its end, if anything did."""
        match self.ending:
            case "crashed" | "timed-out" | "out-of-memory" as stopped:
                return stopped
            case _:
                return None


def with_rows_not_run(run: Run) -> Run:
    """With what was collected and did not run, since the session was cut short, as skipped; it
    names what the other rows of its function name."""
    named: dict[str, dict[str, None]] = {}
    for result in run.results.values():
        named.setdefault(result.function, {}).update(dict.fromkeys(result.requirements))
    missing = {
        node: TestResult(
            node,
            "skipped",
            0.0,
            reason="it did not run: the session was cut short",
            requirements=tuple(named.get(node.partition("[")[0], ())),
            ran=False,
        )
        for node in run.collected
        if node not in run.results
    }
    return replace(run, results={**run.results, **missing}) if missing else run
