"""Points of a requirement that tests have to show: its acceptance sentences and examples.

Several entries of an acceptance are a point each, as their author listed them. A lone entry is
split: at its doctest sessions, else at its list items, else where a sentence ends. What ends in a
colon introduces what follows and is no point of its own.
"""

from __future__ import annotations

import re
import textwrap
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pytest_lift.requirements.requirement import Requirement

Kind = Literal["sentence", "example"]

BULLET = re.compile(r"^\s*(?:[-*+\N{BULLET}]|\d+[.)])\s+")
"""The beginning of a list item."""
_IN_BACKTICKS = re.compile(r"(``[^`\n]+``|`[^`\n]+`)")
_UNCUT = re.compile(r"``[^`]+``|`[^`]+`|\"[^\"\n]*\"")
"""Code and quotations: no sentence ends inside."""
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[^a-z\s])")
_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|vs|cf|resp|approx)\.$", re.IGNORECASE)
LONGEST_ABBREVIATION = 8
"""Characters of one, with those before it."""
_PROMPT = ">>>"


@dataclass(frozen=True)
class Point:
    """Acceptance sentence or example that tests have to show."""

    text: str
    kind: Kind = "sentence"


@lru_cache(maxsize=4096)
def points(requirement: Requirement) -> tuple[Point, ...]:
    """Returns the points in order, sentences before examples, sessions without output left out."""
    entries = requirement.acceptance
    if len(entries) == 1:
        said = tuple(_split(entries[0]))
    else:
        said = tuple(Point(entry.strip(), _kind(entry)) for entry in entries if entry.strip())
    shown = (Point(text.strip("\n"), "example") for text in requirement.examples)
    return (*said, *(point for point in shown if _states_something(point.text)))


def _kind(text: str) -> Kind:
    return "example" if text.lstrip().startswith(_PROMPT) else "sentence"


def _states_something(text: str) -> bool:
    """Whether a session states something: one without output only prepares; invalid ones count,
    because their author meant them."""
    if _PROMPT not in text:
        return True
    import doctest  # most texts have no example

    try:
        session = doctest.DocTestParser().get_examples(textwrap.dedent(text))
    except ValueError:
        return True
    return not session or any(one.want or one.exc_msg is not None for one in session)


def _split(text: str) -> Iterator[Point]:
    """Yields the points of a lone entry; what introduces nothing is a point itself."""
    found = [point for part in _sessions(text) for point in _points_of(part)]
    open_ = [point for point in found if not point.text.endswith(":")]
    yield from open_ or found


def _sessions(text: str) -> Iterator[Point]:
    """Yields prose and doctest sessions, line by line: a session ends at an empty line."""
    lines: list[str] = []
    inside = False
    for line in textwrap.dedent(text).splitlines():
        begins = line.lstrip().startswith(_PROMPT)
        if (begins and not inside) or (inside and not line.strip()):
            yield Point("\n".join(lines), "example" if inside else "sentence")
            lines, inside = [], begins
        lines.append(line)
    yield Point("\n".join(lines), "example" if inside else "sentence")


def _points_of(part: Point) -> Iterator[Point]:
    if part.kind == "example":
        if _states_something(part.text):
            yield Point(part.text.strip("\n"), "example")
        return
    for block in _listed(part.text.splitlines()):
        yield from map(Point, block)


def _listed(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yields each list item with the lines that go on with it; other prose by sentences."""
    item: list[str] = []
    prose: list[str] = []
    for line in lines:
        if BULLET.match(line):
            yield from (sentences_of("\n".join(prose)), _joined(item))
            prose, item = [], [BULLET.sub("", line)]
        elif item and line.strip():
            item.append(line)
        else:
            yield _joined(item)
            item = []
            prose.append(line)
    yield from (sentences_of("\n".join(prose)), _joined(item))


def _joined(lines: list[str]) -> list[str]:
    text = single_spaced(" ".join(lines))
    return [text] if text else []


def sentences_of(prose: str) -> list[str]:
    """Returns the sentences of a text without lists; white space in them becomes a single space."""
    found: list[str] = []
    for paragraph in re.split(r"\n\s*\n", prose):
        text = single_spaced(paragraph)
        start = 0
        for end in _ends(text):
            found.append(text[start:end].strip())
            start = end
        found.append(text[start:].strip())
    return [sentence for sentence in found if sentence]


def single_spaced(text: str) -> str:
    """Returns the text with single spaces for any white space, except inside backticks."""
    parts = _IN_BACKTICKS.split(text)
    found = [part if n % 2 else re.sub(r"\s+", " ", part) for n, part in enumerate(parts)]
    return "".join(found).strip()


def _ends(text: str) -> Iterator[int]:
    uncut = [(found.start(), found.end()) for found in _UNCUT.finditer(text)]
    starts = [start for start, _ in uncut]
    for found in _SENTENCE_END.finditer(text):
        before = bisect_left(starts, found.start()) - 1
        if before >= 0 and found.start() < uncut[before][1]:
            continue
        if not _ABBREVIATED.search(
            text, max(found.start() - LONGEST_ABBREVIATION, 0), found.start()
        ):
            yield found.end()
