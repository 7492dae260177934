"""The parts of a report, gathered from a trace and the measurements of a suite."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.coverage.uncovered import Uncovered, uncovered
from pytest_lift.evolve.iteration import Iteration
from pytest_lift.llm.values import Usage
from pytest_lift.measure.measurement import NOTHING_KNOWN, Knowledge
from pytest_lift.mutation.mutation import Mutation
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
from pytest_lift.report.mutant_facts import kills
from pytest_lift.run.result import Run, TestResult
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Suite
from pytest_lift.text.wording import count
from pytest_lift.trace.grounding.subjects import Grounding
from pytest_lift.trace.statuses import Status, cases_of, outcome_of
from pytest_lift.trace.trace import Link, RequirementTrace, Trace

MOST_SOURCE = 1024 * 1024
"""Largest number of characters of sources with gaps; beyond it, the sources are left out."""
LONGEST_FAILURE = 400


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
    told: Knowledge = NOTHING_KNOWN
    """What agents have contributed."""


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
    """Returns the standing of a test; without requirement files every id counts as known."""
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
    """Returns the facts of one iteration; `statuses` are those before it, and are updated."""
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
