"""Rows of the matrix requirements x tests: what a requirement shows closed and opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pytest_lift.report.facts import Difference, LinkFacts, RequirementFacts
from pytest_lift.report.page import words
from pytest_lift.trace.covering import Shown

MOST_CHIPS = 3
"""Largest number of tests named in a closed row; the others are counted."""


@dataclass(frozen=True)
class LinkRow:
    """Link as the page shows it, with its grade separate from its measured facts."""

    link: LinkFacts
    number: int | None
    """Number of the test on the page; None if the report does not have the test."""
    name: str
    verdict: str
    judged: str
    cases: str
    measured: str
    kind: str


@dataclass(frozen=True)
class PointRow:
    """Point of the checklist, with the tests that show it: (name, number on the page)."""

    point: Shown
    tests: tuple[tuple[str, int | None], ...]


@dataclass(frozen=True)
class RequirementRow:
    """Row of one requirement in the matrix."""

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
        """Grades of the links; a test that does not pass verifies nothing yet."""
        links = [row.link for row in self.links]
        found = {one.grade for one in links if one.grade != "verified" or one.outcome == "passed"}
        return " ".join(sorted(found))


@dataclass(frozen=True)
class Defect:
    """Difference together with its requirement."""

    row: RequirementRow
    difference: Difference


def requirement_rows(
    requirements: tuple[RequirementFacts, ...], numbers: Mapping[str, int]
) -> tuple[RequirementRow, ...]:
    """Returns a row per requirement; `numbers` are the numbers of the tests on the page."""
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
    """Returns the differences that a person has to decide."""
    return tuple(one for one in _differences(rows) if not one.difference.broken)


def broken_examples(rows: tuple[RequirementRow, ...]) -> tuple[Defect, ...]:
    """Returns examples that cannot run: they show nothing about the program."""
    return tuple(one for one in _differences(rows) if one.difference.broken)


def _differences(rows: tuple[RequirementRow, ...]) -> Iterator[Defect]:
    return (Defect(row, difference) for row in rows for difference in row.facts.differences)


def scopes(rows: tuple[RequirementRow, ...]) -> tuple[str, ...]:
    """Returns all scopes and their enclosing scopes, for the filter."""
    paths = {row.facts.scope[:n] for row in rows for n in range(1, len(row.facts.scope) + 1)}
    return tuple(" / ".join(path) for path in sorted(paths))
