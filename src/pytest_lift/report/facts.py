"""Everything that a report shows, as plain values: the input of every format.

`None` where a figure could be a number means that nobody measured it. Node ids are without
parameters and relative to the project root; paths are POSIX and relative to it, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pytest_lift.report.mutant_facts import MutationFacts
from pytest_lift.run.result import Outcome
from pytest_lift.source.reachability import Reach
from pytest_lift.text.secrets import Identifier
from pytest_lift.trace.covering import Cover, Shown
from pytest_lift.trace.statuses import EXEMPT, NO_CASES, Cases, Grade, Status

Standing = Literal["linked", "emergent", "unlinked", "unknown-id"]
"""What a test says of itself: a known id, that no requirement states its behaviour, nothing, or
only ids that no requirement file knows."""

Tone = Literal["good", "attention", "bad"]


@dataclass(frozen=True)
class Evidence:
    """What was measured of one link: does the test execute what the requirement names?"""

    named: tuple[str, ...] = ()
    """Names of functions and classes of the program in the requirement's text."""
    executed: tuple[str, ...] | None = None
    """Those of them that the test entered; None where no contexts were recorded."""


@dataclass(frozen=True)
class LinkFacts:
    """One test that names one requirement."""

    test: Identifier
    """Node id: see `Report.tests`."""
    outcome: Outcome
    grade: Grade
    """The judgement, whatever the outcome: what the test shows where it passes."""
    basis: str
    """Ground of the judgement: see `trace.Link.basis`."""
    sentence: str = ""
    """The words of the requirement that an evaluator quoted for it."""
    evidence: Evidence = Evidence()
    """Measured facts, apart from the judgement."""
    covers: tuple[Cover, ...] = ()
    """The points of the requirement that it is known to show."""
    doubt: str = ""
    """Measured facts that speak against a ``doubted`` link."""
    cases: Cases = NO_CASES
    """Cases of the test that name the requirement."""


@dataclass(frozen=True)
class Difference:
    """The requirement says one thing, the program does another: for a person to settle."""

    call: str
    expected: str
    """By the requirement."""
    actual: str
    """Behaviour of the program."""
    sentence: str = ""
    """What the expectation was taken from; empty for an example."""
    suspect: str = ""
    """``program``, ``requirement``, ``unclear``, or empty where nobody has judged."""
    why: str = ""
    setup: str = ""
    broken: bool = False
    """The example cannot run at all: its author has to mend it."""


@dataclass(frozen=True)
class StatusEvent:
    """A status that a requirement got in an iteration."""

    iteration: int
    status: Status


@dataclass(frozen=True)
class RequirementFacts:
    """One requirement with everything that speaks for or against it."""

    id: Identifier
    title: str
    description: str
    acceptance: tuple[str, ...]
    status: Status
    scope: tuple[str, ...] = ()
    """Outermost first."""
    file: str = ""
    line: int = 0
    level: str | None = None
    """As its author states it: ``unit``, ``integration`` or ``system``."""
    tags: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    scenario: str | None = None
    reason: str | None = None
    """Why no test is expected (waived, untestable, non-goal)."""
    waived_on: str | None = None
    """ISO date."""
    waived_until: str | None = None
    links: tuple[LinkFacts, ...] = ()
    differences: tuple[Difference, ...] = ()
    points: tuple[Shown, ...] = ()
    """Its acceptance sentences and examples as a checklist; empty in reports of before there was
    one."""
    history: tuple[StatusEvent, ...] = ()
    """Statuses that were different from those before, oldest first; the first is that of the suite
    as found. Empty where there were no iterations."""

    @property
    def covered(self) -> int:
        return sum(point.covered for point in self.points)


