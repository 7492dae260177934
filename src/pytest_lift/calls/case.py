"""Cases, their steps and the observations of running them, as values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Literal

from pytest_lift.calls.child.isolation.connections import CONNECTS

SEEDING = {
    "random": ("import random", "random.seed(1)"),
    "numpy": ("import numpy as np", "np.random.seed(1)"),
}
"""Module of a shared random generator -> its import and the statement that seeds it."""
SEEDS = frozenset(line for _, line in SEEDING.values())
"""Those statements."""

SLEEPS, WAITS, TELLS = "sleeps", "waits", "tells"
"""What a function of time does: it sleeps, it is awaited, it gives the seconds that passed."""
Awake = tuple[tuple[str, str], ...]
"""(name by which the program has a function of time, or what makes a connection, or one of its
methods; what it does)."""
Origin = Literal["documented", "requirement", "searched"]
OF_A_RUN = re.compile(
    r"/(pytest-)?lift-\w+/|\blift_case|\btest_case\.<locals>|(?P<quote>['\"])<case>(?P=quote)"
)
"""Part of the path of a folder, as that of the program's copy, and of the name of a class or of a
file of cases, that are there while these run, and no longer."""


@dataclass(frozen=True)
class Step:
    """Statement or expression of a case; a checked step is an expression whose value is
    observed."""

    source: str
    check: bool = False
    want: str | None = None
    """Output that the documentation shows (doctest form), or None."""
    printed: bool = False
    """Whether `want` is ``str`` of the value, not its ``repr``, because the example prints it."""
    raises: bool = False
    """Whether `want` is the last line of a traceback."""
    acts: bool = False
    """Whether a checked step is a statement: it has no value, but it may raise."""
    aside: bool = False
    """Whether a checked step reads what was written elsewhere: where that is empty it says
    nothing."""
    began: str = ""
    """What a checked step reads, as it was before the call: where it still is that, the step says
    nothing."""


@dataclass(frozen=True)
class Case:
    """Short Python snippet that uses the program: replayable, readable, self-contained."""

    path: str
    """Source file that the case exercises."""
    symbol: str
    """Qualified name of the exercised function or class in that file."""
    steps: tuple[Step, ...]
    imports: tuple[str, ...] = ()
    origin: Origin = "searched"
    requirement: str = ""
    """Id of the requirement whose example this is; empty for other cases."""
    argv: tuple[str, ...] | None = None
    """Command line that it finds in ``sys.argv``; None where that stays what it is."""
    command: tuple[str, ...] = ()
    """Command line that is tried, however the program gets it; empty for other cases."""
    stdin: str = ""
    binary: bool = False
    """Whether bytes can be read from standard input, too."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Text files that are first written to the working directory, by their relative paths."""
    folder: bool = False
    """Whether the working directory is an empty folder of its own also without files to read."""
    home: bool = False
    """Whether that folder is the home of the user, too."""
    alone: bool = False
    """Whether no other programs are found: `PATH` names no folder."""
    awake: Awake = ()
    """Functions by which the program waits and tells the time, where waiting returns at once and
    the time that passes is that for which it would have waited; and those by which it connects to
    others, where it gets a connection to nobody."""
    keywords: tuple[str, ...] = ()
    """Options that the call of `symbol` sets, including those of its constructor."""
    effect: str = ""
    """Option whose effect the case shows, as it is set: ``indent=2``."""
    idle: tuple[str, ...] = ()
    """Options that are set but do not change the result."""
    cost: float = 0.0
    """Distance from what a person would type: length, odd values, private names."""
    subject: str = ""
    """Variable of the object whose state the case changes or reads; empty where there is none."""
    closing: str = ""
    """Statement that closes that object; empty where none does."""
    defines: int = 0
    """Number of its first steps that define a class or a function."""
    seeded: bool = False
    """Whether it begins by seeding the random generators that it draws from."""
    stateful: bool = False
    """Whether its lines hang together by what the program keeps for itself, so that all of them
    stay: those at the end may take back what others would find changed."""
    watched: tuple[str, ...] = ()
    """Variables whose objects are viewed before and after the last step."""
    optional: bool = False
    """Whether None is one of several answers of what it calls."""
    asks: bool = False
    """Whether its last call left what the object shows as it was."""
    title: str = ""
    """Short text of the documentation that introduces the case."""
    session: str = ""
    """Docstring or document that the case was taken from."""
    part: int = 0
    """Number of the part, where an example of a document is told in several tests."""
    looped: bool = False
    """Whether its steps after the definitions run in one event loop, so that they may wait."""
    doubtful: bool = False
    """Whether a searched case is unlike what a person types, whatever comes out."""
    exact: bool = False
    """Whether the whole message of an error is asserted, not only its type, because a mutant
    changes it."""

    @classmethod
    def made(cls, **values: Any) -> Case:
        """Returns a case with these fields: what calling the class does, several times faster."""
        case = object.__new__(cls)
        case.__dict__.update(_DEFAULTS)
        case.__dict__.update(values)
        return case

    @cached_property
    def source(self) -> str:
        return "\n".join(step.source for step in self.steps)

    @property
    def plain_symbol(self) -> str:
        """`symbol` without the number that tells a documented program from others."""
        return self.symbol.partition("#")[0]

    @property
    def placed(self) -> bool:
        """Whether it has surroundings of its own: a folder with nothing in it but `files`, a
        command line, a standard input, no other programs, or no sleep."""
        own = self.folder or self.alone or self.argv is not None
        return own or bool(self.awake) or bool(self.files) or bool(self.stdin)

    @property
    def connects(self) -> tuple[str, ...]:
        """What takes the place of connections to others, and its methods."""
        return tuple(name for name, kind in self.awake if kind == CONNECTS)

    @cached_property
    def key(self) -> str:
        how = f"{self.folder}{self.home}{self.alone}{self.awake}{self.binary}"
        given = f"{self.argv}\0{self.stdin}\0{dict(self.files)}\0{how}"
        return f"{self.path}\0{self.source}\0{given}"


