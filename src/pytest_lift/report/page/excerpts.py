"""Excerpts of source with code that no test executes, the missed lines marked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pytest_lift.report.facts import Gap, GapFile
from pytest_lift.report.page import words

AROUND = 2
"""Lines of context shown before and after a missed line."""
MOST_LINES = 400
"""Largest number of lines shown of one symbol."""
MOST_EXCERPTS = 2_000_000
"""Largest number of characters of all excerpts together."""


@dataclass(frozen=True)
class Line:
    """Line of an excerpt; ``number`` 0 stands for `skipped` lines that are left out."""

    number: int
    text: str = ""
    missed: bool = False
    jumps: bool = False
    """Whether a branch that starts here is not taken."""
    skipped: int = 0


@dataclass(frozen=True)
class GapExcerpt:
    """Excerpt of one symbol with code that no test executes."""

    gap: Gap
    lines: tuple[Line, ...]
    missed: str
    branches: tuple[str, ...]
    left_out: bool = False


@dataclass(frozen=True)
class GapFileView:
    """Source file with gaps; `percent` is None if it has no statements."""

    file: GapFile
    percent: float | None
    gaps: tuple[GapExcerpt, ...]


def gap_files(files: tuple[GapFile, ...]) -> tuple[GapFileView, ...]:
    """Returns the files, those with the most missed statements first."""
    room = MOST_EXCERPTS
    views = []
    for file in sorted(files, key=lambda each: each.covered_statements - each.statements):
        source = file.source.split("\n") if file.source else []
        gaps = []
        for gap in file.gaps:
            lines = tuple(_lines(gap, source))
            size = sum(len(line.text) + 40 for line in lines)
            fits = size <= room and len(lines) <= MOST_LINES
            room -= size if fits else 0
            gaps.append(_excerpt(gap, lines if fits else (), left_out=bool(lines) and not fits))
        share = 100 * file.covered_statements / file.statements if file.statements else None
        views.append(GapFileView(file, share, tuple(gaps)))
    return tuple(views)


def _excerpt(gap: Gap, lines: tuple[Line, ...], *, left_out: bool) -> GapExcerpt:
    missed = words.line_numbers(gap.lines)
    return GapExcerpt(gap, lines, missed, tuple(map(words.branch, gap.branches)), left_out)


def _lines(gap: Gap, source: list[str]) -> Iterator[Line]:
    """Yields the first line of the symbol and the missed lines, with some context."""
    missed, jumps = set(gap.lines), {line for line, _ in gap.branches}
    wanted = {gap.line} if gap.symbol else set()
    for line in missed | jumps:
        wanted |= set(range(line - AROUND, line + AROUND + 1))
    first = gap.line if gap.symbol else 1
    last = 0
    for number in sorted(n for n in wanted if first <= n <= len(source)):
        between = number - last - 1 if last else 0
        if between == 1:
            yield Line(number - 1, source[number - 2])
        elif between:
            yield Line(0, skipped=between)
        yield Line(number, source[number - 1], number in missed, number in jumps)
        last = number


def left_out(views: tuple[GapFileView, ...]) -> str:
    """Returns a note on excerpts that the page leaves out; empty if there are none."""
    number = sum(gap.left_out for view in views for gap in view.gaps)
    if not number:
        return ""
    return (
        f"The excerpts of {words.count(number, 'symbol')} with gaps are left out of this page: "
        f"they have more than {MOST_LINES} lines, or come after {MOST_EXCERPTS:,} characters."
    )
