"""The iterations of a lift: what changed in each, and the points of its curves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pytest_lift.report.facts import IterationFacts, RequirementFacts
from pytest_lift.report.page import words
from pytest_lift.report.page.bars import Segment, stacked


@dataclass(frozen=True)
class Change:
    """Tests or requirements that an iteration brought, altered or took away."""

    sign: str
    title: str
    names: tuple[tuple[str, str], ...]
    """(text, anchor); the anchor is empty for what the report does not have."""


@dataclass(frozen=True)
class IterationStep:
    """One iteration beside the accepted one before it."""

    facts: IterationFacts
    gains: tuple[tuple[str, str, str], ...]
    """(figure, value, difference to the accepted suite before)."""
    changes: tuple[Change, ...]
    statuses: tuple[Segment, ...]
    """Of the requirements after it; empty where it was not accepted or none has a history."""


def steps(
    iterations: tuple[IterationFacts, ...],
    requirements: tuple[RequirementFacts, ...],
    anchors: dict[str, str],
) -> tuple[IterationStep, ...]:
    """Oldest first; `anchors` are the places of tests and requirements in the page."""
    made: list[IterationStep] = []
    before: IterationFacts | None = None
    for each in iterations:
        changes = tuple(_changes(each, anchors))
        statuses = _statuses(requirements, each.number) if each.accepted else ()
        made.append(IterationStep(each, _gains(each, before), changes, statuses))
        before = each if each.accepted else before
    return tuple(made)


def _statuses(requirements: tuple[RequirementFacts, ...], number: int) -> tuple[Segment, ...]:
    """How many requirements had which status after an iteration."""
    found = []
    for item in requirements:
        known = [change.status for change in item.history if change.iteration <= number]
        found += known[-1:]
    return stacked(found, words.STATUSES)


def _gains(now: IterationFacts, before: IterationFacts | None) -> tuple[tuple[str, str, str], ...]:
    old = before or now
    shares = [("lines", "line_percent"), ("branches", "branch_percent")]
    if now.mutation_percent is not None:
        shares.append(("mutants", "mutation_percent"))
    rows = [
        ("tests", f"{now.tests:,}", _whole(now.tests - old.tests)),
        ("passed", f"{now.passed:,}", _whole(now.passed - old.passed)),
        ("verified", f"{now.verified:,}", _whole(now.verified - old.verified)),
    ]
    for title, name in shares:
        new, was = getattr(now, name), getattr(old, name)
        rows.append((title, words.percent(new), "" if was is None else _points(new - was)))
    return tuple(rows)


def _whole(difference: int) -> str:
    return f"{difference:+,}".replace("-", "\u2212") if difference else ""


def _points(difference: float) -> str:
    return f"{difference:+.1f}".replace("-", "\u2212") if abs(difference) >= 0.05 else ""


def _changes(now: IterationFacts, anchors: dict[str, str]) -> Iterable[Change]:
    for sign, title, names in (
        ("+", "tests added", now.added),
        ("~", "tests changed", now.changed),
        ("\u2212", "tests removed", now.removed),
        ("+", "requirements verified", now.gained),
        ("\u2212", "requirements no longer verified", now.lost),
    ):
        if names:
            links = tuple((words.short(name), anchors.get(name, "")) for name in names)
            one = len(names) == 1
            title = title.replace("tests", "test").replace("ments", "ment") if one else title
            yield Change(sign, title, links)


def curves(iterations: tuple[IterationFacts, ...], requirements: int) -> dict[str, Any] | None:
    """Points for the charts; None where there are too few for a curve."""
    if len(iterations) < 2:
        return None
    charts = [
        _chart("Tests", "", "tests", iterations, ("tests", "passed")),
        _chart(
            "Coverage",
            "%",
            "executed, or detected",
            iterations,
            ("line_percent", "branch_percent", "mutation_percent"),
        ),
        _chart(
            "Requirements verified",
            "",
            "requirements",
            iterations,
            ("verified",),
            most=requirements,
        ),
        _chart("Tokens by iteration", "", "tokens", iterations, ("tokens",)) | {"all": True},
    ]
    return {
        "iterations": [each.number for each in iterations],
        "accepted": [each.accepted for each in iterations],
        "charts": [chart for chart in charts if chart["series"]],
    }


def _chart(
    title: str,
    unit: str,
    axis: str,
    iterations: tuple[IterationFacts, ...],
    names: tuple[str, ...],
    most: int = 0,
) -> dict[str, Any]:
    series = []
    for name in names:
        values = [getattr(each, name) for each in iterations]
        if any(values):
            series.append({"name": name.removesuffix("_percent"), "values": values})
    return {
        "title": title,
        "unit": unit,
        "axis": axis,
        "series": series,
        "most": most,
        "all": False,
    }
