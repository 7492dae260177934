"""Results of mutation testing, as plain values: a part of `facts.Report`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pytest_lift.mutation.mutation import Interval, Verdict
from pytest_lift.text.printable import Identifier


@dataclass(frozen=True)
class VerdictCount:
    """Number of mutants with one verdict."""

    verdict: Verdict
    count: int


@dataclass(frozen=True)
class Survivor:
    """Surviving mutant: a change of the program that no test detects, although tests execute it."""

    key: str
    """Name that mutmut gives it."""
    line: int
    symbol: str
    """Name qualified within the file."""
    diff: str
    """Hunk in the format of ``diff -u``; empty if the report was capped."""
    mark: str = ""
    """Mark that the same mutant has in other reports: see `FunctionMarks`."""
    requirements: tuple[str, ...] = ()
    """Ids of requirements whose text names the function, or its class and none of the class's
    methods."""
    tests: tuple[str, ...] = ()
    """Nodes of test functions that execute it, the most specific first; limited in number."""
    executed_by: int = 0
    """Number of all test functions that execute it."""
    likely_equivalent: str = ""
    """Reason why the mutant may be equivalent to the program; empty if nothing suggests it."""
    todo: str = ""
    """Advice what an assertion has to check to detect it."""


@dataclass(frozen=True)
class FunctionMarks:
    """Marks of the measured mutants of one function, for comparison with another report.

    A mark is made of the changed code and its replacement. It stays the same while the changed line
    does, wherever the line and the function move in the file.
    """

    symbol: str
    detected: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    """Survivors and mutants that no test executes."""


@dataclass(frozen=True)
class MutantFile:
    """Source file with mutants, or with statements that no mutant changes."""

    path: Identifier
    mutants: int
    """Number of all mutants, measured or not."""
    measured: int
    """Number of mutants that count in the score."""
    detected: int
    survived: int
    untested: int
    """Number of mutants in functions that no test executes."""
    left_alone: int = 0
    """Number of statements that no mutant changes."""
    survivors: tuple[Survivor, ...] = ()
    """Survivors by line; incomplete if the report was capped."""
    functions: tuple[FunctionMarks, ...] = ()

    @property
    def percent(self) -> float | None:
        """Percentage of the measured mutants that are detected; None if none was measured."""
        return 100.0 * self.detected / self.measured if self.measured else None


@dataclass(frozen=True)
class MutationFacts:
    """Mutation score of a suite, and the mutants that it does not detect."""

    percent: float
    """Percentage of the measured mutants that are detected."""
    mutants: int
    measured: int
    detected: int
    survived: int
    sampled: bool
    """Whether only a sample was chosen, so that the score is an estimate."""
    interval: Interval | None = None
    """Confidence interval (95 %) for the score of all mutants, computed from the sample."""
    counts: tuple[VerdictCount, ...] = ()
    left_alone: int = 0
    """Number of statements of the program that no mutant changes."""
    files: tuple[MutantFile, ...] = ()
    """Files in the order of their paths."""
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    complete: bool = True
    """Whether the whole sample was measured; otherwise `percent` and `interval`, if there is
    one, are those of its beginning."""
    earlier: str = ""
    """Description of the measured suite, if it is not the suite of the report."""

    @property
    def has_score(self) -> bool:
        """Whether there is a score of the reported suite, or an estimate of it from the
        beginning of a sample that could not be measured to the end."""
        known = self.complete or self.interval is not None
        return known and not self.earlier and self.measured > 0

    @property
    def missed(self) -> int:
        """Number of measured mutants that no test detects: survivors, and mutants that no test
        executes."""
        return self.measured - self.detected

    @property
    def survivors(self) -> tuple[tuple[str, Survivor], ...]:
        """(path, survivor) of all listed survivors, by file and line."""
        return tuple((file.path, one) for file in self.files for one in file.survivors)


def most_telling(listed: Iterable[tuple[str, Survivor]]) -> list[tuple[str, Survivor]]:
    """Returns the survivors in the order in which a person should look at them: the first of
    each function before the second of any, then those of a requirement first; likely equivalent
    ones come last."""
    seen: Counter[tuple[str, str]] = Counter()
    ranks = {}
    for place, (path, one) in enumerate(listed):
        nth = seen[path, one.symbol]
        seen[path, one.symbol] += 1
        ranks[bool(one.likely_equivalent), nth, not one.requirements, place] = path, one
    return [ranks[rank] for rank in sorted(ranks)]
