"""A suite with all that was measured about it: its figures, why it does not pass, what it lost."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.expectations.printing import contradiction_tests
from pytest_lift.mutation.mutation import Mutation
from pytest_lift.requirements.doubtful import DoubtfulRequirement
from pytest_lift.requirements.requirement import Expectation
from pytest_lift.run.result import Run
from pytest_lift.scope.scope import Scope
from pytest_lift.sensitivity.measuring import Strength
from pytest_lift.source.worthless import WorthlessMutant
from pytest_lift.suite.suite import Suite, path_of
from pytest_lift.text.wording import count, some
from pytest_lift.trace.covering import LinkGrade
from pytest_lift.trace.statuses import BAD
from pytest_lift.trace.trace import Trace


@dataclass(frozen=True)
class Knowledge:
    """Expectations that requirement texts state, and evaluators' grades of links.

    Agents contribute to it; a measurement says which knowledge its trace was computed with.
    """

    expectations: tuple[Expectation, ...] = ()
    """One for each `Expectation.key`; none is ever removed by an agent."""
    link_grades: Mapping[tuple[str, str], LinkGrade] = field(default_factory=dict)
    """(test, requirement) -> the latest grade."""
    doubts: tuple[DoubtfulRequirement, ...] = ()
    """Requirements that contradict themselves or each other, as agents see them."""
    left_out: tuple[str, ...] = ()
    """Notes of generators on what they left untested on purpose, until they are settled."""
    worthless: Mapping[str, WorthlessMutant] = field(default_factory=dict)
    """Mark -> mutant that was judged to be worth no test, in this lift or an earlier one."""

    def with_expectations(self, said: Iterable[Expectation]) -> Knowledge:
        """Returns this with expectations added, or replaced by those of the same key."""
        known = {one.key: one for one in (*self.expectations, *said)}
        return replace(self, expectations=tuple(known.values()))

    def with_grades(self, said: Iterable[LinkGrade]) -> Knowledge:
        """Returns this with grades added, or replaced by those of the same link."""
        grades = {(one.test, one.requirement): one for one in said}
        return replace(self, link_grades={**self.link_grades, **grades})

    def with_doubts(self, said: Iterable[DoubtfulRequirement]) -> Knowledge:
        """Returns this with doubts added; the first one of the same two quotes stays."""
        known = {one.key: one for one in (*said, *reversed(self.doubts))}
        first = {one.key: known[one.key] for one in (*self.doubts, *known.values())}
        return replace(self, doubts=tuple(first.values()))

    def with_notes(self, said: Iterable[str], settled: Iterable[str] = ()) -> Knowledge:
        """Returns this with notes added, and without those that are settled."""
        left, done = {_told(text): text for text in self.left_out}, {*map(_told, settled)}
        for text in said:
            left.setdefault(_told(text), " ".join(text.split())[:LONGEST_NOTE])
        kept = [text for key, text in left.items() if key and key not in done]
        return replace(self, left_out=tuple(kept[-MOST_NOTES:]))

    def with_worthless(self, said: Iterable[WorthlessMutant]) -> Knowledge:
        """Returns this with judgements added."""
        return replace(self, worthless={**self.worthless, **{one.mark: one for one in said}})


def _told(note: str) -> str:
    """Returns what makes two notes one."""
    return " ".join(note.split()).casefold()


MOST_NOTES, LONGEST_NOTE = 100, 500
"""Largest number of notes that are kept, and of characters of one."""
NOTHING_KNOWN = Knowledge()
XPASS = "XPASS(strict)"
"""The type of failure of a test that passes although it is expected to fail."""


@dataclass(frozen=True)
class Figures:
    """The numbers of one measurement that people and programs compare. Percentages are 0 to 100."""

    tests: int
    passed: int
    failed: int
    skipped: int
    line_percent: float
    branch_percent: float
    requirements: int
    """Testable ones."""
    touched: int
    verified: int
    contradicted: int
    """Requirements that the program contradicts."""
    unknown: int
    mutants: int = 0
    """Mutants that were measured."""
    detected: int = 0
    mutation_percent: float | None = None
    """Detected ones of those; None where mutants were not measured, or not all of the sample."""
    sampled: bool = False
    """Whether only some of the mutants were measured."""
    sentences: int = 0
    """Acceptance sentences and examples of the testable requirements."""
    covered: int = 0
    """Those of them that a passing test is known to show."""

    def share(self, name: str) -> float:
        """Returns the figure that a threshold named `name` is held against."""
        match name:
            case "requirements":
                return 100.0 * self.verified / self.requirements if self.requirements else 100.0
            case "mutation":
                return self.mutation_percent or 0.0
            case "line":
                return self.line_percent
            case _:
                return self.branch_percent

    def missed(self, thresholds: Mapping[str, float]) -> tuple[str, ...]:
        """Returns names of the thresholds (in percent) that are not reached; exactly is enough."""
        return tuple(name for name, percent in thresholds.items() if self.share(name) < percent)


@dataclass(frozen=True, eq=False)
class Measurement:
    """One suite, one run of it, and what is computed from both."""

    suite: Suite
    run: Run
    coverage: Coverage
    trace: Trace
    mutation: Mutation | None = None
    """None where mutants were not measured."""
    unmeasurable: str = ""
    """Reason why mutants, which were measured before, cannot be measured with this suite."""
    strength: Mapping[str, Strength] = field(default_factory=dict)
    """Test function -> faults that it can notice, if it was probed."""
    scope: Scope | None = None
    """Part of the program that the figures are about; None: all of it."""
    knowledge: Knowledge = NOTHING_KNOWN
    """The knowledge that `trace` was computed with."""

    @cached_property
    def scoped(self) -> Measurement:
        """Measurement restricted to the scope."""
        if self.scope is None:
            return self
        coverage, trace = self.scope.coverage(self.coverage), self.scope.trace(self.trace)
        return replace(self, coverage=coverage, trace=trace)

    @cached_property
    def failing(self) -> frozenset[str]:
        """Test functions that fail or cannot be set up."""
        return frozenset(r.function for r in self.run.results.values() if r.outcome in BAD)

    @property
    def broken(self) -> frozenset[str]:
        """Failing tests, and files that cannot be collected."""
        return self.failing | self.run.broken.keys()

    @property
    def absent(self) -> frozenset[str]:
        """Tests of the tool's that do not run: the user marked them with what is deselected, or
        their file cannot be collected any more."""
        return frozenset(dict(absent_tests(self.run, self.suite, self.run.broken)))

    @cached_property
    def passing(self) -> frozenset[str]:
        """Test functions of which every row passed (or was skipped, or failed as expected)."""
        return frozenset(r.function for r in self.run.results.values()) - self.failing

    @cached_property
    def contradicting(self) -> frozenset[str]:
        """Tests of the tool's that show what the program contradicts."""
        return frozenset(contradiction_tests(self.suite))

    @cached_property
    def settled(self) -> frozenset[str]:
        """Tests of contradictions whose assertion held: the contradiction is gone."""
        failures = {r.function: r.failure for r in self.run.results.values() if r.failure}
        failed = self.contradicting & failures.keys()
        return frozenset(node for node in failed if failures[node].type == XPASS)

    @cached_property
    def figures(self) -> Figures:
        outcomes = [result.outcome for result in self.run.results.values()]
        mutation = self.mutation if self.mutation and self.mutation.has_score else None
        coverage, trace = self.scoped.coverage, self.scoped.trace
        return Figures(
            tests=len(outcomes),
            passed=outcomes.count("passed"),
            failed=sum(outcome in BAD for outcome in outcomes),
            skipped=outcomes.count("skipped"),
            line_percent=round(coverage.line_percent, 2),
            branch_percent=round(coverage.branch_percent, 2),
            requirements=trace.testable,
            touched=trace.touched,
            verified=trace.verified,
            contradicted=trace.counts["suspected-defect"],
            unknown=len(trace.unknown),
            mutants=mutation.scored if mutation else 0,
            detected=len(mutation.detected) if mutation else 0,
            mutation_percent=round(mutation.percent, 2) if mutation else None,
            sampled=mutation is not None and mutation.sampled,
            sentences=len(trace.points),
            covered=len(trace.covered),
        )


