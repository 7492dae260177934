"""The parts of a report, gathered from a trace and the measurements of a suite."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import get_args

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.coverage.uncovered import Uncovered, uncovered
from pytest_lift.evolve.iteration import Iteration
from pytest_lift.findings.test_quality import what_to_assert
from pytest_lift.llm.values import Usage
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
from pytest_lift.oracles.discrepancies import Discrepancy, bare, plainly
from pytest_lift.report.facts import (
    Difference,
    Evidence,
    Gap,
    GapFile,
    IterationFacts,
    LinkFacts,
    RequirementFacts,
    RoleCost,
    Standing,
    StatusEvent,
    TestFacts,
)
from pytest_lift.report.mutant_facts import (
    FunctionMarks,
    MutantFile,
    MutationFacts,
    Survivor,
    VerdictCount,
    most_telling,
)
from pytest_lift.run.result import Run, TestResult
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Suite
from pytest_lift.text.wording import count
from pytest_lift.trace.grounding import Grounding, requirements_by_symbol
from pytest_lift.trace.statuses import Status, cases_of, outcome_of
from pytest_lift.trace.trace import Link, RequirementTrace, Trace

MOST_SURVIVORS = 2000
"""Largest number of survivors that a report lists; all survivors are counted."""
MOST_DIFFS = 2_000_000
"""Largest number of characters of all diffs together."""
MOST_TESTS = 8
"""Largest number of tests named for one survivor."""


MOST_SOURCE = 1024 * 1024
"""Largest number of characters of sources with gaps; beyond it, the sources are left out."""
LONGEST_FAILURE = 400


def mutation_facts(
    mutation: Mutation, program: Program, trace: Trace
) -> tuple[MutationFacts, tuple[str, ...]]:
    """Returns figures, files and survivors, and notes on what was left out."""
    marks = marked(mutation.mutants.values())
    requirements = requirements_by_symbol(program, (one.requirement for one in trace.requirements))
    survivors = _Survivors(mutation, requirements, marks)
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
    ) -> None:
        self._mutation = mutation
        self._requirements = requirements
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


@dataclass(frozen=True)
class Known:
    """Measured facts about one suite, from a session or from a lift."""

    suite: Suite
    """Suite with every test file that ran, also those outside its root."""
    run: Run
    trace: Trace
    program: Program | None = None
    coverage: Coverage | None = None
    """None if coverage was not measured."""
    iterations: Sequence[Iteration] = ()
    mutation: Mutation | None = None
    """None if mutants were not measured."""


def requirement_facts(known: Known) -> tuple[RequirementFacts, ...]:
    """Returns the requirements in the order of the requirement files."""
    grounding = Grounding(known.program, known.coverage) if known.program else None
    changes = _history(known.iterations)
    return tuple(
        _requirement(item, grounding, changes.get(item.requirement.id, ()))
        for item in known.trace.requirements
    )


def _requirement(
    item: RequirementTrace, grounding: Grounding | None, history: Sequence[StatusEvent]
) -> RequirementFacts:
    said = item.requirement
    named = grounding.named(said) if grounding else ()
    return RequirementFacts(
        id=said.id,
        title=said.title,
        description=said.description,
        acceptance=said.acceptance,
        status=item.status,
        scope=said.scope,
        file=said.file,
        line=said.line,
        level=said.level,
        tags=said.tags,
        examples=said.examples,
        scenario=said.scenario,
        reason=said.exempt,
        waived_on=said.waived_on,
        waived_until=said.waived_until,
        links=tuple(_link(link, named, grounding) for link in item.links),
        differences=tuple(_difference(one) for one in item.contradictions),
        points=item.points,
        history=tuple(history),
    )


def _link(link: Link, named: tuple[str, ...], grounding: Grounding | None) -> LinkFacts:
    executed = grounding.executed(link.test, named) if grounding else None
    return LinkFacts(
        link.test,
        link.outcome,
        link.grade,
        link.basis,
        link.sentence,
        Evidence(named, executed),
        link.covers,
        link.doubt,
        link.cases,
    )


def _difference(said: Discrepancy) -> Difference:
    return Difference(
        bare(said.call),
        plainly(said.expected),
        plainly(said.actual),
        said.sentence,
        said.suspect,
        said.why,
        said.setup,
        said.broken,
    )


def _history(iterations: Iterable[Iteration]) -> dict[str, list[StatusEvent]]:
    found: dict[str, list[StatusEvent]] = defaultdict(list)
    for iteration in iterations:
        for name, status in iteration.changes.statuses.items():
            found[name].append(StatusEvent(iteration.number, status))
    return found


def facts_of_tests(known: Known) -> tuple[TestFacts, ...]:
    """Returns every test that ran, by file and line; inherited tests and doctests are last in
    their file."""
    rows: dict[str, list[TestResult]] = defaultdict(list)
    for result in known.run.rows:
        rows[result.function].append(result)
    ids = {item.requirement.id for item in known.trace.requirements} | known.trace.elsewhere
    killed = kills(known.mutation)
    facts = [_test(node, found, known.suite, ids, killed) for node, found in rows.items()]
    return tuple(sorted(facts, key=lambda one: (one.node.partition("::")[0], one.line or 1 << 30)))


def _test(
    node: str,
    rows: list[TestResult],
    suite: Suite,
    ids: set[str],
    killed: Mapping[str, int] | None,
) -> TestFacts:
    named = tuple(dict.fromkeys(name for row in rows for name in row.requirements))
    emergent = next((row.emergent for row in rows if row.emergent is not None), None)
    bad = next((row.failure for row in rows if row.failure), None)
    test = suite.function(node)
    return TestFacts(
        node=node,
        outcome=outcome_of(rows),
        standing=_standing(named, emergent, ids),
        requirements=named,
        emergent=emergent,
        rows=len(rows),
        cases=cases_of(rows),
        seconds=round(sum(row.seconds for row in rows), 4),
        generated=test is not None and suite.is_owned(test),
        doc=rows[0].doc or (test.doc if test else ""),
        line=test.line if test else 0,
        source=suite.source(test).rstrip() if test else "",
        failure=f"{bad.type}: {bad.message}"[:LONGEST_FAILURE] if bad else "",
        reason=next((row.reason for row in rows if row.reason), ""),
        kills=killed.get(node, 0) if killed is not None else None,
    )


def _standing(named: Sequence[str], emergent: str | None, ids: set[str]) -> Standing:
    """Returns the standing of a test. If there are no requirement files, every id counts as
    known."""
    if any(name in ids or not ids for name in named):
        return "linked"
    if named:
        return "unknown-id"
    return "emergent" if emergent is not None else "unlinked"


def gap_files(known: Known) -> tuple[tuple[GapFile, ...] | None, tuple[str, ...]]:
    """Returns source files with code that is not executed, those with the most missed lines
    first, and notes on what was capped."""
    if known.coverage is None or known.program is None:
        return None, ()
    found: dict[str, list[Uncovered]] = defaultdict(list)
    for one in uncovered(known.coverage, known.program):
        found[one.source.path].append(one)
    room, files, left = MOST_SOURCE, [], 0
    for path in sorted(found, key=lambda path: -sum(len(one.lines) for one in found[path])):
        text = found[path][0].source.text
        fits = len(text) <= room
        room -= len(text) if fits else 0
        left += not fits
        files.append(_gap_file(path, found[path], known.coverage, text if fits else ""))
    note = (
        f"the sources of {count(left, 'file')} with gaps are left out: they are too long together"
    )
    return tuple(files), (note,) if left else ()


def _gap_file(path: str, found: list[Uncovered], coverage: Coverage, text: str) -> GapFile:
    figures = coverage.files[path]
    gaps = tuple(
        Gap(one.symbol, one.line, one.lines, one.branches, one.reach, one.what)
        for one in sorted(found, key=lambda one: one.line)
    )
    return GapFile(
        path,
        figures.statements,
        len(figures.executed),
        figures.branches,
        figures.covered_branches,
        gaps,
        text,
    )


def iteration_facts(iterations: Sequence[Iteration]) -> tuple[IterationFacts, ...]:
    statuses: dict[str, Status] = {}
    return tuple(_iteration(one, statuses) for one in iterations)


def _iteration(one: Iteration, statuses: dict[str, Status]) -> IterationFacts:
    """Returns the facts of one iteration. `statuses` holds the statuses before it and is
    updated."""
    new = one.changes.statuses
    gained = [name for name, status in new.items() if status == "verified"]
    lost = [name for name in new if statuses.get(name) == "verified" and name not in gained]
    statuses.update(new)
    return IterationFacts(
        one.number,
        one.mode,
        one.accepted,
        one.why,
        one.figures.tests,
        one.figures.passed,
        one.figures.line_percent,
        one.figures.branch_percent,
        one.figures.verified,
        one.elapsed,
        one.figures.mutation_percent,
        tokens=one.spent.tokens,
        cost=one.spent.cost,
        verdict=one.verdict,
        added=one.changes.added,
        changed=one.changes.changed,
        removed=one.changes.removed,
        gained=tuple(gained),
        lost=tuple(lost),
    )


def role_costs(usages: Mapping[str, Usage]) -> tuple[RoleCost, ...]:
    return tuple(RoleCost(role, **vars(usage)) for role, usage in usages.items())
