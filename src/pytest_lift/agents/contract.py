"""The roles of the loop and what each is handed: stateless, one `Brief` per phase."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.findings.feedback import Feedback
from pytest_lift.findings.finding import Finding
from pytest_lift.llm.values import Usage
from pytest_lift.mutation.mutation import Mutation
from pytest_lift.oracles.discrepancies import Tried
from pytest_lift.requirements.expectation import Expectation
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.run.result import Run
from pytest_lift.sandbox.jail import Jail
from pytest_lift.scope.scope import Scope
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Edit, Suite
from pytest_lift.trace.trace import Trace

Mode = Literal["initial", "correct", "refine"]
TryTests = Callable[[Suite, Sequence[str]], tuple[Run, Coverage | None]]
TryExpectations = Callable[[Sequence[Expectation]], Mapping[str, Tried]]


@dataclass(frozen=True)
class Brief:
    """Everything an agent may know: the artefacts in the workspace and nothing else."""

    mode: Mode
    iteration: int
    copy: Path
    """Root of the private copy of the project; children run there."""
    jail: Jail
    """Where children run: nothing of the program or the suite runs outside."""
    program: Program
    requirements: Requirements
    suite: Suite
    """The suite as it stands in the copy, a failing candidate included."""
    scope: Scope | None = None
    """What the lift is about, where that is not all of the program. The findings and requirements
    are of it alone; program, suite and coverage are whole."""
    findings: tuple[Finding, ...] = ()
    feedback: Feedback | None = None
    """The latest only: ``fixes.md`` after a failing run, ``evaluation.md`` after a passing one."""
    run: Run | None = None
    coverage: Coverage | None = None
    mutation: Mutation | None = None
    """What became of the mutants of the program under `accepted`, where that was measured."""
    mutated: Path | None = None
    """The folder in which mutmut keeps the program with all its mutants; children may read it."""
    trace: Trace | None = None
    expectations: tuple[Expectation, ...] = ()
    tried: Mapping[str, Tried] = field(default_factory=dict)
    """`Expectation.key` -> what the program did."""
    accepted: Suite | None = None
    """What may not get lost; the same as `suite` but while a failing candidate is corrected."""
    try_tests: TryTests | None = None
    """Run some tests of a suite now, in the jail (paths or node ids); one run at a time."""
    try_expectations: TryExpectations | None = None
    learn: Callable[[Mapping[str, int]], None] = lambda same: None
    """Told by whoever tries calls on mutants: key -> how many of them did not show it."""
    seed: int = 0
    deadline: float | None = None
    """`time.monotonic()` at which the phase must have ended, or None."""

    def asks(self, *, reads_feedback: bool) -> tuple[object, ...]:
        """What a generator goes by, apart from numbers and the time: where it is the same as
        before, so is the question. One that only reads feedback to correct what fails is not
        asked anything new by other feedback."""
        correcting = self.mode == "correct"
        told = (
            self.feedback.body if self.feedback else "",
            [(finding.kind, finding.what, finding.todo) for finding in self.findings],
        )
        return (
            correcting,
            self.suite.texts(),
            self.accepted.texts() if self.accepted else {},
            {path: file.text for path, file in self.program.files.items()},
            self.expectations,
            dict(self.mutation.verdicts) if self.mutation else {},
            told if reads_feedback or correcting else (),
        )


@dataclass(frozen=True)
class UsageLedger:
    """What a family of agents spends, and where its calls are kept."""

    take: Callable[[], Mapping[str, Usage]]
    """What each role has spent since the last time."""
    exhausted: Callable[[], str]
    """Which budget is used up, in words; empty while there is some left."""
    unasked: Callable[[], tuple[str, ...]]
    """What was to be asked since the last time and could not be, with the reasons."""
    keep: Callable[[Path], None]
    """Told once where calls are to be recorded."""
    before: Callable[[Usage], None]
    """Told what the earlier parts of a run that is resumed have spent."""


@dataclass(frozen=True)
class Agents:
    """One family of agents: the offline one, a model's, a stranger's."""

    name: str
    generator: Callable[[Brief], Edit]
    debugger: Callable[[Brief], Feedback]
    evaluator: Callable[[Brief], Feedback]
    expect: Callable[[Brief], tuple[Expectation, ...]] | None = None
    """Before a generator: all expectations, with what was added and ruled on now."""
    rule: Callable[[Brief], tuple[Expectation, ...]] | None = None
    """After a generator that saw differences: all expectations, with rulings on those."""
    ledger: UsageLedger | None = None
    told: tuple[str, ...] = ()
    """Lines for the beginning of a lift: who is asked, and what is known of it."""
    reads_feedback: bool = True
    """Whether the generator goes by feedback and findings even where nothing fails."""
    forecast: Callable[[Brief], Sequence[str]] | None = None
    """What would be sent, in lines, with nothing sent."""
