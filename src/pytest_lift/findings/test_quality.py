"""Findings on tests that see no faults, that repeat others, or that depend on their order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from pytest_lift.findings.finding import GAIN, Finding, Kind
from pytest_lift.findings.mutants import survivor_findings
from pytest_lift.flakiness.orders import Dependence
from pytest_lift.measure.measurement import Measurement
from pytest_lift.redundancy.redundancy import DROPPABLE, Redundancy, find_redundancy
from pytest_lift.sensitivity.measuring import Strength
from pytest_lift.sensitivity.verdicts import Verdict
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Suite, path_of
from pytest_lift.trace.grounding import requirements_by_symbol

KINDS: Mapping[Verdict, Kind] = {"vacuous": "vacuous", "over-mocked": "over-mocked", "weak": "weak"}
TODO: Mapping[Kind, str] = {
    "vacuous": "assert what the call returns or changes",
    "over-mocked": "let the code under test run, and mock only what is around it",
    "weak": "assert the value itself, not only that there is one",
}


def strength_findings(measurement: Measurement) -> tuple[Finding, ...]:
    """Returns findings on weak tests, near-duplicates, redundant tests and levels. Pure."""
    return (*_weak(measurement), *_dead_weight(measurement), *_levels(measurement))


def _weak(measurement: Measurement) -> Iterator[Finding]:
    for node, one in measurement.strength.items():
        kind = KINDS.get(one.verdict)
        if kind is None or node in measurement.contradicting:
            continue
        file, line = _place(measurement.suite, node)
        told = f"{node} is {one.verdict}: {one.reason}"
        yield Finding(
            kind, told, file=file, line=line, tests=(node,), todo=TODO[kind], gain=GAIN[kind]
        )


def _dead_weight(measurement: Measurement) -> Iterator[Finding]:
    """Yields findings on near-duplicates of any author, and on redundant tests of the tool.
    Redundant tests are reported only if all mutants were measured, because tests that take the
    same branches may detect different faults."""
    if not measurement.coverage.by_test:
        return
    redundancy = find_redundancy(measurement)
    twins = redundancy.twins
    for node, twin in twins.items():
        if twin.likeness in DROPPABLE:
            yield _redundant("near-duplicate", node, redundancy, measurement.suite)
    owned = {test.node for test in measurement.suite.owned_tests()}
    mutation = measurement.mutation
    if mutation is not None and mutation.has_score and not mutation.sampled:
        for node in redundancy.redundant:
            if node in owned and node not in twins:
                yield _redundant("redundant", node, redundancy, measurement.suite)


def _redundant(kind: Kind, node: str, redundancy: Redundancy, suite: Suite) -> Finding:
    file, line = _place(suite, node)
    todo = "drop it, or make it a row of the other (--lift-minimise)"
    told = f"{node} {redundancy.why(node)}"
    return Finding(kind, told, file=file, line=line, tests=(node,), todo=todo, gain=GAIN[kind])


def _levels(measurement: Measurement) -> Iterator[Finding]:
    """Yields a finding for each requirement that asks for a level which none of its passing
    tests has."""
    for item in measurement.trace.requirements:
        wanted = item.requirement.level
        passing = [link.test for link in item.links if link.outcome == "passed"]
        known = [measurement.strength[node] for node in passing if node in measurement.strength]
        measured = [one for one in known if one.level is not None]
        if not wanted or not measured or any(one.level == wanted for one in measured):
            continue
        yield _level(measurement, item.requirement.id, wanted, measured[0])


def _level(measurement: Measurement, requirement: str, wanted: str, one: Strength) -> Finding:
    file, line = _place(measurement.suite, one.test)
    evidence = ", ".join(one.level_evidence)
    return Finding(
        "level-differs",
        f"{requirement} asks for a test at level {wanted}; {one.test} tests at level {one.level}",
        file=file,
        line=line,
        requirement=requirement,
        tests=(one.test,),
        evidence=evidence,
        todo=f"test it at level {wanted}, or correct the level that the requirement states",
        gain=GAIN["level-differs"],
    )


def _place(suite: Suite, node: str) -> tuple[str, int]:
    test = suite.function(node)
    return path_of(node), test.line if test else 0


@lru_cache(maxsize=4)
def fault_findings(
    measurement: Measurement, program: Program, dependences: tuple[Dependence, ...] = ()
) -> tuple[Finding, ...]:
    """Returns findings on surviving mutants, on tests that notice too little, and on tests that
    depend on their order. Empty if nothing was measured.

    Pure. The result is cached, because one iteration asks for it several times.
    """
    found: tuple[Finding, ...] = ()
    if measurement.mutation is not None:
        asked = (item.requirement for item in measurement.trace.requirements)
        found += survivor_findings(measurement.mutation, requirements_by_symbol(program, asked))
    if measurement.strength:
        found += strength_findings(measurement)
    there = {result.node for result in measurement.run.results.values()}
    return (*found, *(_dependent(one) for one in dependences if one.test in there))


def _dependent(one: Dependence) -> Finding:
    kind: Kind = "flaky" if one.kind in ("flaky", "unclear") else "polluting"
    if one.kind == "polluted":
        told = f"{', '.join(one.others)} makes the later test {one.test} fail"
        todo = "restore what it changes, or give each test its own state"
    elif one.kind == "brittle":
        told = (
            f"{one.test} fails alone: it needs {', '.join(one.others) or 'another test'} before it"
        )
        todo = "set up what it needs in the test itself"
    else:
        told = f"{one.test} does not always pass: {one.why}"
        todo = "fix the clock, the seed or the order that it depends on"
    tests = (*one.others, one.test) if kind == "polluting" else (one.test,)
    file = path_of(tests[0])
    return Finding(kind, told, file=file, tests=tests, evidence=one.why, todo=todo, gain=GAIN[kind])
