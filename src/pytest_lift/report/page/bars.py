"""Counts and percentages as segments of a bar, in units of a drawing that is 1000 wide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

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
    """The same of what is counted already."""
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
