"""What the search tries and what was seen: cases, steps and observations as values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Origin = Literal["documented", "requirement", "searched"]


@dataclass(frozen=True)
class Step:
    """One statement or expression of a case; a checked one is an expression that is observed."""

    source: str
    check: bool = False
    want: str | None = None
    """What the documentation says is shown (doctest form), or None."""
    printed: bool = False
    """`want` is ``str`` of the value, not its ``repr``: the example prints it."""
    raises: bool = False
    """`want` is the last line of a traceback."""


@dataclass(frozen=True)
class Case:
    """A few lines of Python that use the program: replayable, readable, self-contained."""

    path: str
    """Source file that it is about."""
    symbol: str
    """Qualified name inside that file."""
    steps: tuple[Step, ...]
    imports: tuple[str, ...] = ()
    origin: Origin = "searched"
    requirement: str = ""
    """Id of the requirement whose example this is."""
    argv: tuple[str, ...] | None = None
    """Command line, for mains only; the files are written into the working directory first."""
    stdin: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    keywords: tuple[str, ...] = ()
    """Options that the call of `symbol` sets, constructor's included."""
    effect: tuple[str, str] = ("", "")
    """The option that the case is there to show, and what happens without it."""
    idle: tuple[str, ...] = ()
    """Options that are set without making a difference to the result."""
    cost: float = 0.0
    """How far from what a person would type: length, odd values, private names."""
    title: str = ""
    """A few words of the documentation that introduce it."""
    session: str = ""
    """The docstring or document that it was taken from."""
    exact: bool = False
    """All that an error says is asserted, not only that it comes: a mutant says something else."""

    @property
    def source(self) -> str:
        return "\n".join(step.source for step in self.steps)

    @property
    def key(self) -> str:
        return f"{self.path}\0{self.source}\0{self.argv}\0{self.stdin}\0{dict(self.files)}"


@dataclass(frozen=True)
class Raised:
    """An exception that ended a step."""

    type: str
    module: str
    message: str
    file: str
    """Where the innermost frame is, relative to the project root when inside the program."""
    line: int
    explicit: bool
    """That line is a `raise` statement of the program which names what it raises."""
    repeats: bool = False
    """The message holds that of another exception, which need not be the program's own."""


@dataclass(frozen=True)
class Outcome:
    """What one checked step evaluated to."""

    type: str = "NoneType"
    source: str | None = None
    """An expression equal to the value and of its type, or None."""
    wrap: str = ""
    """``list`` when the value is an iterator that was drained, ``islice`` when it was cut."""
    names: tuple[tuple[str, str], ...] = ()
    """(module, name) of what `source` refers to."""
    attributes: tuple[tuple[str, str], ...] = ()
    text: str | None = None
    """``str(value)`` where the class of the program defines it."""
    shown: str = ""
    """``repr(value)``, for comparison with documentation."""
    printed: str = ""
    files: tuple[tuple[str, str], ...] = ()
    """(name, text) of the files that a main wrote into its working directory."""
    raised: Raised | None = None

    @property
    def telling(self) -> bool:
        """Something can be asserted that a call which returns None would not satisfy."""
        if self.raised:
            return self.raised.explicit
        return bool(
            self.source not in (None, "None")
            or self.attributes
            or self.text
            or self.printed
            or self.files
        )


@dataclass(frozen=True)
class Observation:
    """One run of one case."""

    outcomes: tuple[Outcome, ...] = ()
    """One per checked step that was reached."""
    hits: frozenset[int] = frozenset()
    rejected: str = ""
    """Why it must not become a test (timeout, clock, file, state, ...), or ``""``."""

    @property
    def usable(self) -> bool:
        if self.rejected or not self.outcomes:
            return False
        accidental = any(o.raised and not o.raised.explicit for o in self.outcomes)
        return not accidental and any(o.telling for o in self.outcomes)


def observation_from(record: Mapping[str, Any]) -> Observation:
    """Read back what the child wrote; raises TypeError or ValueError for what it would not."""
    outcomes = tuple(_outcome_from(raw) for raw in record.get("outcomes", ()))
    hits = frozenset(record.get("hits", ()))
    if any(type(hit) is not int or hit < 0 for hit in hits):
        raise TypeError("hits are numbers of probes")
    return Observation(outcomes, hits, *_texts(record.get("rejected", "")))


def _outcome_from(raw: Mapping[str, Any]) -> Outcome:
    raised = raw.get("raised")
    kind, wrap, shown, printed = _texts(
        raw.get("type", "NoneType"),
        raw.get("wrap", ""),
        raw.get("shown", ""),
        raw.get("printed", ""),
    )
    source, text = (raw.get(name) for name in ("source", "text"))
    _texts(*(value for value in (source, text) if value is not None))
    return Outcome(
        type=kind,
        source=source,
        wrap=wrap,
        names=_pairs(raw.get("names", ())),
        attributes=_pairs(raw.get("attributes", ())),
        text=text,
        shown=shown,
        printed=printed,
        files=_pairs(raw.get("files", ())),
        raised=Raised(**raised) if raised else None,
    )


def _texts(*values: object) -> tuple[str, ...]:
    if not all(isinstance(value, str) for value in values):
        raise TypeError("a text was expected")
    return tuple(str(value) for value in values)


def _pairs(rows: Iterable[Any]) -> tuple[tuple[str, str], ...]:
    pairs = []
    for first, second in rows:
        _texts(first, second)
        pairs.append((first, second))
    return tuple(pairs)
