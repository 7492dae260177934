"""Breaks the text of a docstring into lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_lift.agents.offline.writing.words import LITERAL

ONE_LINE, FIRST_LINE, LONGEST_SHORT = 84, 81, 140
"""Most characters of a docstring in one line, in each of several, and in all of two."""
MOST_LINES = 4
PAUSES = (",", " and", " gives", " is", " raises", " raise", " with")
"""Ends of a line of a docstring that read well."""

COLON = re.compile(r"^(?!With )[^:]*\w:$|\braises? \w+:$")
"""Text up to a colon after which a line begins well: that of a title, or before a message; none of
a field, as in ``With name: str in class City``."""


def is_short(text: str) -> bool:
    """Whether a text is a docstring of one line, or of two that are not full."""
    return len(text) <= LONGEST_SHORT and 0 < len(lines_of(text)) <= 2


def fits(text: str) -> bool:
    """Whether a text can be a docstring: in a few lines that break between words outside of
    literals."""
    plain = text.isprintable() and '"""' not in text and not text.startswith('"')
    return plain and 0 < len(lines_of(text)) <= MOST_LINES


def docstring_lines(text: str) -> list[str]:
    """Returns a docstring as lines, each but the first of which begins at a blank that is in no
    literal, and in no brackets where that can be; one line that is too long where there is none."""
    return lines_of(text) or [text]


def lines_of(text: str) -> list[str]:
    """Returns the lines of a docstring; none where one would be too long."""
    if len(text) <= ONE_LINE + 1:
        return [text]
    found: list[str] = []
    blanks = [*_blanks(text)]
    start = 0
    while len(text) - start > FIRST_LINE:
        free = [(n, depth) for n, depth in blanks if start < n <= start + FIRST_LINE]
        last = len(text) - start <= 2 * FIRST_LINE
        at = _break(
            text, start, [one for one in free if not last or len(text) - one[0] <= FIRST_LINE]
        )
        at = at or _break(text, start, free)
        if not at:
            return []
        found.append(text[start:at])
        start = at + 1
    return [*found, text[start:]]


def _break(text: str, start: int, free: list[tuple[int, int]]) -> int:
    """Returns the best of some blanks for the end of a line; 0 where there is none."""
    outer = [n for n, depth in free if not depth]
    best = [n for n in outer if COLON.search(text[:n]) or text[:n].endswith(";")]
    early = start + ONE_LINE // 3
    best = best or [n for n in outer if text[:n].endswith(PAUSES) and n > early]
    best = best or [n for n in outer if n > early] or [n for n, _ in free if n > early]
    best = best or outer or [n for n, _ in free]
    return best[-1] if best else 0


def _blanks(text: str) -> Iterator[tuple[int, int]]:
    """Yields where blanks stand outside of literals, and in how many brackets each is."""
    depth = 0
    for match in re.finditer(rf"{LITERAL}|[(\[{{]|[)\]}}]| ", text):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(match[0], 0)
        if match[0] == " ":
            yield match.start(), depth
