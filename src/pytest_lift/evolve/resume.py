"""State of a lift as stored after each iteration, read again to continue it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pytest_lift.agents.contract import Mode
from pytest_lift.errors import UsageError
from pytest_lift.evolve.iteration import Iteration
from pytest_lift.files.codec import decode, decode_each, encode, stored_as
from pytest_lift.findings.feedback import FILES, Feedback, read_feedback
from pytest_lift.findings.finding import Finding
from pytest_lift.requirements.doubtful import DoubtfulRequirement
from pytest_lift.requirements.requirement import Expectation, Requirements, read_expectations
from pytest_lift.scope.scope import Scope
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import to_bytes
from pytest_lift.store.archive import HistoryRun
from pytest_lift.store.history import History
from pytest_lift.store.journal import content_hash
from pytest_lift.store.landing import landed_hashes
from pytest_lift.suite.collection import DEFAULT_NAMING, Naming
from pytest_lift.suite.suite import Suite, suite_of
from pytest_lift.text.wording import some
from pytest_lift.trace.covering import LinkGrade

VERSION = 1
MOST_NAMED = 3
"""Files named when the user changed them."""

_ELSEWHERE = stored_as(None)
_START_ANEW = "leave --lift-resume out to start anew from the tests as they are"


@dataclass(frozen=True)
class Standing:
    """State that the next iteration depends on, besides the suite and its measurements."""

    accepted: Suite = field(metadata=_ELSEWHERE)
    working: Suite = field(metadata=_ELSEWHERE)
    """Starting point of the next generator; differs from `accepted` while the mode is ``correct``.
    """
    mode: Mode
    on_disk: Mapping[str, str]
    """`hashes` of the user's test files as they were last read or landed."""
    program: str
    requirements: str
    seed: int = 0
    corrections: int = 0
    known_failures: frozenset[str] = field(default=frozenset(), metadata=stored_as("excused"))
    findings: tuple[Finding, ...] = ()
    """Findings that cannot be computed from the accepted suite: refusals, or the candidate's."""
    feedback: Feedback | None = field(default=None, metadata=_ELSEWHERE)
    expectations: tuple[Expectation, ...] = field(default=(), metadata=_ELSEWHERE)
    """Expectations that the requirement texts state; a file of their own in the archive."""
    link_grades: tuple[LinkGrade, ...] = field(default=(), metadata=stored_as("judged"))
    """Latest grade of each link that an evaluator graded."""
    doubts: tuple[DoubtfulRequirement, ...] = ()
    left_out: tuple[str, ...] = ()
    """Notes on what was left untested on purpose."""
    scope: Scope | None = None

    def as_json(self) -> dict[str, object]:
        """For `HistoryRun.archive`; suites and feedback are stored as files of their own."""
        return {"version": VERSION, **encode(self)}

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
        """Returns what changed since the run, apart from what the run itself landed."""
        before, ours = self.standing.on_disk, landed_hashes(self.run.root, self.run.id)
        changed = [p for p in sorted({*now, *before}) if now.get(p) != before.get(p)]
        theirs = [path for path in changed if now.get(path) not in ours.get(path, ())]
        if not theirs:
            return f"what iteration {self.after + 1} had landed when it was cut short"
        return f"your changes to {some(theirs, MOST_NAMED)}"


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
    except (OSError, ValueError) as error:
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
    if data.get("version") != VERSION:
        raise ValueError(f"version {data.get('version')}, this one knows {VERSION}")
    return decode(
        Standing,
        data,
        accepted=_suite(run, number, "accepted", naming),
        working=_suite(run, number, "working", naming),
        feedback=_feedback(run, number),
        expectations=read_expectations(run.expectations_at(number)),
        link_grades=decode_each(LinkGrade, data.get("judged")),
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
    found = decode(Iteration, data)
    if found.number != number:
        raise ValueError(f"iteration {number} does not say what it is")
    return replace(found, exhausted="")  # the budget may be another now