_DEFAULTS = {one.name: one.default for one in fields(Case)}


@dataclass(frozen=True)
class Raised:
    """Exception that ended a step."""

    type: str
    module: str
    message: str
    file: str
    """File of the innermost frame, relative to the project root if it is in the program."""
    line: int
    explicit: bool
    """Whether that line is a `raise` statement of the program that names an exception."""
    repeats: bool = False
    """Whether the message contains that of another exception, which may not be the program's
    own."""
    varies: bool = False
    """Whether the message is only the beginning that several runs had in common: what follows is
    another text each time, and the end of what is there may be one, too."""


@dataclass(frozen=True)
class Outcome:
    """Result of evaluating one checked step."""

    type: str = "NoneType"
    source: str | None = None
    """Expression that is equal to the value and of its type, or None."""
    wrap: str = ""
    """``list`` if the value is an iterator that was read to its end, ``islice`` if only in part."""
    names: tuple[tuple[str, str], ...] = ()
    """(module, name) of each name that `source` uses."""
    attributes: tuple[tuple[str, str], ...] = ()
    text: str | None = None
    """``str(value)`` if a class of the program defines it."""
    shown: str = field(default="", compare=False)
    """``repr(value)``, for comparison with documentation; it may contain an address."""
    printed: str = ""
    complained: str = ""
    """What was written to standard error before the program ended itself."""
    late: bool = field(default=False, compare=False)
    """Whether something was printed before it."""
    files: tuple[tuple[str, str], ...] = ()
    """(path, text) of files that a placed case wrote to its folder, and what stands for no file
    (`child.isolation.surroundings.GONE`) of those that it removed from there."""
    absent: bool = False
    """Whether it is None where the call gives something on another way."""
    raised: Raised | None = None

    @property
    def telling(self) -> bool:
        """Whether something can be asserted that not every call which returns would satisfy."""
        if self.raised:
            return self.raised.explicit
        return bool(
            self.source not in (None, "None")
            or self.absent
            or self.attributes
            or self.text
            or self.printed
            or self.files
        )


