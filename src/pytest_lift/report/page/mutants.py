"""Mutants as the page shows them: the score in words, files, and survivors with their diffs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from pytest_lift.mutation.mutants import Interval, Verdict
from pytest_lift.report.formats.hunks import HunkLine, hunk_lines
from pytest_lift.report.mutant_facts import MutantFile, MutationFacts, Survivor
from pytest_lift.report.page import words
from pytest_lift.report.page.bars import Segment, stacked_counts

MOST_SHOWN = 2000
"""Survivors of one page."""
MOST_DIFFS = 1_500_000
"""Characters of all diffs together."""
MOST_LINES = 60
"""Lines of one diff."""
VERDICTS: Mapping[Verdict, str] = {
    "killed": "a test fails",
    "timed-out": "the tests no longer end",
    "crashed": "the interpreter dies",
    "survived": "tests execute it, and none notices",
    "untested": "no test executes its function",
    "excluded": "left out of the score",
}


@dataclass(frozen=True)
class SurvivorRow:
    """One survivor; requirements and tests with their anchors, empty for what is not there."""

    number: int
    facts: Survivor
    lines: tuple[HunkLine, ...]
    requirements: tuple[tuple[str, str], ...]
    tests: tuple[tuple[str, str], ...]
    left_out: bool = False

    @property
    def others(self) -> int:
        """Tests that execute it and are not named."""
        return self.facts.executed_by - len(self.tests)


@dataclass(frozen=True)
class MutantFileView:
    """One source file; `rows` are its survivors."""

    number: int
    file: MutantFile
    rows: tuple[SurvivorRow, ...]


@dataclass(frozen=True)
class MutantsView:
    """The section about mutants."""

    facts: MutationFacts
    files: tuple[MutantFileView, ...]
    verdicts: tuple[Segment, ...]
    surviving: Mapping[str, int]
    """Requirement id -> survivors listed that belong to it."""
    capped: str

    @property
    def shown(self) -> int:
        return sum(len(view.rows) for view in self.files)

    @property
    def equivalent(self) -> int:
        """Survivors shown that are guessed to be equivalent."""
        return sum(bool(row.facts.likely_equivalent) for view in self.files for row in view.rows)


def mutants_view(facts: MutationFacts | None, anchors: Mapping[str, str]) -> MutantsView | None:
    """`anchors` are the places of tests and requirements in the page."""
    if facts is None:
        return None
    files, number, room, left_out = [], 0, MOST_DIFFS, 0
    for nth, file in enumerate(facts.files, 1):
        rows = []
        for one in file.survivors[: MOST_SHOWN - number]:
            number += 1
            lines = hunk_lines(one.diff)
            size = sum(len(line.text) + 40 for line in lines)
            fits = size <= room and len(lines) <= MOST_LINES
            room -= size if fits else 0
            left_out += not fits
            rows.append(_row(number, one, lines if fits else (), anchors, left_out=not fits))
        files.append(MutantFileView(nth, file, tuple(rows)))
    verdicts: dict[str, int] = {each.verdict: each.count for each in facts.counts}
    surviving = Counter(
        name for view in files for row in view.rows for name in row.facts.requirements
    )
    capped = _capped(len(facts.survivors) - number, left_out)
    return MutantsView(
        facts, tuple(files), stacked_counts(verdicts, VERDICTS), dict(surviving), capped
    )


def _row(
    number: int,
    one: Survivor,
    lines: tuple[HunkLine, ...],
    anchors: Mapping[str, str],
    *,
    left_out: bool,
) -> SurvivorRow:
    requirements = tuple((name, anchors.get(name, "")) for name in one.requirements)
    tests = tuple((words.short(node), anchors.get(node, "")) for node in one.tests)
    return SurvivorRow(number, one, lines, requirements, tests, left_out)


def _capped(rows: int, diffs: int) -> str:
    """What the page left out, in words; empty for nothing."""
    told = []
    if rows > 0:
        told.append(f"{words.count(rows, 'survivor')} beyond the first {MOST_SHOWN:,}")
    if diffs:
        told.append(
            f"the diffs of {words.count(diffs, 'survivor')}, which are too long alone or together"
        )
    return f"Left out of this page: {'; '.join(told)}." if told else ""


def score(facts: MutationFacts) -> str:
    """``73.4 %``; with ``~`` before it where it is an estimate. Of another suite there is none."""
    if not facts.has_score:
        return "not measured"
    return ("~" if facts.sampled else "") + words.percent(facts.percent)


def basis(facts: MutationFacts) -> str:
    """What the score rests upon; or what is known instead of one."""
    if not facts.complete:
        told = f"There was no time for the whole sample, only for {facts.measured:,} of it."
        return f"{told} By its beginning {_range(facts.interval)}" if facts.interval else told
    if not facts.measured:
        return "There is nothing that they change."
    told = f"{facts.detected:,} of {words.count(facts.measured, 'mutant')} detected"
    if facts.earlier:
        told = f"The last tests came later. With {facts.earlier}: {told}"
    if facts.interval is None:
        return told
    return f"{told}. They are a sample of {facts.mutants:,}, of which {_range(facts.interval)}"


def _range(interval: Interval) -> str:
    low, high = words.percent(interval.low), words.percent(interval.high)
    return f"the score lies between {low} and {high} (95 % confidence)."
