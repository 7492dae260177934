"""Suite -> `Run`: one fresh pytest subprocess over the whole suite in the private copy."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from pytest_lift import hostile
from pytest_lift.addopts import inner_environment, inner_options, measuring_options
from pytest_lift.claims import DEFAULT, Claims
from pytest_lift.program import Program
from pytest_lift.sandbox.child import Child, Places, run_child
from pytest_lift.sandbox.jail import Jail
from pytest_lift.sandbox.supervisor import RECORD
from pytest_lift.sealed import SealedRecord

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

STOPPED = {
    "flooded": "printed too much",
    "out-of-memory": "used too much memory",
    "too-many-processes": "started too many processes",
    "scratch-full": "wrote too many files, or too large ones",
}
"""Limit -> what was done to hit it."""

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


@dataclass(frozen=True)
class Plugin:
    """A further pytest plugin of ours inside a run."""

    module: str
    environ: Mapping[str, str] = field(default_factory=dict)
    """Variables that tell it what to do."""


REPORTS = ("junit.xml", "coverage.xml", "coverage.json", "coverage.db")
RUN = "run"
"""The folder in the scratch for what is gone after each run: HOME, TMPDIR, pytest's cache."""
TAIL = 40
"""Lines of output that explain a run which pytest refused."""


def run_suite(
    copy: Path,
    program: Program,
    *,
    test_root: str,
    reports: Path,
    scratch: Path,
    seconds: float,
    jail: Jail,
    claims: Claims = DEFAULT,
    selection: Sequence[str] = (),
    addopts: Sequence[str] = (),
    measure: bool = True,
    contexts: bool = True,
    shuffle: int | None = None,
    hash_seed: int = 0,
    python: str = sys.executable,
    plugin: Plugin | None = None,
) -> Run:
    """Run the suite in `copy` once and say how it ended; no outcome is an exception.

    `test_root` and `selection` (node ids or paths; empty: the test root) are relative to
    `copy`. `addopts` are the user's own tokens, of which `inner_addopts` keeps most. `reports`
    is filled anew; HOME, TMPDIR and pytest's cache are inside `scratch`. `seconds` limits the
    whole process. In the `jail` only these can be written: `copy` cannot. Raises UsageError when
    `python` cannot be started there, OSError when a folder cannot be written.
    """
    copy, reports, scratch = copy.resolve(), reports.resolve(), scratch.resolve() / RUN
    _empty_reports(reports)
    (copy / test_root).mkdir(parents=True, exist_ok=True)
    command = [
        *(python, "-m", "pytest"),
        *inner_options(addopts, copy, reports, scratch),
        *(measuring_options(program, reports, contexts) if measure else ()),
        *(("-p", plugin.module) if plugin else ()),
        *(selection or (test_root,)),
    ]
    extra = inner_environment(copy, program, reports, scratch, hash_seed)
    extra["LIFT_RECORD"] = str(RECORD)
    if claims != DEFAULT:
        extra["LIFT_CLAIMS"] = claims.as_text()
    if shuffle is not None:
        extra["LIFT_SHUFFLE"] = str(shuffle)
    extra |= plugin.environ if plugin else {}
    session = _Session()
    child = run_child(
        command,
        cwd=copy,
        env=jail.environment(scratch / "home", extra),
        seconds=seconds,
        jail=jail,
        places=Places((copy,), (reports,), scratch, ("home", "tmp", "cache")),
        record=SealedRecord(session).read,
    )
    run = _run(session, child)
    measured = measure and (reports / "coverage.json").exists()
    return replace(run, reports=reports if measured else None)


def run_from_events(
    events: Iterable[Mapping[str, Any]], *, status: int | None = None, seconds: float = 0.0
) -> Run:
    """The `Run` of a session in this process, from what its `record.Recorder` handed out.

    `status` is the exit status as far as it is known when the ``finish`` event is still to come.
    """
    session = _Session()
    for event in events:
        session.take(event)
    session.status = status if session.status is None else session.status
    return _run(session, Child(session.status or 0, "ended", seconds, ""))


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


def _empty_reports(reports: Path) -> None:
    """Nothing of an earlier run is read."""
    reports.mkdir(parents=True, exist_ok=True)
    for path in [*(reports / name for name in REPORTS), *reports.glob("coverage.db.*")]:
        hostile.remove(path)


@dataclass
class _Test:
    """The phases of one test, added up."""

    outcome: Outcome | None = None
    seconds: float = 0.0
    failure: Failure | None = None
    reason: str = ""
    output: str = ""
    requirements: tuple[str, ...] = ()
    emergent: str | None = None
    doc: str = ""
    written: bool = True

    def add(self, event: Mapping[str, Any]) -> None:
        """The first failure stands; in setup and teardown it is an error."""
        outcome: Outcome = event["outcome"]
        subtest = event["subtest"] is not None
        self.seconds += 0.0 if subtest else float(event["seconds"])
        if "requirements" in event:
            self.requirements = tuple(map(str, event["requirements"]))
            self.emergent = event["emergent"]
            self.doc = str(event["doc"])
            self.written = bool(event.get("written", True))
        named = (*self.requirements, *map(str, event.get("recorded", ())))
        self.requirements = tuple(dict.fromkeys(named))
        self.output = str(event["output"]) or self.output
        bad = outcome == "failed"
        if self.outcome in ("failed", "error") or (subtest and not bad):
            return
        if bad:
            self.outcome = "failed" if event["when"] == "call" else "error"
            self.failure = _failure(event["failure"])
        elif self.outcome is None or outcome != "passed":
            self.outcome = outcome
            self.reason = str(event["reason"])


