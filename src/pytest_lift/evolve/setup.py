"""The measurers, agents, clock and log that a lift works with, and the briefs made from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from pytest_lift.agents.contract import Agents, Brief
from pytest_lift.evolve.publisher import IterationLog, Publisher
from pytest_lift.evolve.state import State
from pytest_lift.findings.finding import Finding, collect_findings
from pytest_lift.findings.known import knowledge_findings, pinning_findings
from pytest_lift.findings.obstacles import obstacle_findings
from pytest_lift.findings.test_quality import fault_findings
from pytest_lift.measure.fault_measurer import FaultMeasurer
from pytest_lift.measure.measurement import Knowledge, Measurement
from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.measure.time_budget import TimeBudget
from pytest_lift.mutation.worthless import read_worthless, written_worthless
from pytest_lift.source.worthless import WorthlessMutant
from pytest_lift.store.search_memory import SearchMemory


@dataclass(frozen=True)
class Setup:
    """Collaborators of one lift; none of them holds a part of its `State`."""

    faults: FaultMeasurer
    agents: Agents
    log: IterationLog
    say: Callable[[str], None] = lambda text: None
    """Receives messages to the user."""
    memory: SearchMemory | None = None
    """What searches remember from one iteration, and from one lift, to the next."""
    judgements: SearchMemory | None = None
    """Mutants that were judged to be worth no test, in this lift and in earlier ones."""
    marks: frozenset[str] = frozenset()
    """Registered ones of `req` and `emergent`; other links are written as docstring fields."""

    @property
    def measurer(self) -> SuiteMeasurer:
        return self.faults.measurer

    @property
    def publisher(self) -> Publisher:
        return self.log.publisher

    @property
    def worthless(self) -> dict[str, WorthlessMutant]:
        """Mutants that were judged to be worth no test, by mark."""
        return read_worthless(self.judgements.lines) if self.judgements is not None else {}

    def keep_worthless(self, knowledge: Knowledge) -> None:
        """Has the judgements on mutants remembered by later lifts."""
        if self.judgements is not None and knowledge.worthless != self.worthless:
            self.judgements.keep(written_worthless(knowledge.worthless))

    @property
    def seed(self) -> int:
        return self.log.seed

    @property
    def time(self) -> TimeBudget:
        return self.measurer.time

    @property
    def least(self) -> float:
        """Seconds that an iteration takes at least."""
        return self.time.least(self.measurer.times.trying)

    @property
    def kept_for_iteration(self) -> float:
        """Seconds to keep for one iteration; 0 where none fits, so that measuring may take all."""
        left = self.time.left
        return self.least if left is not None and left >= self.least else 0.0

    @property
    def has_time_for_a_try(self) -> bool:
        left = self.time.left
        return left is None or left >= self.least

    @contextmanager
    def timed(self, phase: str, keep: float = 0.0, growth: float = 1.0) -> Iterator[float | None]:
        """Times a phase, and stops it when only the seconds to `keep` are left.

        Gives the moment at which the phase should be over, where what comes after it takes longer
        by a factor of `growth`. Raises TimeIsUp.
        """
        with self.log.timer(phase), self.time.stopping(keep):
            yield self.time.aim(phase, keep, growth)

    def find(self, state: State, extra: Sequence[Finding] = ()) -> State:
        """Returns `state` with the findings about its accepted suite."""
        return replace(state, findings=self.findings_of(state.accepted, state, extra))

    def findings_of(
        self, measurement: Measurement, state: State, extra: Iterable[Finding] = ()
    ) -> tuple[Finding, ...]:
        """Findings about a measured suite, `extra` among them."""
        scoped, program = measurement.scoped, self.measurer.program
        return collect_findings(
            scoped.run,
            scoped.trace,
            program,
            scoped.coverage,
            known_failures=state.known_failures,
            extra=(
                *extra,
                *knowledge_findings(state.knowledge),
                *pinning_findings(measurement),
                *fault_findings(measurement, program, self.faults.dependences),
                *obstacle_findings(state.obstacles, scoped.coverage, program),
            ),
        )

    def brief(
        self, state: State, measurement: Measurement | None = None, until: float | None = None
    ) -> Brief:
        """Returns all that an agent is handed; `measurement` is the accepted one unless it is
        given."""
        measured = measurement or state.accepted
        measurer, knowledge = self.measurer, state.knowledge
        scope, requirements = measurer.scope, measurer.requirements
        return Brief(
            mode=state.mode,
            iteration=len(self.log.iterations),
            copy=measurer.workspace.root,
            jail=measurer.jail,
            program=measurer.program,
            requirements=requirements if scope is None else scope.of(requirements),
            suite=state.working,
            scope=scope,
            findings=state.findings,
            feedback=state.feedback,
            run=measured.run,
            coverage=measured.coverage,
            trace=measured.scoped.trace,
            mutation=measured.mutation,
            mutated=self.faults.mutator.mutated if self.faults.mutator else None,
            expectations=knowledge.expectations,
            tried=measurer.tried(knowledge),
            entered=partial(measurer.entered, knowledge),
            accepted=state.accepted.suite,
            left_out=knowledge.left_out,
            doubts=knowledge.doubts,
            try_tests=measurer.try_tests,
            try_expectations=partial(measurer.try_expectations, knowledge),
            learn=self.faults.learn,
            remembered=() if self.memory is None else self.memory.lines,
            remember=self.memory.keep if self.memory is not None else lambda lines: None,
            seed=self.seed,
            deadline=self.time.until if until is None else until,
        )

    def question(self, state: State) -> tuple[object, ...]:
        """Returns everything the next generator would go by."""
        return self.brief(state).asks(reads_feedback=self.agents.reads_feedback)

    def located(self, measurement: Measurement) -> Measurement:
        """Returns the measurement with a suite that knows the test files beside its own.

        A new file may not collide with these; in those that cannot be collected nothing runs.
        """
        nodes = (*measurement.run.collected, *measurement.run.broken)
        files = {node.partition("::")[0] for node in nodes} | self.measurer.collected_elsewhere
        root = f"{measurement.suite.root}/"
        outside = frozenset(path for path in files if not path.startswith(root))
        broken = measurement.run.broken.keys() - measurement.suite.files_fully_owned()
        suite = replace(measurement.suite, outside=outside, uncollected=frozenset(broken))
        return replace(measurement, suite=suite)
