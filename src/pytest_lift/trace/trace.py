"""Requirements x Run -> `Trace`: which test speaks for which requirement, with what result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from pytest_lift.assertions.test_checks import held_by
from pytest_lift.expectations.requirement_match import agreement
from pytest_lift.requirements.requirement import Expectation, Requirement, Requirements
from pytest_lift.run.result import Outcome, Run, TestResult
from pytest_lift.suite.suite import Suite, path_of
from pytest_lift.trace.covering import Cover, LinkGrade, Shown, doubt, shown
from pytest_lift.trace.statuses import (
    EXEMPT,
    NO_CASES,
    Cases,
    Grade,
    Status,
    Word,
    cases_of,
    outcome_of,
    status_of,
)
from pytest_lift.trace.texts import ReadTexts, surrounded

if TYPE_CHECKING:
    from pytest_lift.oracles.discrepancies import Discrepancy
    from pytest_lift.trace.grounding.subjects import Grounding

LONGEST_REASON = 80


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
    """Outcome of its rows together: see `statuses.outcome_of`."""
    cases: Cases = NO_CASES
    doubt: str = ""
    """Measured facts that speak against it, in words; empty unless it is ``doubted``."""
    left_out: str = ""
    """Reason why the first of its cases was skipped or did not run."""
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
    contradictions: tuple[Discrepancy, ...] = ()
    points: tuple[Shown, ...] = ()
    """Its acceptance sentences and examples, each with the tests that show it."""
    held: tuple[Expectation, ...] = ()
    """Of a contradicted requirement: the expectations that hold."""

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
    """Ids of known requirements outside the scope of the lift."""

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

    @property
    def failing_exempt(self) -> list[str]:
        """Ids of exempt requirements with a failing test."""
        exempt = (item for item in self.requirements if item.status in EXEMPT)
        return [
            item.requirement.id for item in exempt if any(link.cases.failed for link in item.links)
        ]

    @property
    def doubted(self) -> list[Link]:
        """Links that something measured speaks against, of requirements that are to be tested."""
        asked = (item for item in self.requirements if item.status not in EXEMPT)
        return [link for item in asked for link in item.links if link.grade == "doubted"]

    def with_status(self, status: Status) -> list[str]:
        """Returns ids of the requirements that have it."""
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
    contradicted: Mapping[str, tuple[Discrepancy, ...]] = MappingProxyType({}),
    expected: Mapping[str, tuple[Expectation, ...]] = MappingProxyType({}),
    link_grades: Mapping[tuple[str, str], LinkGrade] = MappingProxyType({}),
    unproven: Collection[str] = (),
    *,
    grounding: Grounding | None = None,
    every: bool = True,
    texts: ReadTexts | None = None,
) -> Trace:
    """Joins what the tests claim with what they did. Pure.

    `contradicted` are requirements of which the program breaks what they say themselves: no test
    can verify those. `expected` is, by requirement, what a test may rest upon beside its text;
    `link_grades`: what an evaluator said of links, by test and requirement;
    `unproven` are generated tests that pass on a program in which what they verify is gone;
    `grounding` knows which test executes what; `every`: see `statuses.status_of`; `texts` may
    know those of `suite` already.
    """
    texts = texts or ReadTexts(suite, expected)
    links: dict[str, list[Link]] = {item.id: [] for item in requirements}
    unknown: dict[str, list[str]] = {}
    emergent: list[str] = []
    unlinked: list[str] = []
    for node, rows in _by_function(run.rows).items():
        claimed = tuple(dict.fromkeys(name for row in rows for name in row.requirements))
        ran = any(row.ran for row in rows)
        for name in claimed:
            if name not in links:
                if ran:
                    unknown.setdefault(name, []).append(node)
                continue
            item = requirements.by_id[name]
            named = [row for row in rows if name in row.requirements]
            link = _link(item, node, named, suite, expected.get(name, ()))
            link = _with_word(link, link_grades.get((node, name)), suite)
            link = _sabotaged(link) if node in unproven else link
            link = _doubted(link, item, named, texts, grounding)
            links[name].append(_covering(link, item, texts))
        if ran and not claimed:
            (emergent if any(row.emergent for row in rows) else unlinked).append(node)
    if not links:
        unknown = {}  # without requirement files there is nothing to hold an id against
    return Trace(
        tuple(
            _judge(
                item,
                tuple(links[item.id]),
                contradicted.get(item.id, ()),
                expected.get(item.id, ()),
                every,
            )
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
    expected: tuple[Expectation, ...],
) -> Link:
    outcome = outcome_of(rows)
    left_out = next((_why(row) for row in rows if row.outcome in ("skipped", "not-run")), "")
    cases = cases_of(rows)
    link = Link(node, requirement.id, "verified", "person", outcome, cases, left_out=left_out)
    test = suite.function(node) if node in suite.owned else None
    if test is None or not suite.is_owned(test):
        return link
    if outcome == "xfailed":
        return replace(link, grade="touches", basis="contradiction")
    source = surrounded(suite.source(test), suite.text(path_of(node)))
    basis = agreement(requirement, source, expected)
    if basis is None:
        return replace(link, grade="touches", basis="observed")
    return replace(link, basis=basis)


def _why(row: TestResult) -> str:
    reason = " ".join(row.reason.split())[:LONGEST_REASON]
    return reason if row.outcome == "not-run" else f"skipped: {reason}" if reason else "skipped"


def _with_word(link: Link, word: LinkGrade | None, suite: Suite) -> Link:
    """Facts come first: a word counts where nothing is computed, for as long as the test checks
    what it checked then."""
    if link.basis != "observed" or word is None or not word.holds(held_by(suite, link.test)):
        return link
    grade: Grade = "verified" if word.grade == "verifies" else word.grade
    return replace(link, grade=grade, basis="judged", sentence=word.sentence)


def _sabotaged(link: Link) -> Link:
    """Returns the link as unproven; a person answers for their own mark."""
    if link.grade != "verified" or link.basis == "person":
        return link
    return replace(link, grade="touches", basis="unproven")


def _doubted(
    link: Link,
    requirement: Requirement,
    rows: Sequence[TestResult],
    texts: ReadTexts,
    grounding: Grounding | None,
) -> Link:
    """Returns the link as doubted if measured facts speak against it, also that of a person."""
    if link.grade != "verified" or link.outcome != "passed":
        return link
    said = doubt(requirement, rows, texts.is_idle(link.test), texts.around(link.test), grounding)
    return replace(link, grade="doubted", doubt=said) if said else link


def _covering(link: Link, requirement: Requirement, texts: ReadTexts) -> Link:
    """Returns the link with the points that it shows; a test that does not pass, or verifies
    nothing, shows none."""
    if link.grade != "verified" or link.outcome != "passed":
        return link
    found = texts.covers(requirement, link.test, basis=link.basis, quote=link.sentence)
    return replace(link, covers=found)


def _judge(
    requirement: Requirement,
    links: tuple[Link, ...],
    contradictions: tuple[Discrepancy, ...],
    expected: tuple[Expectation, ...],
    every: bool,
) -> RequirementTrace:
    if requirement.exempt is not None:
        status = _exemption(requirement)
    else:
        words = [Word(one.grade, one.cases, one.basis == "contradiction") for one in links]
        contradicted = any(not said.broken for said in contradictions)
        status = status_of(words, contradicted=contradicted, every=every)
    points = shown(requirement, ((link.test, link.covers) for link in links))
    held = tuple(one for one in expected if not one.ruling) if contradictions else ()
    return RequirementTrace(requirement, status, links, contradictions, points, held)


def _exemption(requirement: Requirement) -> Status:
    if requirement.non_goal:
        return "non-goal"
    return "untestable" if requirement.untestable else "waived"
