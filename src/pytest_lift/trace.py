"""Requirements x Run -> `Trace`: which test speaks for which requirement, with what result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from pytest_lift.covering import Cover, Shown, covers, shown
from pytest_lift.expectations import Expectation
from pytest_lift.gate.kept import held_by
from pytest_lift.judged import Judged
from pytest_lift.measure.stated import Contradiction
from pytest_lift.oracle import agreement
from pytest_lift.requirements import Requirement, Requirements
from pytest_lift.run import Outcome, Run, TestResult
from pytest_lift.suite import Suite, TestFunction

Grade = Literal["verified", "touches", "unrelated"]
Status = Literal[
    "verified",
    "failing",
    "suspected-defect",
    "partial",
    "untested",
    "waived",
    "untestable",
    "non-goal",
]
"""``partial``: only tests that pin observed behaviour are linked to it; ``suspected-defect``: the
program does not do what it says; the last three: no test is expected."""

EXEMPT: frozenset[Status] = frozenset({"waived", "untestable", "non-goal"})

BAD: frozenset[Outcome] = frozenset({"failed", "error"})
"""Outcomes that speak against the requirement."""


@dataclass(frozen=True)
class Link:
    """One test function that names one requirement."""

    test: str
    """Node without parameters."""
    requirement: str
    grade: Grade
    basis: str
    """``person`` (the author's own mark), ``example``, ``quoted value``, ``expectation``,
    ``judged`` (an evaluator's word), ``observed``, ``unproven`` (it passes where the functions
    that it is about are gone), or ``contradiction``: a test of the tool's that fails as
    expected."""
    outcome: Outcome
    """The worst outcome of its rows."""
    sentence: str = ""
    """``judged``: the words of the requirement that the test checks."""
    covers: tuple[Cover, ...] = ()
    """The points of the requirement that it is known to show, where it passes and verifies."""


@dataclass(frozen=True)
class RequirementTrace:
    """One requirement with everything that speaks for or against it."""

    requirement: Requirement
    status: Status
    links: tuple[Link, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    points: tuple[Shown, ...] = ()
    """Its acceptance sentences and examples, each with the tests that show it."""

    @property
    def open_points(self) -> tuple[Shown, ...]:
        return tuple(point for point in self.points if not point.covered)


@dataclass(frozen=True)
class Trace:
    """Both directions of traceability for one run."""

    requirements: tuple[RequirementTrace, ...] = ()
    unknown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Id that no requirement file knows -> tests that name it."""
    emergent: tuple[str, ...] = ()
    unlinked: tuple[str, ...] = ()
    elsewhere: frozenset[str] = frozenset()
    """Ids of requirements that are known and not told of: the lift is about others."""

    @cached_property
    def counts(self) -> Counter[Status]:
        return Counter(item.status for item in self.requirements)

    @property
    def testable(self) -> int:
        return sum(item.status not in EXEMPT for item in self.requirements)

    @property
    def verified(self) -> int:
        return self.counts["verified"]

    @property
    def touched(self) -> int:
        """Requirements that at least one passing test is linked to, verified ones included."""
        return sum(
            item.status != "failing" and any(link.outcome == "passed" for link in item.links)
            for item in self.requirements
        )

    @cached_property
    def points(self) -> tuple[Shown, ...]:
        """Acceptance sentences and examples of all testable requirements."""
        asked = (item for item in self.requirements if item.status not in EXEMPT)
        return tuple(point for item in asked for point in item.points)

    @cached_property
    def covered(self) -> frozenset[tuple[str, int]]:
        """Points that passing tests are known to show: (id, number counted from 1)."""
        asked = (item for item in self.requirements if item.status not in EXEMPT)
        return frozenset(
            (item.requirement.id, number)
            for item in asked
            for number, point in enumerate(item.points, 1)
            if point.covered
        )

    @property
    def verified_in_part(self) -> list[str]:
        """Ids of what is verified although no test is known to show each sentence of it."""
        found = (item for item in self.requirements if item.status == "verified")
        return [item.requirement.id for item in found if item.open_points]

    def with_status(self, status: Status) -> list[str]:
        """Ids of the requirements that have it."""
        return [item.requirement.id for item in self.requirements if item.status == status]

    @cached_property
    def links(self) -> dict[str, tuple[Link, ...]]:
        """Test function -> its links."""
        found: dict[str, list[Link]] = {}
        for item in self.requirements:
            for link in item.links:
                found.setdefault(link.test, []).append(link)
        return {test: tuple(links) for test, links in found.items()}


def trace_run(
    requirements: Requirements,
    run: Run,
    suite: Suite,
    contradicted: Mapping[str, tuple[Contradiction, ...]] = MappingProxyType({}),
    expected: Mapping[str, tuple[Expectation, ...]] = MappingProxyType({}),
    judged: Mapping[tuple[str, str], Judged] = MappingProxyType({}),
    unproven: Collection[str] = (),
) -> Trace:
    """Join what the tests claim with what they did. Pure.

    `contradicted` are requirements of which the program breaks what they say themselves: no test
    can verify those. `expected` is, by requirement, what a test may rest upon beside its text;
    `judged`, by test and requirement, what an evaluator said of links that texts do not decide;
    `unproven` are generated tests that pass on a program in which what they verify is gone.
    """
    tests = {test.node: test for test in suite.tests()}
    links: dict[str, list[Link]] = {item.id: [] for item in requirements}
    unknown: dict[str, list[str]] = {}
    emergent: list[str] = []
    unlinked: list[str] = []
    for node, rows in _by_function(run.results.values()).items():
        claimed = tuple(dict.fromkeys(name for row in rows for name in row.requirements))
        for name in claimed:
            if name not in links:
                unknown.setdefault(name, []).append(node)
                continue
            item, test = requirements.by_id[name], tests.get(node)
            link = _link(item, node, rows, suite, test, expected.get(name, ()))
            link = _with_word(link, judged.get((node, name)), suite)
            link = _sabotaged(link) if node in unproven else link
            links[name].append(_covering(link, item, suite, test, expected.get(name, ())))
        if not claimed:
            (emergent if any(row.emergent for row in rows) else unlinked).append(node)
    if not links:
        unknown = {}  # without requirement files there is nothing to hold an id against
    return Trace(
        tuple(
            _judge(item, tuple(links[item.id]), contradicted.get(item.id, ()))
            for item in requirements
        ),
        {name: tuple(nodes) for name, nodes in unknown.items()},
        tuple(emergent),
        tuple(unlinked),
    )


def _by_function(results: Iterable[TestResult]) -> dict[str, list[TestResult]]:
    grouped: dict[str, list[TestResult]] = {}
    for result in results:
        grouped.setdefault(result.function, []).append(result)
    return grouped


def _link(
    requirement: Requirement,
    node: str,
    rows: list[TestResult],
    suite: Suite,
    test: TestFunction | None,
    expected: tuple[Expectation, ...],
) -> Link:
    outcome = outcome_of([row for row in rows if requirement.id in row.requirements])
    if test is None or not suite.is_owned(test):
        return Link(node, requirement.id, "verified", "person", outcome)
    if outcome == "xfailed":
        return Link(node, requirement.id, "touches", "contradiction", outcome)
    basis = agreement(requirement, suite.source(test), expected)
    if basis is None:
        return Link(node, requirement.id, "touches", "observed", outcome)
    return Link(node, requirement.id, "verified", basis, outcome)


def _with_word(link: Link, word: Judged | None, suite: Suite) -> Link:
    """Facts come first: a word counts where nothing is computed, for as long as the test checks
    what it checked then."""
    if link.basis != "observed" or word is None or not word.holds(held_by(suite, link.test)):
        return link
    grade: Grade = "verified" if word.grade == "verifies" else word.grade
    return replace(link, grade=grade, basis="judged", sentence=word.sentence)


def _sabotaged(link: Link) -> Link:
    """A person's own mark is theirs to answer for."""
    if link.grade != "verified" or link.basis == "person":
        return link
    return replace(link, grade="touches", basis="unproven")


def _covering(
    link: Link,
    requirement: Requirement,
    suite: Suite,
    test: TestFunction | None,
    expected: tuple[Expectation, ...],
) -> Link:
    """What does not pass, or verifies nothing, shows no point."""
    if link.grade != "verified" or link.outcome != "passed":
        return link
    source = suite.source(test) if test is not None else None
    found = covers(requirement, source, expected, basis=link.basis, quote=link.sentence)
    return replace(link, covers=found)


def outcome_of(rows: Iterable[TestResult]) -> Outcome:
    """Of the rows of one test together: a skipped row takes nothing from those that passed, one
    that did not run leaves it open whether it would have."""
    found = tuple(rows)
    outcomes = {row.outcome for row in found if not row.ran or row.outcome != "skipped"}
    return worst(outcomes or {"skipped"})


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """The outcome that a person has to know about first."""
    order: tuple[Outcome, ...] = ("error", "failed", "xpassed", "xfailed", "skipped", "passed")
    return min(outcomes, key=order.index)


def _judge(
    requirement: Requirement, links: tuple[Link, ...], contradictions: tuple[Contradiction, ...]
) -> RequirementTrace:
    status: Status = "untested"
    passing = [link for link in links if link.outcome == "passed"]
    if requirement.exempt is not None:
        status = _exemption(requirement)
    elif any(link.outcome in BAD for link in links):
        status = "failing"
    elif any(not said.broken for said in contradictions) or any(
        link.basis == "contradiction" for link in links
    ):
        status = "suspected-defect"
    elif any(link.grade == "verified" for link in passing):
        status = "verified"
    elif passing:
        status = "partial"
    points = shown(requirement, ((link.test, link.covers) for link in links))
    return RequirementTrace(requirement, status, links, contradictions, points)


def _exemption(requirement: Requirement) -> Status:
    if requirement.non_goal:
        return "non-goal"
    return "untestable" if requirement.untestable else "waived"
