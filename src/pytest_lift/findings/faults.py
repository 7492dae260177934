"""Trial -> findings on faults that go unseen, and on tests that see none."""

from __future__ import annotations

from functools import lru_cache

from pytest_lift.findings.finding import GAIN, Finding, Kind
from pytest_lift.findings.mutants import survivor_findings
from pytest_lift.findings.test_quality import strength_findings
from pytest_lift.flakiness.orders import Dependence
from pytest_lift.measure.measurement import Measurement
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import path_of
from pytest_lift.trace.belonging import Belonging


@lru_cache(maxsize=4)
def fault_findings(
    measurement: Measurement, program: Program, dependences: tuple[Dependence, ...] = ()
) -> tuple[Finding, ...]:
    """Of survivors, of what each test can notice, and of tests that depend on their order;
    nothing where nothing was measured. Pure: asked several times in one iteration, worked out
    once."""
    found: tuple[Finding, ...] = ()
    if measurement.mutation is not None:
        found += survivor_findings(measurement.mutation, Belonging(program, measurement.trace))
    if measurement.strength:
        found += strength_findings(measurement)
    there = {result.node for result in measurement.run.results.values()}
    return (*found, *(_dependent(one) for one in dependences if one.test in there))


def _dependent(one: Dependence) -> Finding:
    kind: Kind = "flaky" if one.kind in ("flaky", "unclear") else "polluting"
    if one.kind == "polluted":
        told = f"{', '.join(one.others)} makes {one.test} fail that comes after it"
        todo = "let it put back what it changes, or give each test a state of its own"
    elif one.kind == "brittle":
        told = (
            f"{one.test} fails alone: it needs {', '.join(one.others) or 'another test'} before it"
        )
        todo = "let it set up what it needs by itself"
    else:
        told = f"{one.test} does not always pass: {one.why}"
        todo = "fix the clock, the seed or the order that it depends on"
    tests = (*one.others, one.test) if kind == "polluting" else (one.test,)
    file = path_of(tests[0])
    return Finding(kind, told, file=file, tests=tests, evidence=one.why, todo=todo, gain=GAIN[kind])
