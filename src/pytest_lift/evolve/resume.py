"""State of a lift as stored after each iteration, read again to continue it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, cast, get_args

from pytest_lift.agents.contract import Mode
from pytest_lift.errors import UsageError
from pytest_lift.evolve.iteration import Changes, Iteration
from pytest_lift.expectations.files import read_expectations
from pytest_lift.findings.feedback import FILES, Feedback, read_feedback
from pytest_lift.findings.finding import Finding, Kind
from pytest_lift.llm.values import Usage
from pytest_lift.measure.measurement import Figures
from pytest_lift.requirements.expectation import Expectation
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.scope.scope import Scope, read_scope
from pytest_lift.source.program import Program
from pytest_lift.source.reachability import Reach
from pytest_lift.store.archive import HistoryRun
from pytest_lift.store.history import History
from pytest_lift.store.journal import content_hash
from pytest_lift.store.landing import landed_hashes
from pytest_lift.suite.suite import DEFAULT_NAMING, Naming, Suite, suite_of, to_bytes
from pytest_lift.trace.covering import LinkGrade, read_link_grades
from pytest_lift.trace.statuses import Status

VERSION = 1
MOST_NAMED = 3
"""Files named when the user changed them."""

_START_ANEW = "leave out --lift-resume to start a new run from the present tests"


@dataclass(frozen=True)
class Standing:
    """State that the next iteration depends on, besides the suite and its measurements."""

    accepted: Suite
    working: Suite
    """Starting point of the next generator; differs from `accepted` while the mode is ``correct``.
    """
    mode: Mode
    on_disk: Mapping[str, str]
    """`hashes` of the user's test files as they were last read or landed."""
    program: str
    requirements: str
    seed: int = 0
    corrections: int = 0
    known_failures: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()
    """Findings that cannot be computed from the accepted suite: refusals, or the candidate's."""
    feedback: Feedback | None = None
    expectations: tuple[Expectation, ...] = ()
    """Expectations that the requirement texts state; a file of their own in the archive."""
    link_grades: tuple[LinkGrade, ...] = ()
    """Latest grade of each link that an evaluator graded."""
    scope: Scope | None = None

    def as_json(self) -> dict[str, object]:
        """Returns JSON for `HistoryRun.archive`; suites and feedback are stored as files of their
        own."""
        return {
            "version": VERSION,
            "mode": self.mode,
            "on_disk": dict(self.on_disk),
            "program": self.program,
            "requirements": self.requirements,
            "seed": self.seed,
            "corrections": self.corrections,
            "excused": sorted(self.known_failures),
            "findings": [asdict(finding) for finding in self.findings],
            "judged": [one.as_json() for one in self.link_grades],
            "scope": self.scope.as_json() if self.scope else None,
        }

    def besides(self, tried: Suite) -> dict[str, Suite]:
        """Returns the suites that have to be stored beside the one that was `tried`."""
        named = {"accepted": self.accepted, "working": self.working}
        return {name: suite for name, suite in named.items() if suite.files != tried.files}


