"""Rows of the page: requirements with their tests, tests by file, and gaps with their source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pytest_lift.report.facts import (
    Difference,
    Gap,
    GapFile,
    LinkFacts,
    RequirementFacts,
    TestFacts,
)
from pytest_lift.report.page import words
from pytest_lift.report.page.progress import Segment, stacked
from pytest_lift.trace.covering import Shown
from pytest_lift.trace.statuses import in_words

MOST_CHIPS = 3
"""Largest number of tests named in a closed row; the others are counted."""
MOST_SOURCE = 20_000
"""Largest number of characters of one test's source."""
MOST_SOURCES = 8_000_000
"""Largest number of characters of all sources together."""
AROUND = 2
"""Lines of context shown before and after a missed line."""
MOST_LINES = 400
"""Largest number of lines shown of one symbol."""
MOST_EXCERPTS = 2_000_000
"""Largest number of characters of all excerpts together."""


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
            tuple(
                PointRow(each, tuple((words.short(t), numbers.get(t)) for t in each.tests))
                for each in facts.points
            ),
        )
        for n, facts in enumerate(requirements, 1)
    )


def _link(link: LinkFacts, numbers: Mapping[str, int]) -> LinkRow:
    kind, measured = words.measured(link)
    name = words.short(link.test)
    return LinkRow(
        link,
        numbers.get(link.test),
        name,
        words.verdict(link),
        words.judged(link),
        in_words(link.cases),
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


@dataclass(frozen=True)
class TestRow:
    """Test with the requirements that it names, each with its number on the page if it is known."""

    __test__ = False

    number: int
    facts: TestFacts
    name: str
    source: str
    cut: bool
    links: tuple[tuple[str, int | None], ...]

    @property
    def origin(self) -> str:
        """Line of the test, number of its cases and its author, in words."""
        facts = self.facts
        told = [f"line {facts.line}"] if facts.line else []
        told += [f"{facts.rows} rows"] if facts.rows > 1 else []
        told += ["written by the tool"] if facts.generated else []
        return ", ".join(told)


@dataclass(frozen=True)
class TestFileView:
    """Tests of one file."""

    __test__ = False

    path: str
    rows: tuple[TestRow, ...]
    segments: tuple[Segment, ...]
    seconds: float


@dataclass
class _Room:
    left: int

    def cut(self, source: str) -> str:
        """Returns the part of `source` that fits, in whole lines; empty if there is no room
        left."""
        if len(source) > MOST_SOURCE:
            source = source[: source.rfind("\n", 0, MOST_SOURCE) + 1]
        if len(source) > self.left:
            return ""
        self.left -= len(source)
        return source


def test_numbers(tests: tuple[TestFacts, ...]) -> dict[str, int]:
    """Returns node id -> number of the test on the page."""
    return {test.node: number for number, test in enumerate(tests, 1)}


def test_files(
    tests: tuple[TestFacts, ...], requirements: Mapping[str, int]
) -> tuple[TestFileView, ...]:
    """Returns files in the order of their paths, with tests in the order of the report."""
    room = _Room(MOST_SOURCES)
    by_path: dict[str, list[TestRow]] = {}
    for number, test in enumerate(tests, 1):
        path = test.node.partition("::")[0]
        source = room.cut(test.source)
        links = tuple((name, requirements.get(name)) for name in test.requirements)
        cut = source != test.source
        row = TestRow(number, test, words.short(test.node), source, cut, links)
        by_path.setdefault(path, []).append(row)
    return tuple(_file(path, tuple(rows)) for path, rows in sorted(by_path.items()))


def _file(path: str, rows: tuple[TestRow, ...]) -> TestFileView:
    segments = stacked((row.facts.outcome for row in rows), words.OUTCOMES)
    return TestFileView(path, rows, segments, sum(row.facts.seconds for row in rows))


def cut_sources(files: tuple[TestFileView, ...]) -> str:
    """Returns a note on sources of tests that the page cuts or leaves out; empty if there are
    none."""
    number = sum(row.cut for file in files for row in file.rows)
    if not number:
        return ""
    return (
        f"The source of {words.count(number, 'test')} is cut or left out of this page, which "
        f"holds {MOST_SOURCE:,} characters of one test and {MOST_SOURCES:,} of all."
    )


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
