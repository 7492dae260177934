"""The iterations of a lift as they are finished: timed, compared, archived, told."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pytest_lift.agents.contract import UsageLedger
from pytest_lift.evolve.acceptance import Decision
from pytest_lift.evolve.iteration import Changes, Iteration, changes
from pytest_lift.evolve.phases import PhaseTimer
from pytest_lift.evolve.publisher import Publisher
from pytest_lift.evolve.resume import Standing
from pytest_lift.findings.feedback import Verdict
from pytest_lift.measure.measurement import Measurement
from pytest_lift.suite.suite import Suite


@dataclass
class IterationLog:
    """Every iteration so far, and the one that is going on."""

    publisher: Publisher
    ledger: UsageLedger | None
    """What calls of a model have cost."""
    report: Callable[[str, Iteration | None], None]
    """Told the name of each phase as it begins, and each iteration as it is finished."""
    started: float = field(default_factory=time.monotonic)
    iterations: list[Iteration] = field(default_factory=list)
    told: Suite | None = None
    """The suite that the last accepted iteration told of."""
    phases: PhaseTimer = field(init=False)

    def __post_init__(self) -> None:
        self.phases = PhaseTimer(lambda name: self.report(name, None))

    @property
    def elapsed(self) -> float:
        """Seconds since the lift began; what an earlier part of a resumed run took is included."""
        return time.monotonic() - self.started

    def go_on(self, iterations: tuple[Iteration, ...], told: Suite, elapsed: float) -> None:
        """As if the run that had come so far had not been cut short."""
        self.iterations, self.told = list(iterations), told
        self.started -= elapsed

    def close(
        self,
        mode: str,
        measurement: Measurement,
        judgement: Decision,
        *,
        accepted: Measurement,
        standing: Standing,
        verdict: Verdict | None,
        dropped: Mapping[str, str],
        why: str,
        repeats: bool = False,
    ) -> None:
        """Finish the iteration that tried `measurement`; `accepted` is what counts after it."""
        measurer, ledger = self.publisher.measurer, self.ledger
        self.phases.seconds["pytest"] = measurer.take_waited()
        iteration = Iteration(
            len(self.iterations),
            mode,
            measurement.figures,
            judgement.accepted,
            why or ("suite as found" if mode == "baseline" else judgement.why),
            verdict,
            dict(dropped),
            self.phases.take(),
            usage=ledger.take() if ledger else {},
            exhausted=ledger.exhausted() if ledger else "",
            unasked=ledger.unasked() if ledger else (),
            repeats=repeats,
            changes=self._changes(accepted) if judgement.accepted else Changes(),
            elapsed=round(self.elapsed, 3),
        )
        self.iterations.append(iteration)
        self.publisher.archive(
            iteration, measurement, standing, measurement.run.reports or measurer.reports
        )
        self.report("", iteration)

    def _changes(self, accepted: Measurement) -> Changes:
        """What became of the suite and its requirements since the last accepted iteration."""
        before, self.told = self.told, accepted.suite
        return changes(before, accepted.suite, self.iterations, accepted.trace)