@dataclass(frozen=True)
class Observation:
    """Result of one run of one case."""

    outcomes: tuple[Outcome, ...] = ()
    """Outcomes of the checked steps that were reached."""
    hits: frozenset[int] = frozenset()
    state: str = ""
    """Digest of the abstract state in which the case left its subject: types, emptiness, flags."""
    views: tuple[Mapping[str, tuple[tuple[str, str], ...]], ...] = ()
    """What watched variables show, before and after the last step: name -> (expression with ``{}``
    for the variable, source of its value)."""
    rejected: str = ""
    """Why the case must not become a test (timeout, clock, file, state, ...), or ``""``."""
    leaves: bool = False
    """Whether the case leaves variables of modules changed, and gives the same after that; or, of a
    run that looks at them (`Prober.observe`, `tidy`), attributes of classes or of their objects."""
    registers: bool = False
    """Whether what the case defines is registered in the program, and stays there in a test; or,
    of such a run, whether a variable of a module is not None any more."""

    @property
    def fails(self) -> bool:
        """Whether one of the checked steps ended with an error."""
        return any(outcome.raised for outcome in self.outcomes)

    @property
    def usable(self) -> bool:
        if self.rejected or not self.outcomes:
            return False
        accidental = any(o.raised and not o.raised.explicit for o in self.outcomes)
        return not accidental and (bool(self.state) or any(o.telling for o in self.outcomes))


def observation_from(record: Mapping[str, Any]) -> Observation:
    """Reads a record of the child's journal; raises TypeError or ValueError if it is malformed."""
    outcomes = tuple(_outcome_from(raw) for raw in record.get("outcomes", ()))
    hits = frozenset(record.get("hits", ()))
    if any(type(hit) is not int or hit < 0 for hit in hits):
        raise TypeError("hits are numbers of probes")
    state, rejected = _texts(record.get("state", ""), record.get("rejected", ""))
    views = tuple(
        {name: _pairs(rows) for name, rows in view.items()} for view in record.get("views", ())
    )
    leaves = record.get("leaves", False) is True
    registers = record.get("registers", False) is True
    return Observation(outcomes, hits, state, views, rejected, leaves, registers)


def _outcome_from(raw: Mapping[str, Any]) -> Outcome:
    raised = raw.get("raised")
    kind, wrap, shown, printed, complained = _texts(
        raw.get("type", "NoneType"),
        raw.get("wrap", ""),
        raw.get("shown", ""),
        raw.get("printed", ""),
        raw.get("complained", ""),
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
        complained=complained,
        late=bool(raw.get("late")),
        files=_pairs(raw.get("files", ())),
        absent=bool(raw.get("absent")),
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


def as_json(case: Case) -> dict[str, Any]:
    """Returns the case as the children read it."""
    return {
        "imports": case.imports,
        "steps": [(s.source, s.check, s.acts, s.began or s.aside) for s in case.steps],
        "argv": case.argv,
        "stdin": case.stdin,
        "binary": case.binary,
        "files": dict(case.files),
        "placed": case.placed,
        "changes": case.folder or bool(case.files or case.stdin) or case.argv is not None,
        "looped": case.looped,
        "home": case.home,
        "alone": case.alone,
        "awake": case.awake,
        "entry": bool(case.command),
        "subject": case.subject,
        "closing": case.closing,
        "defines": case.defines,
        "watched": case.watched,
        "seeded": _seeded(case),
        "optional": case.optional,
        "symbol": f"{case.path}:{case.symbol}",
        "children": starts_children(case),
    }


def _seeded(case: Case) -> list[str]:
    """Returns the modules whose shared random generators a case seeds: all of them where it does so
    in words of its own."""
    if not case.seeded:
        return []
    lines = {step.source for step in case.steps}
    return [name for name, (_, seed) in SEEDING.items() if seed in lines] or [*SEEDING]


def starts_children(case: Case) -> bool:
    """Whether the case is a documented command line, which may start the interpreter."""
    return case.origin == "requirement" and "subprocess" in case.source
