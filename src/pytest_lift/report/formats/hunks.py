"""The lines of a diff of one hunk, with their numbers and with what differs in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Sign = Literal[" ", "-", "+"]
_HEAD = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


@dataclass(frozen=True)
class HunkLine:
    """One line of a hunk, cut where it begins and ends to differ from its counterpart."""

    sign: Sign
    number: int
    """In the source as it stands; of an added line, in the changed one."""
    same: str
    """All of the line where it has no counterpart."""
    differs: str = ""
    rest: str = ""

    @property
    def text(self) -> str:
        return self.same + self.differs + self.rest


def hunk_lines(diff: str) -> tuple[HunkLine, ...]:
    """Those of the first hunk of `diff`; none of what is no diff."""
    lines = list(_numbered(diff.split("\n")))
    removed = [place for place, line in enumerate(lines) if line.sign == "-"]
    added = [place for place, line in enumerate(lines) if line.sign == "+"]
    if len(removed) == len(added):
        for old, new in zip(removed, added, strict=True):
            lines[old], lines[new] = _beside(lines[old], lines[new])
    return tuple(lines)


def change(diff: str) -> tuple[str, str]:
    """What a diff takes away and what it puts there, each on one line."""
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
    """Both, cut after what they begin with alike and before what they end with alike."""
    one, other = old.text, new.text
    short = min(len(one), len(other))
    first = next((n for n in range(short) if one[n] != other[n]), short)
    last = next((n for n in range(short - first) if one[-1 - n] != other[-1 - n]), short - first)
    return _cut(old, first, last), _cut(new, first, last)


def _cut(line: HunkLine, first: int, last: int) -> HunkLine:
    text = line.text
    end = len(text) - last
    return replace(line, same=text[:first], differs=text[first:end], rest=text[end:])