@dataclass
class _Session:
    """What the events of a session say, as far as they go."""

    started: bool = False
    collected: tuple[str, ...] = ()
    broken: dict[str, Failure] = field(default_factory=dict)
    tests: dict[str, _Test] = field(default_factory=dict)
    running: str | None = None
    suspect: str | None = None
    status: int | None = None
    said: str = ""
    """What an internal error said."""
    interrupted: str | None = None
    """What a KeyboardInterrupt or `pytest.exit` said."""
    forged: int = 0
    """Lines of the record that its recorder did not write."""

    def take(self, event: Mapping[str, Any]) -> None:
        """Add an event; what is none, although it came as one, is counted and skipped."""
        try:
            self._add(event)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            self.doubt()

    def doubt(self) -> None:
        """What is running then has done it."""
        self.forged += 1
        self.suspect = self.suspect or self.running

    def _add(self, event: Mapping[str, Any]) -> None:
        match event["event"]:
            case "start":
                self.started = True
            case "collected":
                self.collected = tuple(map(str, event["nodes"]))
            case "broken":
                self.broken[str(event["file"])] = _failure(event["failure"])
            case "begin":
                self.running = str(event["node"])
            case "phase":
                self._add_phase(event)
            case "end":
                self.running = None
            case "internal":
                self.said = str(event["text"])
            case "interrupt":
                self.interrupted = str(event["text"])
            case "finish":
                self.status = int(event["status"])
            case other:
                raise ValueError(other)

    def _add_phase(self, event: Mapping[str, Any]) -> None:
        node = str(event["node"])
        if event["outcome"] == "rerun":
            self.tests.pop(node, None)
            return
        if event["outcome"] not in get_args(Outcome):
            raise ValueError(event["outcome"])
        self.tests.setdefault(node, _Test()).add(event)

    def results(self) -> dict[str, TestResult]:
        """The tests that ended, as they were collected, however xdist dealt them out; the one that
        was running only if it had failed already."""
        place = {node: number for number, node in enumerate(self.collected)}
        ended = sorted(self.tests.items(), key=lambda row: place.get(row[0], len(place)))
        return {
            node: TestResult(node, **{**vars(test), "outcome": test.outcome})
            for node, test in ended
            if test.outcome and (node != self.running or test.outcome in ("failed", "error"))
        }


def _failure(row: Mapping[str, Any]) -> Failure:
    texts = {name: str(row[name]) for name in ("phase", "type", "message", "file", "traceback")}
    frames = tuple((str(file), int(line), str(name)) for file, line, name in row["frames"])
    return Failure(**texts, line=int(row["line"]), frames=frames)


def _run(session: _Session, child: Child) -> Run:
    ending, detail = _ending(session, child)
    return Run(
        ending,
        session.results(),
        session.collected,
        session.broken,
        session.suspect or session.running,
        detail,
        child.seconds,
        child.output,
    )


def _ending(session: _Session, child: Child) -> tuple[Ending, str]:
    """The ending and its detail; what stopped the process comes before what pytest says."""
    if child.timed_out:
        return "timed-out", f"stopped after {child.seconds:.0f} s, {_where(session)}"
    if child.reason in STOPPED:
        ending: Ending = "out-of-memory" if child.reason == "out-of-memory" else "crashed"
        return ending, f"stopped because it {STOPPED[child.reason]}, {_where(session)}"
    if session.forged:
        return "crashed", f"{session.forged} lines of the record are forged, {_where(session)}"
    if child.status < 0:
        return "crashed", f"{_signal_name(-child.status)}, {_where(session)}"
    if session.broken and session.status in (None, 1, 2):
        return "collection-errors", f"{len(session.broken)} files could not be collected"
    if session.status is None and session.started:
        return "crashed", f"exit status {child.status}, {_where(session)}"
    if session.status is None:
        return "refused", _tail(child.output) or f"exit status {child.status}, no session"
    if session.status != child.status:
        return "crashed", f"exit status {child.status}, {_where(session)}"
    return _ending_of_session(session, child)


def _ending_of_session(session: _Session, child: Child) -> tuple[Ending, str]:
    if session.interrupted is not None:
        return "crashed", f"interrupted by {session.interrupted}, {_where(session)}"
    match session.status:
        case 0 if missing := set(session.collected) - set(session.tests):
            return "crashed", f"{len(missing)} of the collected tests did not run"
        case 0:
            return "passed", ""
        case 1:
            bad = any(test.outcome in ("failed", "error") for test in session.tests.values())
            return "failed", "" if bad else f"no test failed; {_tail(child.output)}"
        case 3 | 4:
            return "refused", session.said or _tail(child.output)
        case 5:
            return "nothing-collected", ""
        case other:
            return "crashed", f"exit status {other}; {_tail(child.output)}"


def _where(session: _Session) -> str:
    if session.suspect or session.running:
        return f"in {session.suspect or session.running}"
    if session.status is not None:
        return "after the session had ended"
    return "between tests" if session.tests else "before the first test"


def _signal_name(number: int) -> str:
    try:
        return f"signal {number} ({signal.Signals(number).name})"
    except ValueError:
        return f"signal {number}"


def _tail(output: str) -> str:
    return "\n".join(output.strip().splitlines()[-TAIL:])