@dataclass(frozen=True)
class TestFacts:
    """One test function; rows of a table (parametrize) count once."""

    __test__ = False

    node: Identifier
    outcome: Outcome
    """Outcome of its rows together: see `statuses.outcome_of`."""
    standing: Standing
    requirements: tuple[Identifier, ...] = ()
    """Ids as it names them, known or not."""
    emergent: str | None = None
    """Why no requirement states its behaviour."""
    rows: int = 1
    seconds: float = 0.0
    """All rows together."""
    generated: bool = False
    """Written by the tool, and unchanged since."""
    doc: str = ""
    """Its docstring: what it intends."""
    line: int = 0
    """0 where its text is not known (inherited tests, doctests)."""
    source: str = ""
    failure: str = ""
    """Exception and message of the first failing row."""
    reason: str = ""
    """Why it was skipped, not run, or expected to fail."""
    cases: Cases = NO_CASES
    kills: int | None = None
    """Mutants that it is known to fail on, at least; None where no killer is known."""


@dataclass(frozen=True)
class Gap:
    """Code of one symbol that no test executes."""

    symbol: str
    """Qualified in its file; empty for module level."""
    line: int
    lines: tuple[int, ...]
    """Lines that are not executed."""
    branches: tuple[tuple[int, int], ...]
    """(from line, to line) not taken; a negative `to` leaves the function."""
    reach: Reach
    """Whether a test can get there: ``testable``, or what keeps it from that."""
    what: str


@dataclass(frozen=True)
class GapFile:
    """One source file with something that no test executes."""

    path: Identifier
    statements: int
    covered_statements: int
    branches: int
    covered_branches: int
    gaps: tuple[Gap, ...]
    source: str = ""
    """The whole text; empty where the report was capped (`Report.capped`)."""


@dataclass(frozen=True)
class IterationFacts:
    """One round of a lift; 0 is the suite as found."""

    number: int
    mode: str
    accepted: bool
    why: str
    tests: int
    passed: int
    line_percent: float
    branch_percent: float
    verified: int
    seconds: float
    """From the start of the lift to the end of the iteration."""
    mutation_percent: float | None = None
    tokens: int = 0
    cost: float = 0.0
    verdict: str | None = None
    added: tuple[Identifier, ...] = ()
    """Tests that were not in the accepted suite before; None of the three where not accepted."""
    changed: tuple[Identifier, ...] = ()
    removed: tuple[Identifier, ...] = ()
    gained: tuple[Identifier, ...] = ()
    """Requirements that became verified."""
    lost: tuple[Identifier, ...] = ()


@dataclass(frozen=True)
class RoleCost:
    """What the calls of one role have cost."""

    role: str
    calls: int
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    seconds: float
    cost: float
    """In the currency of the prices given; 0 where none are."""


@dataclass(frozen=True)
class Verdict:
    """The overview in one sentence, and what to do next."""

    tone: Tone
    headline: str
    next_steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """What is known of a suite, its requirements and how it came about."""

    project: str
    made: str
    """ISO 8601 with offset."""
    tool: str
    """``pytest-lift 0.1.0``"""
    verdict: Verdict
    requirements: tuple[RequirementFacts, ...] = ()
    tests: tuple[TestFacts, ...] = ()
    unknown: tuple[tuple[Identifier, tuple[Identifier, ...]], ...] = ()
    """(id that no requirement file knows, tests that name it)."""
    run: str = ""
    """Id of the lift's run; empty for a session without a lift."""
    ending: str = ""
    """Ending of the lift: ``final``, ``threshold``, ``plateau``, ...; empty for a session."""
    agents: str = ""
    jail: str = ""
    scope: str = ""
    """What the lift was about, and every figure is of; empty: all of the program."""
    seconds: float = 0.0
    line_percent: float | None = None
    branch_percent: float | None = None
    mutation_percent: float | None = None
    mutation: MutationFacts | None = None
    """None where mutants were not measured."""
    gap_files: tuple[GapFile, ...] | None = None
    """None where coverage was not measured."""
    iterations: tuple[IterationFacts, ...] = ()
    costs: tuple[RoleCost, ...] = ()
    warnings: tuple[str, ...] = ()
    capped: tuple[str, ...] = ()
    """Parts that were left out to keep it readable, in words."""

    @property
    def sentences(self) -> tuple[Shown, ...]:
        """Acceptance sentences and examples of all requirements that are to be tested."""
        asked = (item for item in self.requirements if item.status not in EXEMPT)
        return tuple(point for item in asked for point in item.points)
