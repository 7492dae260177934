"""Facts that a report shows, as plain values: the input of every format.

`None` in place of a number means that it was not measured. Node ids have no parameters and are
relative to the project root; paths are POSIX paths relative to the project root.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pytest_lift.report.mutant_facts import MutationFacts
from pytest_lift.requirements.doubtful import DoubtfulRequirement
from pytest_lift.run.result import Outcome
from pytest_lift.source.unreachable.reachability import Reach
from pytest_lift.text.printable import Identifier
from pytest_lift.trace.covering import Cover, Shown
from pytest_lift.trace.statuses import EXEMPT, NO_CASES, Cases, Grade, Status

Standing = Literal["linked", "emergent", "unlinked", "unknown-id"]
"""Link of a test to requirements: it names a known id (``linked``), it is marked as stated by no
requirement (``emergent``), it names nothing (``unlinked``), or it names only ids that no
requirement file has (``unknown-id``)."""

Tone = Literal["good", "attention", "bad"]


@dataclass(frozen=True)
class Evidence:
    """Measured facts about one link: which of the symbols named by the requirement the test
    executes."""

    named: tuple[str, ...] = ()
    """Functions and classes of the program that the requirement's text names."""
    executed: tuple[str, ...] | None = None
    """Named symbols that the test entered; None if no contexts were recorded."""


@dataclass(frozen=True)
class LinkFacts:
    """Link from one test to one requirement that it names."""

    test: Identifier
    """Node id: see `Report.tests`."""
    outcome: Outcome
    grade: Grade
    """Grade of the link, independent of the outcome: what the test shows if it passes."""
    basis: str
    """Reason for the grade: see `trace.Link.basis`."""
    sentence: str = ""
    """Words of the requirement that an evaluator quoted for the grade."""
    evidence: Evidence = Evidence()
    """Measured facts; they are independent of the grade."""
    covers: tuple[Cover, ...] = ()
    """Points of the requirement that the test is known to show."""
    doubt: str = ""
    """Measured facts that speak against a ``doubted`` link."""
    cases: Cases = NO_CASES
    """Cases of the test that name the requirement."""


@dataclass(frozen=True)
class Difference:
    """Difference between the program and a requirement; a person decides which one is wrong."""

    call: str
    expected: str
    """Result that the requirement states."""
    actual: str
    """Result that the program gives."""
    sentence: str = ""
    """Sentence that the expectation was derived from; empty for an example."""
    suspect: str = ""
    """Side that seems to be wrong: ``program``, ``requirement`` or ``unclear``; empty if there
    is no ruling."""
    why: str = ""
    setup: str = ""
    broken: bool = False
    """Whether the example cannot run at all, so that its author has to fix it."""


@dataclass(frozen=True)
class StatusEvent:
    """Change of a requirement's status in an iteration."""

    iteration: int
    status: Status


@dataclass(frozen=True)
class RequirementFacts:
    """Requirement with its status, its links and its differences from the program."""

    id: Identifier
    title: str
    description: str
    acceptance: tuple[str, ...]
    status: Status
    scope: tuple[str, ...] = ()
    """Enclosing sections, the outermost first."""
    file: str = ""
    line: int = 0
    level: str | None = None
    """Level that the author states: ``unit``, ``integration`` or ``system``."""
    tags: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    scenario: str | None = None
    reason: str | None = None
    """Reason why no test is expected (waived, untestable, non-goal)."""
    waived_on: str | None = None
    """ISO date."""
    waived_until: str | None = None
    links: tuple[LinkFacts, ...] = ()
    differences: tuple[Difference, ...] = ()
    points: tuple[Shown, ...] = ()
    """Acceptance sentences and examples as a checklist; empty in reports of versions that had no
    checklist."""
    history: tuple[StatusEvent, ...] = ()
    """Changes of the status, the oldest first; the first one is the status in the suite as
    found. Empty if there were no iterations."""

    @property
    def covered(self) -> int:
        return sum(point.covered for point in self.points)


