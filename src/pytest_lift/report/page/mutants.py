"""The mutants section of the page: score, files, and survivors with their lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pytest_lift.mutation.mutation import Interval, Verdict
from pytest_lift.report.mutant_facts import MutantFile, MutationFacts, Survivor
from pytest_lift.report.page import words
from pytest_lift.report.page.progress import Segment, stacked_counts

Sign = Literal[" ", "-", "+"]
_HEAD = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


MOST_SHOWN = 2000
"""Largest number of survivors on a page."""
MOST_DIFFS = 1_500_000
"""Largest number of characters of all diffs together."""
MOST_LINES = 60
"""Largest number of lines of one diff."""
VERDICTS: Mapping[Verdict, str] = {
    "killed": "a test fails",
    "timed-out": "the tests no longer end",
    "crashed": "the interpreter dies",
    "survived": "tests execute it, and none fails",
    "untested": "no test executes its function",
    "excluded": "left out of the score",
}


@dataclass(frozen=True)
class HunkLine:
    """Line of a hunk, split where the difference from its counterpart begins and ends."""

    sign: Sign
    number: int
    """Line number in the present source; for an added line, in the changed source."""
    same: str
    """Text before the difference; the whole line if it has no counterpart."""
    differs: str = ""
    rest: str = ""

    @property
    def text(self) -> str:
        return self.same + self.differs + self.rest


def hunk_lines(diff: str) -> tuple[HunkLine, ...]:
    """Returns the lines of the first hunk of `diff`; empty if the text is not a diff."""
    lines = list(_numbered(diff.split("\n")))
    removed = [place for place, line in enumerate(lines) if line.sign == "-"]
    added = [place for place, line in enumerate(lines) if line.sign == "+"]
    if len(removed) == len(added):
        for old, new in zip(removed, added, strict=True):
            lines[old], lines[new] = _beside(lines[old], lines[new])
    return tuple(lines)


def change(diff: str) -> tuple[str, str]:
    """Returns the removed and the added text of a diff, each on one line."""
    lines = hunk_lines(diff)
    return _joined(lines, "-"), _joined(lines, "+")


def _joined(lines: Sequence[HunkLine], sign: Sign) -> str:
    return " ".join(" ".join(line.text for line in lines if line.sign == sign).split())


def _numbered(lines: Sequence[str]) -> Iterator[HunkLine]:
    old = new = 0
    inside = False
    for line in lines:
        head = _HEAD.match(line)
        if head and inside:
            return
        if head:
            old, new, inside = int(head[1]), int(head[2]), True
        elif inside and line[:1] in ("-", "+", " "):
            number = new if line[0] == "+" else old
            old, new = old + (line[0] != "+"), new + (line[0] != "-")
            yield HunkLine(line[0], number, line[1:].rstrip("\r"))  # type: ignore[arg-type]


def _beside(old: HunkLine, new: HunkLine) -> tuple[HunkLine, HunkLine]:
    """Returns both lines, split after their common prefix and before their common suffix."""
    one, other = old.text, new.text
    short = min(len(one), len(other))
    first = next((n for n in range(short) if one[n] != other[n]), short)
    last = next((n for n in range(short - first) if one[-1 - n] != other[-1 - n]), short - first)
    return _cut(old, first, last), _cut(new, first, last)


def _cut(line: HunkLine, first: int, last: int) -> HunkLine:
    text = line.text
    end = len(text) - last
    return replace(line, same=text[:first], differs=text[first:end], rest=text[end:])


@dataclass(frozen=True)
class SurvivorRow:
    """Survivor with (name, anchor) of its requirements and tests; the anchor is empty if the
    page has no place for it."""

    number: int
    facts: Survivor
    lines: tuple[HunkLine, ...]
    requirements: tuple[tuple[str, str], ...]
    tests: tuple[tuple[str, str], ...]
    left_out: bool = False

    @property
    def others(self) -> int:
        """Number of tests that execute it and are not named."""
        return self.facts.executed_by - len(self.tests)


@dataclass(frozen=True)
class MutantFileView:
    """Source file with the rows of its survivors."""

    number: int
    file: MutantFile
    rows: tuple[SurvivorRow, ...]


@dataclass(frozen=True)
class MutantsView:
    """Section of the page about mutants."""

    facts: MutationFacts
    files: tuple[MutantFileView, ...]
    verdicts: tuple[Segment, ...]
    surviving: Mapping[str, int]
    """Requirement id -> number of its survivors on the page."""
    capped: str

    @property
    def shown(self) -> int:
        return sum(len(view.rows) for view in self.files)

    @property
    def equivalent(self) -> int:
        """Number of survivors on the page that are likely equivalent."""
        return sum(bool(row.facts.likely_equivalent) for view in self.files for row in view.rows)


def mutants_view(facts: MutationFacts | None, anchors: Mapping[str, str]) -> MutantsView | None:
    """Returns the section; `anchors` maps tests and requirements to their anchors on the page."""
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
    told = []
    if rows > 0:
        told.append(f"{words.count(rows, 'survivor')} beyond the first {MOST_SHOWN:,}")
    if diffs:
        told.append(
            f"the diffs of {words.count(diffs, 'survivor')}, which are too long alone or together"
        )
    return f"Left out of this page: {'; '.join(told)}." if told else ""


def score(facts: MutationFacts) -> str:
    """Returns ``73.4 %``, with ``~`` before an estimate. A score of another suite counts as not
    measured."""
    if not facts.has_score:
        return "not measured"
    return ("~" if facts.sampled else "") + words.percent(facts.percent)


def basis(facts: MutationFacts) -> str:
    """Returns the basis of the score, or the reason why there is none."""
    if not facts.complete:
        told = f"There was no time for the whole sample, only for {facts.measured:,} of it."
        return f"{told} By its beginning {_range(facts.interval)}" if facts.interval else told
    if not facts.measured:
        return "There is nothing to mutate."
    told = f"{facts.detected:,} of {words.count(facts.measured, 'mutant')} detected"
    if facts.earlier:
        told = f"The last tests came later. With {facts.earlier}: {told}"
    if facts.interval is None:
        return told
    return f"{told}. They are a sample of {facts.mutants:,}, of which {_range(facts.interval)}"


def _range(interval: Interval) -> str:
    low, high = words.percent(interval.low), words.percent(interval.high)
    return f"the score lies between {low} and {high} (95 % confidence)."
