"""Publishes accepted suites: lands them or keeps them for a patch, and archives every iteration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from pytest_lift.evolve.iteration import Iteration
from pytest_lift.evolve.resume import Standing
from pytest_lift.files.codec import encode
from pytest_lift.findings.feedback import write_feedback
from pytest_lift.measure.measurement import Measurement
from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.project.ini_files import IniEdit
from pytest_lift.requirements.requirement import written_expectations
from pytest_lift.scope.reaching import entered, keep_entered
from pytest_lift.store.history import HistoryRun
from pytest_lift.store.landing import land, land_settings, patch
from pytest_lift.suite.suite import Suite, read_suite
from pytest_lift.text.wording import file_diff


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
            self.mark(iteration)
        self.finished(iteration)

    def mark(self, iteration: Iteration) -> None:
        """Marks the suite of an accepted iteration in the history, where a person finds it."""
        self.run.mark("last-passing", iteration.number)
        if iteration.verdict == "FINAL":
            self.run.mark("first-sufficient", iteration.number)

    @property
    def patch_text(self) -> str:
        tests = patch(self.found, self.latest)
        edit = self.settings
        if not tests or edit is None:
            return tests
        return file_diff(edit.name, edit.before, edit.after) + tests
