"""The iterations of a lift on the page: changes, curves, and counts as segments of a bar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_lift.report.facts import IterationFacts, RequirementFacts
from pytest_lift.report.page import words

WIDTH = 1000
GAP = 4
LEAST = 8
"""Width of a segment that would be too small to see."""


@dataclass(frozen=True)
class Segment:
    """One part of a stacked bar, and its line in the legend."""

    name: str
    count: int
    start: int
    width: int


def stacked(names: Iterable[str], order: Iterable[str]) -> tuple[Segment, ...]:
    """How often each of `names` occurs, in `order`; what does not occur has no segment."""
    return stacked_counts(Counter(names), order)


def stacked_counts(counts: Mapping[str, int], order: Iterable[str]) -> tuple[Segment, ...]:
    """Segments of a bar for counts."""
    present = [name for name in order if counts.get(name)]
    if not present:
        return ()
    room = WIDTH - GAP * (len(present) - 1)
    widths = _widths([counts[name] for name in present], room)
    segments, start = [], 0
    for name, width in zip(present, widths, strict=True):
        segments.append(Segment(name, counts[name], start, width))
        start += width + GAP
    return tuple(segments)


def _widths(counts: list[int], room: int) -> list[int]:
    """Shares of `room`, none of them under LEAST; the largest gives what the small ones need."""
    total = sum(counts)
    widths = [max(LEAST, round(room * each / total)) for each in counts]
    largest = widths.index(max(widths))
    widths[largest] += room - sum(widths)
    return widths


def filled(share: float | None) -> int:
    """Width of a bar that shows `share` percent."""
    return round(WIDTH * min(max(share or 0.0, 0.0), 100.0) / 100)


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
    """Statuses of the requirements after it; empty if it was not accepted or none has a history."""


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
