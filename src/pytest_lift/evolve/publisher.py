"""Publishes what the loop accepts (lands it or keeps it for a patch), and logs every iteration."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import get_args

from pytest_lift.agents.contract import Mode, UsageLedger
from pytest_lift.evolve.acceptance import Decision
from pytest_lift.evolve.iteration import Changes, Iteration, changes
from pytest_lift.evolve.resume import Standing
from pytest_lift.evolve.state import State
from pytest_lift.files.codec import encode
from pytest_lift.findings.feedback import write_feedback
from pytest_lift.measure.measurement import Measurement
from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.project.ini_files import IniEdit
from pytest_lift.requirements.requirement import written_expectations
from pytest_lift.scope.reaching import entered, keep_entered
from pytest_lift.store.archive import HistoryRun
from pytest_lift.store.landing import land, land_settings, patch
from pytest_lift.suite.suite import Suite, read_suite
from pytest_lift.text.wording import file_diff

NOTHING_DROPPED: Mapping[str, str] = MappingProxyType({})


@dataclass
class Publisher:
    """Keeps the user's test root and the history in step with what the loop accepts."""

    project: Path
    measurer: SuiteMeasurer
    run: HistoryRun
    found: Suite
    """Suite at the beginning of the lift."""
    landing: bool = True
    """False: nothing is written to the test root; `patch_text` holds the change."""
    kept_from_landing: tuple[str, ...] = ()
    """Reason, in lines, why nothing lands although it should."""
    settings: IniEdit | None = None
    """Change of pytest's configuration that the tests of a patch need; it is part of the patch."""
    finished: Callable[[Iteration], None] = lambda iteration: None
    kept: dict[str, str] = field(default_factory=dict)
    """File -> why the user's version stayed."""
    configured: IniEdit | None = None
    """Change that was made in pytest's configuration."""

    def __post_init__(self) -> None:
        self.latest = self.on_disk = self.found
        self._landed = False

    def accept(self, measurement: Measurement) -> Measurement:
        """Lands the suite of `measurement`; returns the measurement of what is there afterwards.

        Raises LandingError, and StorageError where there would be no way back.
        """
        self.run.ensure_there()
        self.latest = measurement.suite
        if not self.landing:
            return measurement
        landed = land(
            self.project, self.project / ".lift", self.on_disk, measurement.suite, self.run.id
        )
        self._landed |= bool(landed.written)
        if not landed.kept:
            # Not what was read back: an edit of the user's in this very moment is to be noticed.
            self.on_disk = replace(measurement.suite, ownership=landed.suite.ownership)
            return measurement
        self.kept |= landed.kept
        self.on_disk = self.latest = self._read()
        return self.measurer.measure(self.on_disk, measurement.knowledge)

    def configure(self, edit: IniEdit) -> str:
        """Changes pytest's configuration for the run, so that `restore` can undo it; returns why
        that was not done, in words. Raises LandingError, StorageError."""
        self.run.keep_settings(edit.name, edit.before, edit.after)
        why = self._put(edit.name, edit.before, edit.after)
        self.configured = None if why else edit
        return why

    def take_back_unused(self) -> None:
        """Restores the configuration if no test landed that needs the change."""
        edit = self.configured
        if edit is not None and not self._landed:
            self.configured = None
            self._put(edit.name, edit.after, edit.before)

    def _put(self, name: str, before: str | None, after: str | None) -> str:
        lift_dir = self.project / ".lift"
        return land_settings(self.project, lift_dir, name, before, after, self.run.id)

    def _read(self) -> Suite:
        return read_suite(self.project, self.found.root, self.found.naming)

    def changed_by_the_user(self) -> Suite | None:
        """Returns the suite on disk, if it is no longer what was last read or landed."""
        now = self._read()
        if now.files == self.on_disk.files:
            return None
        self.on_disk = self.latest = now
        if not self.landing:
            self.found = now  # what a patch will be applied to
        return now

    def archive(
        self, iteration: Iteration, measurement: Measurement, standing: Standing, reports: Path
    ) -> None:
        """Archives one iteration, accepted or not, and tells the plugins."""
        self.run.ensure_there()
        feedback = standing.feedback
        self.run.archive(
            iteration.number,
            suite=measurement.suite,
            reports=reports,
            feedback={feedback.filename: write_feedback(feedback)} if feedback else {},
            figures=encode(iteration),
            standing=standing.as_json(),
            besides=standing.besides(measurement.suite),
            expectations=written_expectations(standing.expectations),
        )
        if iteration.accepted and measurement.scope is None:
            keep_entered(self.run.folder, entered(measurement.coverage, self.measurer.program))
        if iteration.accepted and iteration.number:
            self.run.mark("last-passing", iteration.number)
            if iteration.verdict == "FINAL":
                self.run.mark("first-sufficient", iteration.number)
        self.finished(iteration)

    @property
    def patch_text(self) -> str:
        tests = patch(self.found, self.latest)
        edit = self.settings
        if not tests or edit is None:
            return tests
        return file_diff(edit.name, edit.before, edit.after) + tests


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
    seed: int = 0
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
        state: State,
        decision: Decision,
        *,
        tried: Measurement | None = None,
        dropped: Mapping[str, str] = NOTHING_DROPPED,
        why: str = "",
        repeats: bool = False,
    ) -> None:
        """Finishes and archives an iteration that ends with `state` and tried the suite `tried`
        (None: the accepted one)."""
        measurer, ledger, feedback = self.publisher.measurer, self.ledger, state.feedback
        measurement = tried or state.accepted
        self.timer.seconds["pytest"] = measurer.take_waited()
        iteration = Iteration(
            len(self.iterations),
            mode,
            measurement.figures,
            decision.accepted,
            why or ("suite as found" if mode == "baseline" else decision.why),
            feedback.verdict if feedback else None,
            dict(dropped),
            self.timer.take(),
            usage=ledger.take() if ledger else {},
            exhausted=ledger.exhausted() if ledger else "",
            unasked=ledger.unasked() if ledger else (),
            repairs=state.repairs if mode in get_args(Mode) else (),
            repeats=repeats,
            changes=self._changes(state.accepted) if decision.accepted else Changes(),
            elapsed=round(self.elapsed, 3),
        )
        self.iterations.append(iteration)
        standing = state.standing(self.publisher.on_disk, measurer, self.seed)
        reports = measurement.run.reports or measurer.reports
        self.publisher.archive(iteration, measurement, standing, reports)
        self.report("", iteration)

    def _changes(self, accepted: Measurement) -> Changes:
        """Changes of the suite and its requirements since the last accepted iteration."""
        before, self.reported = self.reported, accepted.suite
        return changes(before, accepted.suite, self.iterations, accepted.trace)