@dataclass(frozen=True)
class TestFacts:
    """Test function; the cases of a parametrized test are one test."""

    __test__ = False

    node: Identifier
    outcome: Outcome
    """Outcome of all cases together: see `statuses.outcome_of`."""
    standing: Standing
    requirements: tuple[Identifier, ...] = ()
    """Ids that the test names, known or not."""
    emergent: str | None = None
    """Reason why no requirement states its behaviour."""
    rows: int = 1
    seconds: float = 0.0
    """Seconds of all cases together."""
    generated: bool = False
    """Whether the tool wrote it and it is unchanged since."""
    doc: str = ""
    """Docstring of the test."""
    line: int = 0
    """First line; 0 if the source is not known (inherited tests, doctests)."""
    source: str = ""
    failure: str = ""
    """Exception and message of the first failing case."""
    reason: str = ""
    """Reason why it was skipped, not run, or expected to fail."""
    cases: Cases = NO_CASES
    kills: int | None = None
    """Number of mutants that it is known to kill, at least; None if no killers are known."""


@dataclass(frozen=True)
class Gap:
    """Code of one symbol that no test executes."""

    symbol: str
    """Name qualified within the file; empty for module level."""
    line: int
    lines: tuple[int, ...]
    """Lines that are not executed."""
    branches: tuple[tuple[int, int], ...]
    """(from line, to line) of branches that are not taken; a negative second number leaves the
    function."""
    reach: Reach
    """Whether a test can execute the code: ``testable``, or the reason why not."""
    what: str


@dataclass(frozen=True)
class GapFile:
    """Source file with code that no test executes."""

    path: Identifier
    statements: int
    covered_statements: int
    branches: int
    covered_branches: int
    gaps: tuple[Gap, ...]
    source: str = ""
    """Source of the whole file; empty if the report was capped (`Report.capped`)."""


@dataclass(frozen=True)
class IterationFacts:
    """Iteration of a lift; number 0 is the suite as found."""

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
    """Tests that were not in the accepted suite before. `added`, `changed` and `removed` are
    empty if the iteration was not accepted."""
    changed: tuple[Identifier, ...] = ()
    removed: tuple[Identifier, ...] = ()
    gained: tuple[Identifier, ...] = ()
    """Requirements that became verified."""
    lost: tuple[Identifier, ...] = ()


@dataclass(frozen=True)
class RoleCost:
    """Usage and cost of all model calls of one role."""

    role: str
    calls: int
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    seconds: float
    cost: float
    """Cost in the currency of the configured prices; 0 if there are none."""


@dataclass(frozen=True)
class Verdict:
    """Verdict on the suite in one sentence, and the next steps."""

    tone: Tone
    headline: str
    next_steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """Report on a suite, its requirements and the iterations that led to it."""

    project: str
    made: str
    """Time as ISO 8601 with offset."""
    tool: str
    """Name and version, such as ``pytest-lift 0.1.0``."""
    verdict: Verdict
    requirements: tuple[RequirementFacts, ...] = ()
    tests: tuple[TestFacts, ...] = ()
    unknown: tuple[tuple[Identifier, tuple[Identifier, ...]], ...] = ()
    """(id that no requirement file has, tests that name it)."""
    run: str = ""
    """Id of the lift's run; empty for a session without a lift."""
    ending: str = ""
    """Ending of the lift: ``final``, ``threshold``, ``plateau``, ...; empty for a session."""
    agents: str = ""
    jail: str = ""
    scope: str = ""
    """Part of the program that was lifted, and to which every figure refers; empty if it is the
    whole program."""
    seconds: float = 0.0
    line_percent: float | None = None
    branch_percent: float | None = None
    mutation_percent: float | None = None
    mutation: MutationFacts | None = None
    """None if mutants were not measured."""
    gap_files: tuple[GapFile, ...] | None = None
    """None if coverage was not measured."""
    doubts: tuple[DoubtfulRequirement, ...] = ()
    """Requirements that contradict themselves or each other, as agents see them."""
    left_out: tuple[str, ...] = ()
    """What agents left untested on purpose, with place and reason, and did not settle later."""
    iterations: tuple[IterationFacts, ...] = ()
    costs: tuple[RoleCost, ...] = ()
    warnings: tuple[str, ...] = ()
    capped: tuple[str, ...] = ()
    """Parts that were left out because the report would be too large, in words."""

    @property
    def sentences(self) -> tuple[Shown, ...]:
        """Acceptance sentences and examples of all requirements that are not exempt."""
        asked = (item for item in self.requirements if item.status not in EXEMPT)
        return tuple(point for item in asked for point in item.points)
