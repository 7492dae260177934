"""What each agent gets (`Brief`) and gives (`Edit`, `Feedback`), and the roles of the loop."""

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
from pytest_lift.oracles.discrepancies import Discrepancy, Tried, repeated
from pytest_lift.oracles.entering import EnteredFunctions
from pytest_lift.requirements.doubtful import DoubtfulRequirement
from pytest_lift.requirements.requirement import Expectation, Requirements
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
    """All artefacts that an agent may know."""

    mode: Mode
    iteration: int
    copy: Path
    """Root of the private copy of the project; children run there."""
    jail: Jail
    """Sandbox of all child processes: no code of the program or the suite runs outside."""
    program: Program
    requirements: Requirements
    suite: Suite
    """The suite in the private copy, which may be a failing candidate."""
    scope: Scope | None = None
    """The part of the program to which the lift is limited, or None. Findings and requirements
    are restricted to it; program, suite and coverage are complete."""
    findings: tuple[Finding, ...] = ()
    feedback: Feedback | None = None
    """The latest feedback only: ``fixes.md`` after a failing run, ``evaluation.md`` after a
    passing one."""
    run: Run | None = None
    coverage: Coverage | None = None
    mutation: Mutation | None = None
    """Results of the program's mutants with the suite `accepted`, if they were measured."""
    mutated: Path | None = None
    """The folder in which mutmut keeps the program with all its mutants; children may read it."""
    trace: Trace | None = None
    expectations: tuple[Expectation, ...] = ()
    tried: Mapping[str, Tried] = field(default_factory=dict)
    """`Expectation.key` -> result of trying it on the program."""
    entered: Callable[[], EnteredFunctions] = EnteredFunctions
    """Returns which functions examples and expectations enter. They are run for it at the first
    call."""
    left_out: tuple[str, ...] = ()
    """Notes of earlier generators on what they left untested on purpose."""
    doubts: tuple[DoubtfulRequirement, ...] = ()
    """Requirements that contradict themselves or each other, as reported so far."""
    accepted: Suite | None = None
    """The accepted suite, whose tests must be preserved; it differs from `suite` only while a
    failing candidate is corrected."""
    try_tests: TryTests | None = None
    """Runs some tests of a suite now (paths or node ids) in the jail; one run at a time."""
    try_expectations: TryExpectations | None = None
    learn: Callable[[Mapping[str, int]], None] = lambda same: None
    """Receives, after calls were tried on mutants, mutant key -> number of calls that did not
    reveal it."""
    remembered: Sequence[str] = ()
    """Lines of JSON that an earlier search left, by this generator or by whoever wrote to
    ``.lift/``."""
    remember: Callable[[Sequence[str]], None] = lambda lines: None
    """Receives the lines for the next search, in place of all that there were."""
    seed: int = 0
    deadline: float | None = None
    """`time.monotonic()` at which the phase must have ended, or None."""

    @property
    def contradictions(self) -> tuple[Discrepancy, ...]:
        """Known differences between the program and the requirements; examples that cannot run
        are none."""
        traced = self.trace.requirements if self.trace is not None else ()
        return tuple(said for item in traced for said in item.contradictions if not said.broken)

    @property
    def unpinnable(self) -> tuple[Discrepancy, ...]:
        """These, and those of the same causes: no test may assert what the program does there."""
        return (*self.contradictions, *repeated(self.expectations, self.tried))

    def asks(self, *, reads_feedback: bool) -> tuple[object, ...]:
        """Returns everything that a generator's answer depends on, except numbers and time: if it
        is equal to that of an earlier brief, asking again is pointless.

        Feedback counts only if the generator `reads_feedback`, or if a failing candidate is
        corrected.
        """
        correcting = self.mode == "correct"
        told = (
            self.feedback.body if self.feedback else "",
            [(f.kind, f.what, f.todo) for f in self.findings if f.kind != "left-out"],
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
    """Usage of a family of agents, its budget, and the recording of its calls."""

    take: Callable[[], Mapping[str, Usage]]
    """Returns the usage of each role since the last call."""
    exhausted: Callable[[], str]
    """Returns the name of the budget that is used up; empty while there is some left."""
    unasked: Callable[[], tuple[str, ...]]
    """Returns the questions that could not be asked since the last call, with the reasons."""
    keep: Callable[[Path], None]
    """Is called once, with the folder in which calls are recorded."""
    before: Callable[[Usage], None]
    """Is called with the usage of the earlier parts of a resumed run."""


@dataclass(frozen=True)
class Agents:
    """Family of agents: offline, with a model, or from another package."""

    name: str
    generator: Callable[[Brief], Edit]
    debugger: Callable[[Brief], Feedback]
    evaluator: Callable[[Brief], Feedback]
    expect: Callable[[Brief], tuple[Expectation | DoubtfulRequirement, ...]] | None = None
    """Derives expectations before a generator runs; returns all expectations, new and revised
    ones included, and requirements of which it doubts that anything can hold."""
    rule: Callable[[Brief], tuple[Expectation, ...]] | None = None
    """Rules on the differences that a generator observed; returns all expectations with these
    rulings."""
    ledger: UsageLedger | None = None
    told: tuple[str, ...] = ()
    """Lines for the header of a lift: the model in use, and its properties."""
    reads_feedback: bool = True
    """Whether the generator uses feedback and findings even if no test fails."""
    forecast: Callable[[Brief], Sequence[str]] | None = None
    """Returns a description in lines of the requests that would be sent, without sending any."""
    get_ready: Callable[[], None] | None = None
    """Loads what the others begin with; called in a thread, while plain pytest is waited for."""
