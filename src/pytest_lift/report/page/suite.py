"""Tests by file, each with its source once, as far as the page has room."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_lift.report.facts import TestFacts
from pytest_lift.report.page import words
from pytest_lift.report.page.progress import Segment, stacked

MOST_SOURCE = 20_000
"""Largest number of characters of one test's source."""
MOST_SOURCES = 8_000_000
"""Largest number of characters of all sources together."""


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
