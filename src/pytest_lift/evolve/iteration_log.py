"""The iterations of a lift as they are finished: timed, compared, archived, told."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pytest_lift.agents.contract import Books
from pytest_lift.evolve.acceptance import Judgement
from pytest_lift.evolve.iteration import Changes, Iteration, changes
from pytest_lift.evolve.phases import Phases
from pytest_lift.evolve.publisher import Keeper
from pytest_lift.evolve.resume import Standing
from pytest_lift.findings.feedback import Verdict
from pytest_lift.measure.measurement import Trial
from pytest_lift.suite.suite import Suite


@dataclass
class Chronicle:
    """Every iteration so far, and the one that is going on."""

    keeper: Keeper
    books: Books | None
    """What calls of a model have cost."""
    report: Callable[[str, Iteration | None], None]
    """Told the name of each phase as it begins, and each iteration as it is finished."""
    started: float = field(default_factory=time.monotonic)
    iterations: list[Iteration] = field(default_factory=list)
    told: Suite | None = None
    """The suite that the last accepted iteration told of."""
    phases: Phases = field(init=False)

    def __post_init__(self) -> None:
        self.phases = Phases(lambda name: self.report(name, None))

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
        trial: Trial,
        judgement: Judgement,
        *,
        accepted: Trial,
        standing: Standing,
        verdict: Verdict | None,
        dropped: Mapping[str, str],
        why: str,
        repeats: bool = False,
    ) -> None:
        """Finish the iteration that tried `trial`; `accepted` is what counts after it."""
        bench, books = self.keeper.bench, self.books
        self.phases.seconds["pytest"] = bench.take_waited()
        iteration = Iteration(
            len(self.iterations),
            mode,
            trial.figures,
            judgement.accepted,
            why or ("suite as found" if mode == "baseline" else judgement.why),
            verdict,
            dict(dropped),
            self.phases.take(),
            usage=books.take() if books else {},
            exhausted=books.exhausted() if books else "",
            unasked=books.unasked() if books else (),
            repeats=repeats,
            changes=self._changes(accepted) if judgement.accepted else Changes(),
            elapsed=round(self.elapsed, 3),
        )
        self.iterations.append(iteration)
        self.keeper.archive(iteration, trial, standing, trial.run.reports or bench.reports)
        self.report("", iteration)

    def _changes(self, accepted: Trial) -> Changes:
        """What became of the suite and its requirements since the last accepted iteration."""
        before, self.told = self.told, accepted.suite
        return changes(before, accepted.suite, self.iterations, accepted.trace)