@dataclass(frozen=True)
class Resumed:
    """A run that goes on."""

    run: HistoryRun
    iterations: tuple[Iteration, ...]
    standing: Standing

    @property
    def after(self) -> int:
        """The last complete iteration."""
        return self.iterations[-1].number

    @property
    def elapsed(self) -> float:
        """Seconds that the run has taken so far."""
        return self.iterations[-1].elapsed

    def begin(
        self, found: Suite, program: Program, requirements: Requirements, *, landing: bool
    ) -> Beginning:
        """Returns the suite to begin with; `found` is the suite in the test root now.

        A suite that was accepted for a patch does not land once it would have to be judged anew.
        """
        now, standing = hashes(found), self.standing
        changes = []
        if now != standing.on_disk:
            changes.append(self._what_changed(now))
        if program_fingerprint(program) != standing.program:
            changes.append("the program changed since")
        if requirements_fingerprint(requirements) != standing.requirements:
            changes.append("the requirements changed since")
        as_found = now != standing.on_disk or now == hashes(standing.accepted)
        suite = found if as_found or (landing and changes) else standing.accepted
        return Beginning(suite, "; ".join(changes))

    def _what_changed(self, now: Mapping[str, str]) -> str:
        """Returns what changed since the run; what the run itself wrote belongs to the iteration
        that was cut short."""
        before, ours = self.standing.on_disk, landed_hashes(self.run.root, self.run.id)
        changed = [p for p in sorted({*now, *before}) if now.get(p) != before.get(p)]
        theirs = [path for path in changed if now.get(path) not in ours.get(path, ())]
        if not theirs:
            return f"what iteration {self.after + 1} had landed when it was cut short"
        more = len(theirs) - MOST_NAMED
        named = ", ".join(theirs[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        return f"your changes to {named}"


@dataclass(frozen=True)
class Beginning:
    """The suite that a resumed lift begins with."""

    suite: Suite
    changed: str = ""
    """Reason why it must be evaluated again; empty if nothing changed."""


def hashes(suite: Suite) -> dict[str, str]:
    """Returns path -> hash of the test files, whoever owns what in them."""
    return {path: content_hash(to_bytes(file.text)) for path, file in suite.files.items()}


def program_fingerprint(program: Program) -> str:
    return _digest((path, file.text) for path, file in sorted(program.files.items()))


def requirements_fingerprint(requirements: Requirements) -> str:
    """Returns the digest of the requirements' texts, wherever these stand."""
    return _digest((item.id, f"{item.text}\n{item.exempt}") for item in requirements)


def _digest(rows: Iterable[tuple[str, str]]) -> str:
    found = hashlib.sha256()
    for name, text in rows:
        found.update(to_bytes(f"{name}\0{len(text)}\0{text}\0"))
    return found.hexdigest()


def newest_run(history: History) -> HistoryRun:
    """Returns the run that ``--lift-resume`` speaks of. Raises UsageError when there is none."""
    runs = history.runs()
    if not runs:
        raise UsageError(
            "there is no run to resume",
            where=str(history.root / "history"),
            todo=_START_ANEW,
        )
    return HistoryRun(history.root, runs[-1])


def resumed(history: History, test_root: str, naming: Naming = DEFAULT_NAMING) -> Resumed | None:
    """Returns the newest run as far as it got; None when no iteration of it is complete.

    Raises UsageError when there is no run, when it was about another test root, or when it was
    stored by a version that did not store enough.
    """
    run = newest_run(history)
    complete = _complete(run)
    if not complete:
        return None
    if run.test_root(complete[-1]) != test_root:
        raise UsageError(
            f"run {run.id} is about {run.test_root(complete[-1])}, not {test_root}",
            where="--lift-tests",
            todo=f"name the same folder, or {_START_ANEW}",
        )
    try:
        iterations = tuple(_iteration(run.figures_at(number), number) for number in complete)
        return Resumed(run, iterations, _standing(run, complete[-1], naming))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise UsageError(
            f"run {run.id} was stored by another version, or is damaged ({error})",
            where=str(run.folder),
            todo=_START_ANEW,
        ) from error


def _complete(run: HistoryRun) -> tuple[int, ...]:
    """Returns the iterations from 0 without a gap."""
    there = run.iterations()
    return tuple(number for place, number in enumerate(there) if place == number)


def _standing(run: HistoryRun, number: int, naming: Naming) -> Standing:
    data = run.standing_at(number)
    if data["version"] != VERSION:
        raise ValueError(f"version {data['version']}, this one knows {VERSION}")
    if data["mode"] not in get_args(Mode):
        raise ValueError(f"mode {data['mode']!r}")
    return Standing(
        accepted=_suite(run, number, "accepted", naming),
        working=_suite(run, number, "working", naming),
        mode=cast("Mode", data["mode"]),
        on_disk={str(path): str(found) for path, found in data["on_disk"].items()},
        program=str(data["program"]),
        requirements=str(data["requirements"]),
        seed=_whole(data["seed"]),
        corrections=_whole(data["corrections"]),
        known_failures=frozenset(map(str, data["excused"])),
        findings=tuple(_finding(row) for row in data["findings"]),
        feedback=_feedback(run, number),
        expectations=read_expectations(run.expectations_at(number)),
        link_grades=read_link_grades(data.get("judged")),
        scope=read_scope(data.get("scope")),
    )


def _suite(run: HistoryRun, number: int, name: str, naming: Naming) -> Suite:
    kept = name if run.has_suite(number, name) else "tests"
    return suite_of(run.test_root(number), run.suite_at(number, kept), naming)


def _feedback(run: HistoryRun, number: int) -> Feedback | None:
    stored = run.feedback_at(number)
    for role, name in FILES.items():
        if name in stored:
            return read_feedback(stored[name], role)
    return None


def _iteration(data: Mapping[str, Any], number: int) -> Iteration:
    """Returns an iteration from the output of `asdict`; unknown keys are an error."""
    figures = Figures(**{name: _figure(name, value) for name, value in data["figures"].items()})
    if data["number"] != number or type(data["accepted"]) is not bool:
        raise ValueError(f"iteration {number} does not say what it is")
    verdict = data["verdict"]
    if verdict not in (None, "FIX", "REWORK", "FINAL"):
        raise ValueError(f"verdict {verdict!r}")
    return Iteration(
        number,
        str(data["mode"]),
        figures,
        data["accepted"],
        str(data["why"]),
        verdict,
        {str(node): str(why) for node, why in data["dropped"].items()},
        {str(phase): float(_number(value)) for phase, value in data["seconds"].items()},
        {str(role): _usage(row) for role, row in data.get("usage", {}).items()},
        unasked=tuple(map(str, data.get("unasked", ()))),
        repeats=data.get("repeats") is True,
        changes=_changes(data.get("changes", {})),
        elapsed=float(_number(data["elapsed"])),
    )


def _changes(data: Mapping[str, Any]) -> Changes:
    added, changed, removed = (
        tuple(map(str, data.get(name, ()))) for name in ("added", "changed", "removed")
    )
    statuses = {str(name): status for name, status in data.get("statuses", {}).items()}
    if not set(statuses.values()) <= set(get_args(Status)):
        raise ValueError("statuses of requirements that are none")
    return Changes(added, changed, removed, statuses)


def _usage(row: Mapping[str, Any]) -> Usage:
    counts = ("calls", "prompt_tokens", "cached_tokens", "completion_tokens")
    seconds, cost = float(_number(row["seconds"])), float(_number(row["cost"]))
    calls, asked, cached, answered = (_whole(row[name]) for name in counts)
    return Usage(calls, asked, cached, answered, seconds, cost)


def _finding(row: Mapping[str, Any]) -> Finding:
    if row["kind"] not in get_args(Kind) or row["reach"] not in get_args(Reach):
        raise ValueError(f"finding {str(row['kind'])[:40]!r}")
    texts = ("what", "file", "symbol", "requirement", "evidence", "todo")
    return Finding(
        kind=row["kind"],
        line=_whole(row["line"]),
        tests=tuple(map(str, row["tests"])),
        gain=float(_number(row["gain"])),
        reach=row["reach"],
        **{name: str(row[name]) for name in texts},
    )


def _figure(name: str, value: object) -> Any:
    if name == "sampled" and type(value) is bool:
        return value
    return None if name == "mutation_percent" and value is None else _number(value)


def _number(value: object) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e15:
        raise ValueError(f"{str(value)[:40]!r} is not a number")
    return value


def _whole(value: object) -> int:
    return int(_number(value))
