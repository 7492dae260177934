"""A lift on plain values whose mutants take as long as they are told."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.evolve.acceptance import Decision
from pytest_lift.evolve.publisher import IterationLog
from pytest_lift.evolve.setup import Setup
from pytest_lift.evolve.state import State
from pytest_lift.measure.fault_measurer import FaultMeasurer
from pytest_lift.measure.measurement import Measurement
from pytest_lift.measure.run_times import RunTimes
from pytest_lift.measure.time_budget import Activity, TimeBudget
from pytest_lift.mutation.mutation import Mutant, Mutation
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.run.result import Run, TestResult
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Suite, suite_of
from pytest_lift.trace.trace import Trace

TEST = "def test_a():\n    assert 1\n"
MUTANTS = {"m": Mutant("m", "pkg/mod.py", 1, "sign", "", "", "")}
KNOWN = Mutation(MUTANTS, {"m": "killed"})
FOUND = suite_of("tests", {"tests/test_a.py": TEST})


@dataclass
class Measuring(FaultMeasurer):
    """Measures for `seconds`; what it was told of the time is kept."""

    seconds: float = 600.0
    found: Mutation | None = None
    before: list[Measurement | None] = field(default_factory=list)
    until: list[float | None] = field(default_factory=list)

    def measure(
        self,
        measurement: Measurement,
        until: float | None = None,
        before: Measurement | None = None,
    ) -> Measurement:
        self.until.append(until)
        self.before.append(before)
        time.sleep(self.seconds)
        return replace(measurement, mutation=self.found or measurement.mutation)

    @property
    def has_time(self) -> bool:
        return self.mutator is not None


@dataclass
class Closing(IterationLog):
    """Iterations are kept as what was tried, and written nowhere."""

    closed: list[tuple[str, Measurement]] = field(default_factory=list)

    def close(self, mode: str, state: State, decision: Decision, **more: object) -> None:  # type: ignore[override]
        self.closed.append((mode, state.accepted))


def setup(budget: TimeBudget, run: float = 0.0, seconds: float = 600.0) -> tuple[Setup, list[str]]:
    """A set-up in which running the suite takes `run` seconds; its warnings."""
    warned: list[str] = []
    measurer = SimpleNamespace(
        time=budget,
        times=RunTimes(run),
        run_seconds=run,
        activity=Activity(),
        scope=None,
        program=Program(("pkg",), ("pkg",), ("",)),
        requirements=Requirements(),
    )
    faults = Measuring(measurer, mutator=SimpleNamespace(), seconds=seconds)  # type: ignore[arg-type]
    faults.warn = warned.append
    publisher = SimpleNamespace(measurer=measurer, found=suite_of("tests", {}), on_disk=FOUND)
    chronicle = Closing(publisher, None, lambda *told: None)  # type: ignore[arg-type]
    agents = SimpleNamespace(reads_feedback=True)
    return Setup(faults, agents, chronicle), warned  # type: ignore[arg-type]


def measurement(suite: Suite, mutation: Mutation | None = None) -> Measurement:
    results = {test.node: TestResult(test.node, "passed", 0.1) for test in suite.tests()}
    return Measurement(suite, Run("passed", results), Coverage(), Trace(), mutation)
