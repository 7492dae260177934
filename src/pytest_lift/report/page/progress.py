"""Iterations of a lift on the page: changes, curves, and counts as segments of a bar."""

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
"""Smallest width of a segment, so that it stays visible."""


@dataclass(frozen=True)
class Segment:
    """Segment of a stacked bar, and its entry in the legend."""

    name: str
    count: int
    start: int
    width: int


def stacked(names: Iterable[str], order: Iterable[str]) -> tuple[Segment, ...]:
    """Returns a segment for each of `names`, as wide as its count, in `order`; names that do not
    occur have none."""
    return stacked_counts(Counter(names), order)


def stacked_counts(counts: Mapping[str, int], order: Iterable[str]) -> tuple[Segment, ...]:
    """Returns the segments of a bar for `counts`, in `order`."""
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
    """Returns shares of `room`, none smaller than LEAST, at the expense of the largest."""
    total = sum(counts)
    widths = [max(LEAST, round(room * each / total)) for each in counts]
    largest = widths.index(max(widths))
    widths[largest] += room - sum(widths)
    return widths


def filled(share: float | None) -> int:
    """Returns the width of a bar that shows `share` percent."""
    return round(WIDTH * min(max(share or 0.0, 0.0), 100.0) / 100)


@dataclass(frozen=True)
class Change:
    """Tests or requirements that an iteration added, changed or removed."""

    sign: str
    title: str
    names: tuple[tuple[str, str], ...]
    """(text, anchor); the anchor is empty if the report does not have the item."""


@dataclass(frozen=True)
class IterationStep:
    """Iteration compared with the accepted iteration before it."""

    facts: IterationFacts
    gains: tuple[tuple[str, str, str], ...]
    """(figure, value, difference from the accepted suite before)."""
    changes: tuple[Change, ...]
    statuses: tuple[Segment, ...]
    """Statuses of the requirements after the iteration; empty if it was not accepted or if no
    requirement has a history."""


def steps(
    iterations: tuple[IterationFacts, ...],
    requirements: tuple[RequirementFacts, ...],
    anchors: dict[str, str],
) -> tuple[IterationStep, ...]:
    """Returns the iterations, oldest first; `anchors` maps tests and requirements to their
    anchors on the page."""
    made: list[IterationStep] = []
    before: IterationFacts | None = None
    for each in iterations:
        changes = tuple(_changes(each, anchors))
        statuses = _statuses(requirements, each.number) if each.accepted else ()
        made.append(IterationStep(each, _gains(each, before), changes, statuses))
        before = each if each.accepted else before
    return tuple(made)


def _statuses(requirements: tuple[RequirementFacts, ...], number: int) -> tuple[Segment, ...]:
    """Returns the number of requirements in each status after an iteration, as segments."""
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
    """Returns the data of the charts; None for fewer than two iterations."""
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
