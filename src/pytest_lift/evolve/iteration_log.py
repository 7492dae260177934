"""The iterations of a lift as they are finished: timed, compared, archived, reported."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from pytest_lift.agents.contract import UsageLedger
from pytest_lift.evolve.acceptance import Decision
from pytest_lift.evolve.iteration import Changes, Iteration, changes
from pytest_lift.evolve.publisher import Publisher
from pytest_lift.evolve.resume import Standing
from pytest_lift.findings.feedback import Verdict
from pytest_lift.measure.measurement import Measurement
from pytest_lift.suite.suite import Suite


@dataclass
class PhaseTimer:
    """Adds up the seconds of each phase of the current iteration."""

    began: Callable[[str], None] = lambda name: None
    """Called with the name of each phase as it begins."""
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        self.began(name)
        started = time.monotonic()
        try:
            yield
        finally:
            taken = time.monotonic() - started
            self.seconds[name] = self.seconds.get(name, 0.0) + taken

    def take(self) -> dict[str, float]:
        """Returns phase -> seconds, to the millisecond, and begins anew."""
        taken, self.seconds = self.seconds, {}
        return {name: round(seconds, 3) for name, seconds in taken.items()}


@dataclass
class IterationLog:
    """Every finished iteration, and the timing of the current one."""

    publisher: Publisher
    ledger: UsageLedger | None
    """Cost of the calls of a model; None where there are none."""
    report: Callable[[str, Iteration | None], None]
    """Called with the name of each phase as it begins, and with each finished iteration."""
    started: float = field(default_factory=time.monotonic)
    iterations: list[Iteration] = field(default_factory=list)
    reported: Suite | None = None
    """The suite of the last accepted iteration."""
    timer: PhaseTimer = field(init=False)

    def __post_init__(self) -> None:
        self.timer = PhaseTimer(lambda name: self.report(name, None))

    @property
    def elapsed(self) -> float:
        """Seconds since the lift began; what an earlier part of a resumed run took is included."""
        return time.monotonic() - self.started

    def go_on(self, iterations: tuple[Iteration, ...], accepted: Suite, elapsed: float) -> None:
        """Continues a run of these iterations, which ended with the suite `accepted`."""
        self.iterations, self.reported = list(iterations), accepted
        self.started -= elapsed

    def close(
        self,
        mode: str,
        measurement: Measurement,
        decision: Decision,
        *,
        accepted: Measurement,
        standing: Standing,
        verdict: Verdict | None,
        dropped: Mapping[str, str],
        why: str,
        repeats: bool = False,
    ) -> None:
        """Finishes the iteration that tried `measurement`; `accepted` is the accepted suite from
        then on."""
        measurer, ledger = self.publisher.measurer, self.ledger
        self.timer.seconds["pytest"] = measurer.take_waited()
        iteration = Iteration(
            len(self.iterations),
            mode,
            measurement.figures,
            decision.accepted,
            why or ("suite as found" if mode == "baseline" else decision.why),
            verdict,
            dict(dropped),
            self.timer.take(),
            usage=ledger.take() if ledger else {},
            exhausted=ledger.exhausted() if ledger else "",
            unasked=ledger.unasked() if ledger else (),
            repeats=repeats,
            changes=self._changes(accepted) if decision.accepted else Changes(),
            elapsed=round(self.elapsed, 3),
        )
        self.iterations.append(iteration)
        self.publisher.archive(
            iteration, measurement, standing, measurement.run.reports or measurer.reports
        )
        self.report("", iteration)

    def _changes(self, accepted: Measurement) -> Changes:
        """Changes of the suite and its requirements since the last accepted iteration."""
        before, self.reported = self.reported, accepted.suite
        return changes(before, accepted.suite, self.iterations, accepted.trace)
