"""Requirements x tests as rows: what one requirement shows closed, and opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pytest_lift.report.facts import Difference, LinkFacts, RequirementFacts
from pytest_lift.report.page import words
from pytest_lift.trace.covering import Shown

MOST_CHIPS = 3
"""Tests named in a closed row; the others are counted."""


@dataclass(frozen=True)
class LinkRow:
    """One link as the page shows it: what is judged apart from what is measured."""

    link: LinkFacts
    number: int | None
    """Number of the test in the page; None if the report has no such test."""
    name: str
    verdict: str
    judged: str
    cases: str
    measured: str
    kind: str


@dataclass(frozen=True)
class PointRow:
    """One point of the checklist, with the tests that show it: (name, its number in the page)."""

    point: Shown
    tests: tuple[tuple[str, int | None], ...]


@dataclass(frozen=True)
class RequirementRow:
    """One requirement of the matrix."""

    number: int
    facts: RequirementFacts
    scope: str
    links: tuple[LinkRow, ...]
    points: tuple[PointRow, ...] = ()

    @property
    def chips(self) -> tuple[LinkRow, ...]:
        return self.links[:MOST_CHIPS]

    @property
    def outcomes(self) -> str:
        return " ".join(sorted({row.link.outcome for row in self.links}))

    @property
    def grades(self) -> str:
        """The judgements; what does not pass verifies nothing yet."""
        links = [row.link for row in self.links]
        found = {one.grade for one in links if one.grade != "verified" or one.outcome == "passed"}
        return " ".join(sorted(found))


@dataclass(frozen=True)
class Defect:
    """A difference, with the requirement that it is of."""

    row: RequirementRow
    difference: Difference


def requirement_rows(
    requirements: tuple[RequirementFacts, ...], numbers: Mapping[str, int]
) -> tuple[RequirementRow, ...]:
    """`numbers` are the numbers that the page gives the tests."""
    return tuple(
        RequirementRow(
            n,
            facts,
            " / ".join(facts.scope),
            tuple(_link(each, numbers) for each in facts.links),
            tuple(_point(each, numbers) for each in facts.points),
        )
        for n, facts in enumerate(requirements, 1)
    )


def _point(point: Shown, numbers: Mapping[str, int]) -> PointRow:
    return PointRow(point, tuple((words.short(node), numbers.get(node)) for node in point.tests))


def _link(link: LinkFacts, numbers: Mapping[str, int]) -> LinkRow:
    kind, measured = words.measured(link)
    name = words.short(link.test)
    return LinkRow(
        link,
        numbers.get(link.test),
        name,
        words.verdict(link),
        words.judged(link),
        words.cases(link),
        measured,
        kind,
    )


def defects(rows: tuple[RequirementRow, ...]) -> tuple[Defect, ...]:
    """Differences for a person to settle."""
    return tuple(one for one in _differences(rows) if not one.difference.broken)


def broken_examples(rows: tuple[RequirementRow, ...]) -> tuple[Defect, ...]:
    """Examples that cannot run: they say nothing of the program."""
    return tuple(one for one in _differences(rows) if one.difference.broken)


def _differences(rows: tuple[RequirementRow, ...]) -> Iterator[Defect]:
    return (Defect(row, difference) for row in rows for difference in row.facts.differences)


def scopes(rows: tuple[RequirementRow, ...]) -> tuple[str, ...]:
    """All scopes and those around them, for the filter."""
    paths = {row.facts.scope[:n] for row in rows for n in range(1, len(row.facts.scope) + 1)}
    return tuple(" / ".join(path) for path in sorted(paths))
