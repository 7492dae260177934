"""Events of a session -> `Run`: what `recorder.Recorder` handed out, folded test by test."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, get_args

from pytest_lift.run.result import Ending, Failure, Outcome, Run, TestResult
from pytest_lift.sandbox.child import Child
from pytest_lift.text.wording import count

DESELECTED = "deselected"
"""Why a test did not run that was collected and then left out: by -k, -m, --lf, ..."""

CUT_SHORT = "the session was cut short"

REPORTED = frozenset(get_args(Outcome)) - {"not-run"}

STOPPED = {
    "flooded": "printed too much",
    "out-of-memory": "used too much memory",
    "too-many-processes": "started too many processes",
    "scratch-full": "wrote too many files, or too large ones",
}
"""Limit -> what was done to hit it."""

TAIL = 40
"""Lines of output that explain a run which pytest refused."""


def run_from_events(
    events: Iterable[Mapping[str, Any]], *, status: int | None = None, seconds: float = 0.0
) -> Run:
    """Returns the `Run` of a session in this process, from what its `recorder.Recorder` handed out.

    `status` is the exit status as far as it is known when the ``finish`` event is still to come.
    """
    session = SessionEvents()
    for event in events:
        session.take(event)
    return run_of(session, status=status, seconds=seconds)


def run_of(session: SessionEvents, *, status: int | None = None, seconds: float = 0.0) -> Run:
    """Returns the `Run` of a session whose events were added one by one."""
    session.status = status if session.status is None else session.status
    return as_run(session, Child(session.status or 0, "ended", seconds, ""))


@dataclass(slots=True)
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
    reruns: int = 0
    shares: bool = False

    def add(self, event: Mapping[str, Any]) -> None:
        """Adds a phase: the first failure counts; in setup and teardown it is an error."""
        outcome: Outcome = event["outcome"]
        subtest = event.get("subtest") is not None
        self.seconds += 0.0 if subtest else float(event["seconds"])
        if "requirements" in event:
            self.requirements = tuple(map(str, event["requirements"]))
            self.emergent = event["emergent"]
            self.doc = str(event["doc"])
            self.written = bool(event.get("written", True))
            self.shares = bool(event.get("shares", False))
        if recorded := event.get("recorded"):
            named = (*self.requirements, *map(str, recorded))
            self.requirements = tuple(dict.fromkeys(named))
        self.output = str(event.get("output", "")) or self.output
        bad = outcome == "failed"
        if self.outcome in ("failed", "error") or (subtest and not bad):
            return
        if bad:
            self.outcome = "failed" if event["when"] == "call" else "error"
            self.failure = _failure(event["failure"])
        elif self.outcome is None or outcome != "passed":
            self.outcome = outcome
            self.reason = str(event.get("reason", ""))

    def result(self, node: str, outcome: Outcome) -> TestResult:
        told = {name: getattr(self, name) for name in _OF_RESULT}
        return TestResult(node, outcome, **told)


_OF_RESULT = [one.name for one in fields(_Test) if one.name != "outcome"]


@dataclass
class SessionEvents:
    """State of a session, folded from its events so far."""

    started: bool = False
    root: str = ""
    """pytest's rootdir."""
    collected: tuple[str, ...] = ()
    broken: dict[str, Failure] = field(default_factory=dict)
    tests: dict[str, _Test] = field(default_factory=dict)
    running: str | None = None
    suspect: str | None = None
    status: int | None = None
    said: str = ""
    """Text of an internal error."""
    interrupted: str | None = None
    """Text of a KeyboardInterrupt or of `pytest.exit`."""
    deselected: dict[str, None] = field(default_factory=dict)
    named: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Test -> what it names, as it was collected."""
    forged: int = 0
    """Lines of the record that its recorder did not write."""

    def take(self, event: Mapping[str, Any]) -> None:
        """Adds an event; invalid ones are counted and skipped."""
        try:
            self._add(event)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            self.doubt()

    def doubt(self) -> None:
        """Counts a forged event and suspects the test that is running."""
        self.forged += 1
        self.suspect = self.suspect or self.running

    def _add(self, event: Mapping[str, Any]) -> None:
        match event["event"]:
            case "start":
                self.started, self.root = True, str(event["root"])
            case "collected":
                self.collected = (*self.collected, *map(str, event["nodes"]))
            case "broken":
                self.broken[str(event["file"])] = _failure(event["failure"])
                self._name(event)
            case "deselected":
                self.deselected.update(dict.fromkeys(map(str, event["nodes"])))
                self._name(event)
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

    def _name(self, event: Mapping[str, Any]) -> None:
        for node, ids in event.get("named", {}).items():
            self.named[str(node)] = tuple(map(str, ids))

    def _add_phase(self, event: Mapping[str, Any]) -> None:
        node = str(event["node"])
        if event["outcome"] == "rerun":
            before = self.tests.pop(node, _Test())
            self.tests[node] = _Test(reruns=before.reruns + 1)
            return
        if event["outcome"] not in REPORTED:
            raise ValueError(event["outcome"])
        self.tests.setdefault(node, _Test()).add(event)

    def results(self) -> dict[str, TestResult]:
        """Returns the tests that ended, as they were collected, however xdist dealt them out; the
        one that was running only if it had failed already."""
        place = {node: number for number, node in enumerate(self.collected)}
        ended = sorted(self.tests.items(), key=lambda row: place.get(row[0], len(place)))
        return {
            node: test.result(node, test.outcome)
            for node, test in ended
            if test.outcome and (node != self.running or test.outcome in ("failed", "error"))
        }

    def not_run(self, results: Mapping[str, TestResult]) -> dict[str, TestResult]:
        """Returns tests that were deselected, or were to run and did not begin or end."""
        deselected = self.deselected.keys() - set(self.collected)
        beside: dict[str, dict[str, None]] = {}
        for result in results.values():
            beside.setdefault(result.function, {}).update(dict.fromkeys(result.requirements))
        rows = [(node, CUT_SHORT) for node in self.collected if node not in results]
        rows += [(node, DESELECTED) for node in self.deselected if node in deselected]
        return {
            node: TestResult(
                node,
                "not-run",
                0.0,
                reason=reason,
                requirements=self.named.get(node, tuple(beside.get(node.partition("[")[0], ()))),
            )
            for node, reason in rows
        }


def _failure(row: Mapping[str, Any]) -> Failure:
    texts = {name: str(row[name]) for name in ("phase", "type", "message", "file", "traceback")}
    frames = tuple((str(file), int(line), str(name)) for file, line, name in row["frames"])
    return Failure(**texts, line=int(row["line"]), frames=frames)


def as_run(session: SessionEvents, child: Child) -> Run:
    """Returns the `Run` of `session`, with the ending of the process `child` that held it."""
    ending, detail = _ending(session, child)
    results = session.results()
    return Run(
        ending,
        results,
        session.collected,
        session.broken,
        session.suspect or session.running,
        detail,
        child.seconds,
        child.output,
        not_run=session.not_run(results),
    )


def _ending(session: SessionEvents, child: Child) -> tuple[Ending, str]:
    """Returns the ending and its detail; what stopped the process comes before what pytest says."""
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
        return "collection-errors", f"{count(len(session.broken), 'file')} could not be collected"
    if session.status is None and session.started:
        return "crashed", f"exit status {child.status}, {_where(session)}"
    if session.status is None:
        return "refused", _tail(child.output) or f"exit status {child.status}, no session"
    if session.status != child.status:
        return "crashed", f"exit status {child.status}, {_where(session)}"
    return _ending_of_session(session, child)


def _ending_of_session(session: SessionEvents, child: Child) -> tuple[Ending, str]:
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


def _where(session: SessionEvents) -> str:
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
    """Its last lines; of a traceback only what was raised."""
    lines = output.strip().splitlines()
    if any(line.startswith("Traceback (most recent call last)") for line in lines):
        frames = [n for n, line in enumerate(lines) if line.startswith("  ")]
        lines = lines[max(frames, default=-1) + 1 :] or lines
    return "\n".join(lines[-TAIL:])


def missing(run: Run) -> Iterator[str]:
    """Yields which of its tests did not run, each reason as a clause."""
    if left := left_out(run, CUT_SHORT):
        yield f"the session was cut short, {count(left, 'test')} did not run"
    if left := left_out(run, DESELECTED):
        yield f"{count(left, 'test')} of this suite {'was' if left == 1 else 'were'} deselected"
    others = len(run.not_run) - left_out(run, CUT_SHORT) - left_out(run, DESELECTED)
    if others:
        yield f"{count(others, 'linked test')} {'was' if others == 1 else 'were'} not collected"


def left_out(run: Run, why: str) -> int:
    """Returns how many tests did not run for this reason."""
    return sum(row.reason == why for row in run.not_run.values())
