"""The mutants that a lift measured -> their part of a `Report`. Pure."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import get_args

from pytest_lift.findings.mutants import what_to_assert
from pytest_lift.mutation.equivalence import likely_equivalent
from pytest_lift.mutation.mutants import DETECTED, SCORED, Interval, Mutant, Verdict
from pytest_lift.mutation.mutation import Mutation
from pytest_lift.mutation.sampling import marked
from pytest_lift.report.mutant_facts import (
    FunctionMarks,
    MutantFile,
    MutationFacts,
    Survivor,
    VerdictCount,
    most_telling,
)
from pytest_lift.source.program import Program
from pytest_lift.trace.belonging import Belonging
from pytest_lift.trace.trace import Trace

MOST_SURVIVORS = 2000
"""Survivors that a report lists; all of them are counted."""
MOST_DIFFS = 2_000_000
"""Characters of all diffs together."""
MOST_TESTS = 8
"""Tests named of one survivor."""


def mutation_facts(
    mutation: Mutation, program: Program, trace: Trace
) -> tuple[MutationFacts, tuple[str, ...]]:
    """Figures, files and survivors; what of them was left out, in words."""
    marks = marked(mutation.mutants.values())
    survivors = _Survivors(mutation, Belonging(program, trace), marks)
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
    """Test function -> mutants that it is known to fail on; None where no killer is known."""
    if mutation is None or not mutation.killers:
        return None
    found = Counter[str]()
    for killers in mutation.killers.values():
        found.update({node.partition("[")[0] for node in killers})
    return found


class _Survivors:
    """What is looked up for each survivor."""

    def __init__(self, mutation: Mutation, belonging: Belonging, marks: Mapping[str, str]) -> None:
        self._mutation = mutation
        self._belonging = belonging
        self._marks = marks
        self._known: dict[str, tuple[tuple[str, ...], int]] = {}

    def facts_of(self, mutant: Mutant) -> Survivor:
        tests, executed_by = self._tests(mutant.function)
        seen = self._mutation.seen_of(mutant)
        guess = likely_equivalent(mutant, seen)
        return Survivor(
            mutant.key,
            mutant.line,
            mutant.symbol,
            mutant.diff,
            self._marks[mutant.key],
            self._belonging.requirements(mutant.symbol),
            tests,
            executed_by,
            guess,
            what_to_assert(mutant, seen, guess),
        )

    def _tests(self, function: str) -> tuple[tuple[str, ...], int]:
        """Some that execute it, and how many do. Those that execute the fewest other functions
        come first: they are about this one."""
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
        """Test function -> how many functions of the program it executes."""
        found: Counter[str] = Counter()
        for nodes in self._executing.values():
            found.update(nodes)
        return found


def _with_room(
    ranked: Sequence[tuple[str, Survivor]],
) -> tuple[list[tuple[str, Survivor]], int]:
    """The same, with diffs as long as there is room for them; how many have none."""
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
