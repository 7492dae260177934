"""Results of the mutants of a program, as plain values: a part of `facts.Report`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pytest_lift.mutation.mutants import Interval, Verdict
from pytest_lift.text.secrets import Identifier


@dataclass(frozen=True)
class VerdictCount:
    """How many mutants got one verdict."""

    verdict: Verdict
    count: int


@dataclass(frozen=True)
class Survivor:
    """One change of the program that no test notices, though some execute it."""

    key: str
    """mutmut's name of it."""
    line: int
    symbol: str
    """Qualified in its file."""
    diff: str
    """One hunk, as ``diff -u`` writes it; empty where the report was capped."""
    mark: str = ""
    """Mark that is equal in another report: see `FunctionMarks`."""
    requirements: tuple[str, ...] = ()
    """Ids of those whose text names the function, or its class and no method of it."""
    tests: tuple[str, ...] = ()
    """Nodes of functions that execute it, the closest first; not all where they are many."""
    executed_by: int = 0
    """Number of all test functions of which these are the first."""
    likely_equivalent: str = ""
    """Why it is guessed that no test could notice it; empty where nothing speaks for that."""
    todo: str = ""
    """Effect that an assertion would have to see."""


@dataclass(frozen=True)
class FunctionMarks:
    """The measured mutants of one function, to be held against those of another report.

    A mark is made of what is changed and into what. It stays while that line does, wherever the
    line and the function move in the file.
    """

    symbol: str
    detected: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    """Survivors, and those that no test executes."""


@dataclass(frozen=True)
class MutantFile:
    """One source file with mutants, or with statements that none changes."""

    path: Identifier
    mutants: int
    """All of them, measured or not."""
    measured: int
    """Those that the score is a share of."""
    detected: int
    survived: int
    untested: int
    """No test executes their function."""
    left_alone: int = 0
    """Statements that no mutant changes."""
    survivors: tuple[Survivor, ...] = ()
    """By line; not all where the report was capped."""
    functions: tuple[FunctionMarks, ...] = ()

    @property
    def percent(self) -> float | None:
        """Detected ones of those measured; None where there is none."""
        return 100.0 * self.detected / self.measured if self.measured else None


@dataclass(frozen=True)
class MutationFacts:
    """How many changes of the program its tests notice, and which ones they do not."""

    percent: float
    """Detected ones of those measured."""
    mutants: int
    measured: int
    detected: int
    survived: int
    sampled: bool
    """Not all were measured: the score is an estimate."""
    interval: Interval | None = None
    """Interval of a sample in which the score of all mutants lies with 95 % confidence."""
    counts: tuple[VerdictCount, ...] = ()
    left_alone: int = 0
    """Statements of the program that no mutant changes."""
    files: tuple[MutantFile, ...] = ()
    """By path."""
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    complete: bool = True
    """Whether all of the sample was measured; else `percent` and `interval`, if there is one, are
    of its beginning."""
    earlier: str = ""
    """Which suite was measured, in words, where it is not the one of the report."""

    @property
    def has_score(self) -> bool:
        """Whether there is a score of the suite that the report is about, or an estimate of it by
        the beginning of a sample for which there was not time."""
        known = self.complete or self.interval is not None
        return known and not self.earlier and self.measured > 0

    @property
    def missed(self) -> int:
        """Changes that no test notices: survivors, and those that no test executes."""
        return self.measured - self.detected

    @property
    def survivors(self) -> tuple[tuple[str, Survivor], ...]:
        """(path, survivor), those listed, by file and line."""
        return tuple((file.path, one) for file in self.files for one in file.survivors)


def most_telling(listed: Iterable[tuple[str, Survivor]]) -> list[tuple[str, Survivor]]:
    """Those first that a person should look at first: every function has its turn, those of a
    requirement before the others, what may be equivalent at the end."""
    seen: Counter[tuple[str, str]] = Counter()
    ranks = {}
    for place, (path, one) in enumerate(listed):
        nth = seen[path, one.symbol]
        seen[path, one.symbol] += 1
        ranks[bool(one.likely_equivalent), nth, not one.requirements, place] = path, one
    return [ranks[rank] for rank in sorted(ranks)]