UNCOLLECTED = "cannot be collected: "
ABSENT = "is in its file but was not run: is it deselected, or defined twice?"


def bad_tests(run: Run, suite: Suite, known_failures: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yields (test function, why) for everything that keeps the run from passing."""
    contradictions = contradiction_tests(suite) if run.broken else {}
    for result in run.results.values():
        if result.outcome in BAD and result.function not in known_failures:
            yield result.function, result.failure.type if result.failure else result.outcome
    for path, failure in run.broken.items():
        if path not in known_failures:
            file = suite.files.get(path)
            nodes = [test.node for test in file.tests] if file else []
            # What the program wrote down itself is the last to be suspected.
            others = [node for node in nodes if node not in contradictions]
            why = f"{UNCOLLECTED}{failure.type}"
            yield from ((node, why) for node in others or nodes or [path])
    if run.running is not None and run.cut_short is not None:
        yield run.running.partition("[")[0], f"{run.ending}: {run.detail}"


def absent_tests(
    run: Run, suite: Suite, known_failures: Collection[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yields (test function, why) for the tool's tests that stand in the source and were not run.

    What the session says it collected is no evidence, since the tests themselves can change it.
    Tests of a file that cannot be collected are among them only where the file is in
    `known_failures`: `bad_tests` says nothing of it then.
    """
    if run.cut_short is not None:
        return
    ran = {result.function for result in run.results.values()}
    for test in suite.owned_tests():
        if test.node in ran or test.node in known_failures:
            continue
        path = path_of(test.node)
        if path not in run.broken:
            yield test.node, ABSENT
        elif path in known_failures:
            yield test.node, f"{UNCOLLECTED}{run.broken[path].type}"


@dataclass(frozen=True)
class Loss:
    """One kind of loss, in words, with the single things that are lost."""

    text: str
    things: Collection[object]


def measured_losses(before: Measurement, after: Measurement) -> Iterator[Loss]:
    """Yields the losses of requirements, acceptance sentences, branches and lines. Pure."""
    if requirements := verified(before) - verified(after):
        yield Loss(f"the verification of {some(requirements)}", requirements)
    points = before.trace.covered - after.trace.covered
    if kept := {f"{name} ({number})" for name, number in points if name not in requirements}:
        yield Loss(f"what showed {count(len(kept), 'acceptance sentence')}: {some(kept)}", kept)
    if branches := before.coverage.covered() - after.coverage.covered():
        places = {f"{path}:{origin}" for path, origin, _ in branches}
        yield Loss(
            f"{count(len(branches), 'covered branch')} at {some(places)}",
            branches,
        )
    if lines := executed(before) - executed(after):
        yield Loss(count(len(lines), "covered line"), lines)


def verified(measurement: Measurement) -> set[str]:
    """Returns ids of verified requirements."""
    return {i.requirement.id for i in measurement.trace.requirements if i.status == "verified"}


def executed(measurement: Measurement) -> set[tuple[str, int]]:
    """Returns (file, line) of all lines that ran."""
    return {(path, n) for path, file in measurement.coverage.files.items() for n in file.executed}
