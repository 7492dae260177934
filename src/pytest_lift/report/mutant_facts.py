"""Results of mutation testing in a report: plain values, and how they are gathered."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import get_args

from pytest_lift.findings.test_quality import because, what_to_assert
from pytest_lift.mutation.change import likely_equivalent
from pytest_lift.mutation.mutation import (
    DETECTED,
    SCORED,
    Interval,
    Mutant,
    Mutation,
    Verdict,
    marked,
)
from pytest_lift.source.program import Program
from pytest_lift.source.worthless import WorthlessMutant
from pytest_lift.text.printable import Identifier
from pytest_lift.trace.grounding.subjects import requirements_by_symbol
from pytest_lift.trace.trace import Trace

NONE_JUDGED: Mapping[str, WorthlessMutant] = MappingProxyType({})
MOST_SURVIVORS = 2000
"""Largest number of survivors that a report lists; all survivors are counted."""
MOST_DIFFS = 2_000_000
"""Largest number of characters of all diffs together."""
MOST_TESTS = 8
"""Largest number of tests named for one survivor."""


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


def mutation_facts(
    mutation: Mutation,
    program: Program,
    trace: Trace,
    worthless: Mapping[str, WorthlessMutant] = NONE_JUDGED,
) -> tuple[MutationFacts, tuple[str, ...]]:
    """Returns figures, files and survivors, and notes on what was left out. `worthless` are
    mutants that were judged to be worth no test, by mark."""
    marks = marked(mutation.mutants.values())
    requirements = requirements_by_symbol(program, (one.requirement for one in trace.requirements))
    survivors = _Survivors(mutation, requirements, marks, worthless)
    ranked = most_telling((one.file, survivors.facts_of(one)) for one in mutation.survivors)
    shown, bare = _with_room(ranked[:MOST_SURVIVORS])
    told = mutation if mutation.complete else mutation.estimate
    found = MutationFacts(
        percent=round((told or mutation).percent, 2),
        mutants=len(mutation.mutants),
        measured=mutation.scored,
        detected=len(mutation.detected),
        survived=mutation.counts["survived"],
        sampled=mutation.sampled,
        interval=_rounded(told.interval) if told else None,
        counts=tuple(
            VerdictCount(verdict, mutation.counts[verdict])
            for verdict in get_args(Verdict)
            if mutation.counts[verdict]
        ),
        left_alone=sum(mutation.left_alone.values()),
        files=tuple(_files(mutation, shown, marks)),
        notes=mutation.notes,
        seconds=round(mutation.seconds, 2),
        complete=mutation.complete,
        earlier=mutation.earlier,
    )
    return found, tuple(_left_out(len(ranked), len(shown), bare))


def kills(mutation: Mutation | None) -> Mapping[str, int] | None:
    """Returns test function -> number of mutants that it is known to kill; None if no killers
    are known."""
    if mutation is None or not mutation.killers:
        return None
    found = Counter[str]()
    for killers in mutation.killers.values():
        found.update({node.partition("[")[0] for node in killers})
    return found


class _Survivors:
    """Facts about each survivor: its requirements, its tests and advice."""

    def __init__(
        self,
        mutation: Mutation,
        requirements: Mapping[tuple[str, str], tuple[str, ...]],
        marks: Mapping[str, str],
        worthless: Mapping[str, WorthlessMutant],
    ) -> None:
        self._mutation = mutation
        self._worthless = worthless
        self._requirements = requirements
        self._marks = marks
        self._known: dict[str, tuple[tuple[str, ...], int]] = {}

    def facts_of(self, mutant: Mutant) -> Survivor:
        tests, executed_by = self._tests(mutant.function)
        seen = self._mutation.seen_of(mutant)
        judged = self._worthless.get(self._marks[mutant.key])
        guess = because(judged.why) if judged else likely_equivalent(mutant, seen)
        return Survivor(
            mutant.key,
            mutant.line,
            mutant.symbol,
            mutant.diff,
            self._marks[mutant.key],
            self._requirements.get((mutant.file, mutant.symbol), ()),
            tests,
            executed_by,
            guess,
            what_to_assert(mutant, seen, guess),
        )

    def _tests(self, function: str) -> tuple[tuple[str, ...], int]:
        """Returns some test functions that execute `function`, and the number of all of them.
        Tests that execute the fewest other functions come first, because they are the most
        specific."""
        if function not in self._known:
            nodes = self._executing.get(function, frozenset())
            entered = self._entered
            first = heapq.nsmallest(MOST_TESTS, nodes, key=lambda node: (entered[node], node))
            self._known[function] = tuple(first), len(nodes)
        return self._known[function]

    @cached_property
    def _executing(self) -> Mapping[str, frozenset[str]]:
        """Function of the program -> test functions that execute it."""
        return {
            function: frozenset(node.partition("[")[0] for node in nodes)
            for function, nodes in self._mutation.tests.items()
        }

    @cached_property
    def _entered(self) -> Counter[str]:
        """Test function -> number of functions of the program that it executes."""
        found: Counter[str] = Counter()
        for nodes in self._executing.values():
            found.update(nodes)
        return found


def _with_room(
    ranked: Sequence[tuple[str, Survivor]],
) -> tuple[list[tuple[str, Survivor]], int]:
    """Removes diffs once they exceed the limit; also returns the number of removed diffs."""
    room, shown, bare = MOST_DIFFS, [], 0
    for path, one in ranked:
        fits = len(one.diff) <= room
        room -= len(one.diff) if fits else 0
        bare += not fits
        shown.append((path, one if fits else replace(one, diff="")))
    return shown, bare


def _left_out(survivors: int, shown: int, bare: int) -> Iterator[str]:
    if survivors > shown:
        yield f"{survivors - shown:,} of {survivors:,} surviving mutants are not listed"
    if bare:
        yield f"the diffs of {bare:,} surviving mutants are left out: they are too long together"


def _rounded(interval: Interval | None) -> Interval | None:
    return Interval(round(interval.low, 2), round(interval.high, 2)) if interval else None


def _files(
    mutation: Mutation, shown: Iterable[tuple[str, Survivor]], marks: Mapping[str, str]
) -> Iterator[MutantFile]:
    by_file: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutation.mutants.values():
        by_file[mutant.file].append(mutant)
    survivors: dict[str, list[Survivor]] = defaultdict(list)
    for path, one in shown:
        survivors[path].append(one)
    for path in sorted(by_file.keys() | mutation.left_alone.keys()):
        verdicts = Counter(mutation.verdicts.get(one.key) for one in by_file[path])
        listed = sorted(survivors[path], key=lambda one: (one.line, one.key))
        yield MutantFile(
            path,
            len(by_file[path]),
            sum(verdicts[verdict] for verdict in SCORED),
            sum(verdicts[verdict] for verdict in DETECTED),
            verdicts["survived"],
            verdicts["untested"],
            mutation.left_alone.get(path, 0),
            tuple(listed),
            tuple(_functions(by_file[path], mutation, marks)),
        )


def _functions(
    mutants: Iterable[Mutant], mutation: Mutation, marks: Mapping[str, str]
) -> Iterator[FunctionMarks]:
    found: dict[str, tuple[list[str], list[str]]] = {}
    for one in mutants:
        verdict = mutation.verdicts.get(one.key)
        if verdict in SCORED:
            pair = found.setdefault(one.symbol, ([], []))
            pair[verdict not in DETECTED].append(marks[one.key])
    for symbol in sorted(found):
        detected, missed = found[symbol]
        yield FunctionMarks(symbol, tuple(sorted(detected)), tuple(sorted(missed)))
