"""The outcome of one execution of a suite, and failures that a limit of the jail explains."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Outcome = Literal["passed", "failed", "error", "skipped", "xfailed", "xpassed", "not-run"]
"""``not-run`` is said of tests that a session knows of and did not begin; no test reports it."""

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

Confine = Literal["denied-write", "needs-loopback", "out-of-memory", "timed-out"]

INSTEAD: Mapping[Confine, str] = {
    "denied-write": "write below the fixture tmp_path (or monkeypatch.chdir into it): beside the "
    "tests, in the working directory and elsewhere nothing can be written or read that is not "
    "the project's (--lift-allow-write, --lift-allow-read)",
    "needs-loopback": "there is no network in the jail: serve what the test needs on loopback, "
    "or pass the code a test double; a jail with a loopback needs bubblewrap "
    "or user namespaces",
    "out-of-memory": "use a smaller input (or raise --lift-max-memory)",
    "timed-out": "use an input that ends, or a smaller one (or raise --lift-timeout)",
}
"""Advice for the author of the test."""

_NETWORK = re.compile(
    r"\[Errno (97|101|111)\] (Address family not supported|Network is unreachable)"
    r"|Temporary failure in name resolution|Name or service not known"
)
_WRITE = re.compile(
    r"\[Errno (13|30)\]|unable to open database file|attempt to write a readonly database"
)


@dataclass(frozen=True)
class Failure:
    """Failure of a test or a collection: the exception and where it came from."""

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
    """Result of one test (one parametrize row)."""

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
    """False for items that are no Python functions, such as doctests and items of linters."""
    reruns: int = 0
    """Number of attempts that failed before this one."""
    shares: bool = False
    """It uses a fixture that other tests use, too (of a module, the session, ...): what runs in
    there is not all seen as its own."""

    @property
    def ran(self) -> bool:
        return self.outcome != "not-run"

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
    not_run: Mapping[str, TestResult] = field(default_factory=dict)
    """Tests that were deselected, or collected and not begun, each with the reason."""

    @property
    def rows(self) -> tuple[TestResult, ...]:
        """Results of all known tests, also of those that did not run."""
        return (*self.results.values(), *self.not_run.values())

    @property
    def cut_short(self) -> CutShort | None:
        """Reason why the run was stopped before its end, if it was."""
        match self.ending:
            case "crashed" | "timed-out" | "out-of-memory" as stopped:
                return stopped
            case _:
                return None


def confine(failure: Failure) -> Confine | None:
    """Returns the limit that a failed test ran into, by its exception; None if it is none."""
    name, said = failure.type.rpartition(".")[2], failure.message
    if name == "MemoryError":
        return "out-of-memory"
    if _NETWORK.search(said):
        return "needs-loopback"
    if name in ("OSError", "PermissionError", "OperationalError") and _WRITE.search(said):
        return "denied-write"
    return None
