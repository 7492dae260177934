"""Requirements as values: what a person wrote, what is exempt, and what one expects by it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from pytest_lift.errors import UsageError
from pytest_lift.files.codec import decode_each, encode, loads

Relation = Literal["equals", "raises", "holds"]
Ruling = Literal["", "stands", "repeats", "withdrawn"]
Suspect = Literal["", "program", "requirement", "unclear"]


@dataclass(frozen=True)
class Requirement:
    """Testable statement about the program, in the words of its author."""

    id: str
    """The raw scalar: ``1.10``, ``010`` and ``NO`` stay text."""
    title: str
    description: str
    acceptance: tuple[str, ...]
    """Acceptance sentences; a single string in the file becomes one entry."""
    scope: tuple[str, ...]
    """Names of the enclosing mappings, outermost first."""
    file: str
    line: int
    level: str | None = None
    """``unit``, ``integration`` or ``system`` where the author says so."""
    examples: tuple[str, ...] = ()
    """Doctest sessions (``>>> call`` and what it prints) that state expected values."""
    tags: tuple[str, ...] = ()
    scenario: str | None = None
    non_goal: str | None = None
    """Why this is deliberately not provided; set by a scope named ``non_goals`` too."""
    untestable: str | None = None
    waived: str | None = None
    """Why it need not be tested for now; None again once `waived_until` has passed."""
    waived_on: str | None = None
    """ISO date, as its author gives it."""
    waived_until: str | None = None

    @property
    def exempt(self) -> str | None:
        """The reason why no test is expected, or None."""
        return self.non_goal or self.untestable or self.waived

    @property
    def text(self) -> str:
        """Text that the author wrote about it, for look-ups."""
        parts = (
            self.title,
            self.description,
            *self.acceptance,
            *self.examples,
            self.scenario or "",
        )
        return "\n".join(part for part in parts if part)


@dataclass(frozen=True)
class Requirements:
    """All requirements of all files, in the order in which they were written."""

    items: tuple[Requirement, ...] = ()
    warnings: tuple[str, ...] = ()
    by_id: dict[str, Requirement] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {item.id: item for item in self.items})

    def __iter__(self) -> Iterator[Requirement]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __contains__(self, requirement_id: object) -> bool:
        return requirement_id in self.by_id

    @property
    def testable(self) -> tuple[Requirement, ...]:
        return tuple(item for item in self.items if item.exempt is None)


def merge(parts: Iterable[Requirements]) -> Requirements:
    """Returns the requirements of several loaders; raises `UsageError` for an id in two files."""
    items: dict[str, Requirement] = {}
    warnings: list[str] = []
    for part in parts:
        warnings += part.warnings
        for item in part:
            first = items.setdefault(item.id, item)
            if first is not item and (first.file, first.line) != (item.file, item.line):
                raise UsageError(
                    f"the id {item.id!r} is taken by {first.file}:{first.line}",
                    where=f"{item.file}:{item.line}",
                    todo="give one of the two another id",
                )
    return Requirements(tuple(items.values()), tuple(dict.fromkeys(warnings)))


def stands_in(quote: str, item: Requirement) -> bool:
    """Whether a requirement has these words, in this order."""
    return has_words(item.text, quote)


def has_words(text: str, quote: str) -> bool:
    """Whether a text has these words, in this order; three letters say nothing."""
    wanted = _plain(quote)
    return len(wanted) > 3 and wanted in _plain(text)


def _plain(text: str) -> str:
    return " ".join(text.replace("`", "").split()).strip(" .\"'").casefold()


@dataclass(frozen=True)
class Expectation:
    """Call, and what a sentence of a requirement states of it."""

    requirement: str
    sentence: str
    """Verbatim from the requirement."""
    call: str
    """Expression; for ``holds`` one that is true."""
    relation: Relation = "equals"
    expected: str = ""
    """``equals``: an expression; ``raises``: the name of an exception; ``holds``: empty."""
    setup: str = ""
    """Statements before the call: imports and data."""
    ruling: Ruling = ""
    """Ruling on a difference: does the text really say so? Empty if nobody has looked. ``repeats``:
    it does, but the cause is that of another difference, which stands for both."""
    suspect: Suspect = ""
    """Which of the two seems to be wrong."""
    why: str = ""
    """The reason of the ruling."""

    @property
    def key(self) -> str:
        """16 hex digits of what is expected; the ruling does not count."""
        parts = (self.requirement, self.setup, self.call, self.relation, self.expected)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def told(self) -> str:
        """The expectation in words."""
        if self.relation == "raises":
            return f"raises {self.expected}"
        return "is true" if self.relation == "holds" else self.expected


VERSION = 1
MOST = 100_000
"""Most expectations that are read from one file."""


def written_expectations(expectations: Iterable[Expectation]) -> str:
    """Returns the expectations as JSON; empty if there are none."""
    rows = [encode(one) for one in expectations]
    return json.dumps({"version": VERSION, "expectations": rows}, indent=1) + "\n" if rows else ""


def read_expectations(text: str) -> tuple[Expectation, ...]:
    """Returns the expectations that `written_expectations` wrote; malformed ones are left out.
    Never raises."""
    try:
        data = loads(text or "{}")
    except (ValueError, MemoryError):
        return ()
    if not isinstance(data, dict) or data.get("version") != VERSION:
        return ()
    rows = data.get("expectations")
    told = rows[:MOST] if isinstance(rows, list) else []
    found = decode_each(
        Expectation, [{"sentence": "", **row} for row in told if isinstance(row, dict)]
    )
    return tuple(one for one in found if one.requirement and one.call)


def still_stated(
    expectations: Iterable[Expectation], requirements: Requirements
) -> tuple[Expectation, ...]:
    """Returns the expectations whose sentence is still in their requirement."""
    known = {item.id: item for item in requirements.testable}
    return tuple(
        one
        for one in expectations
        if one.requirement in known and stands_in(one.sentence, known[one.requirement])
    )
