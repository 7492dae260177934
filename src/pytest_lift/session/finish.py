"""The end of a lift: landing message, reports, outcome for programs, exit code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.errors import LiftError
from pytest_lift.evolve.iteration import LiftOutcome
from pytest_lift.evolve.publisher import Publisher
from pytest_lift.files.atomic import replace_file
from pytest_lift.files.disk import needed_for
from pytest_lift.measure.measurement import Figures, Measurement
from pytest_lift.report.closing import closing_lines
from pytest_lift.report.reporting import lift_report
from pytest_lift.report.run_json import SUMMARY, outcome_as_json, write_json
from pytest_lift.report.terminal import Terminal
from pytest_lift.report.writing import DEFAULT_PLACES, write_reports
from pytest_lift.run.events import run_from_events
from pytest_lift.run.result import Run, confine
from pytest_lift.session.lift_session import LiftSession
from pytest_lift.session.tracing import unmet as gates_unmet
from pytest_lift.settings import ReportTarget
from pytest_lift.source.syntax import to_bytes
from pytest_lift.store.archive import OUTCOME, REPORT, HistoryRun
from pytest_lift.store.history import History
from pytest_lift.store.landing import landed_hashes
from pytest_lift.suite.suite import path_of
from pytest_lift.trace.trace import trace_run

PATCH = "lift.patch"


def write_lift_reports(session: LiftSession, outcome: LiftOutcome, run: HistoryRun) -> Path:
    """Writes all reports, and returns the path of the HTML page. Raises LiftError."""
    settings = session.start.settings
    report = lift_report(
        settings.root,
        outcome,
        session.start.program,
        run=run.id,
        agents=session.agents.name,
        jail=session.start.jail.tier,
        scope=str(session.scope) if session.scope else "",
        warnings=session.requirements.warnings,
    )
    page = ReportTarget("html", settings.lift_dir / DEFAULT_PLACES["html"])
    stored = ReportTarget("json", run.folder / REPORT)
    written = write_reports(report, [page, stored, *settings.reports], settings.step_summary)
    if written.problems:
        raise written.problems[0]
    return written.paths[0]


@dataclass
class Conclusion:
    """Hands over what a lift has done; `exit_code` is that of the session before it."""

    session: LiftSession
    terminal: Terminal
    exit_code: int
    run_id: str = ""
    resumed_after: int | None = None
    """The last iteration of the run that went on."""

    def forget_earlier(self) -> None:
        """Removes the outcome and the patch of an earlier lift."""
        for path in (*self._outcomes(), self.session.start.settings.lift_dir / PATCH):
            path.unlink(missing_ok=True)

    def conclude(self, outcome: LiftOutcome, publisher: Publisher) -> int:
        """Writes the reports, says how the lift ended, and returns the exit code."""
        self.terminal.activity.begin("report")
        settings = self.session.start.settings
        figures = outcome.measurement.figures
        unmet = [
            f"{name} {_reached(figures, name)}, wanted {settings.thresholds[name]:g} %"
            for name in figures.missed(settings.thresholds)
        ]
        unmet += self._limit_unmet(outcome.measurement)
        unmet += gates_unmet(settings, outcome.measurement.trace)
        where = "nothing is known of what was landed: see pytest-lift restore --list"
        try:
            History.open(settings.root, settle=False)  # should somebody have removed it
            where = self._where(publisher)
        except LiftError as error:
            outcome = _failed(outcome, error)
        if publisher.measurer.last_gate is not None:
            where = "\n".join([where, *publisher.measurer.last_gate.told()])
        try:
            page = write_lift_reports(self.session, outcome, publisher.run)
            where = f"{where}\nreport: {page.relative_to(settings.root)}"
        except LiftError as error:
            outcome = _failed(outcome, error)
        code = self._exit_code(outcome, bool(unmet))
        try:
            self._write_outcome(outcome, code)
        except LiftError as error:
            outcome = _failed(outcome, error)
            code = self._exit_code(outcome, bool(unmet))
        lines = closing_lines(
            outcome,
            where=where,
            kept=publisher.kept,
            unmet=unmet,
            failing=list(self._failing(outcome.measurement)),
        )
        self.terminal.close(outcome, lines, good=code == 0)
        return code

    def _write_outcome(self, outcome: LiftOutcome, code: int) -> None:
        settings = self.session.start.settings
        data = outcome_as_json(
            outcome,
            run=self.run_id,
            resumed_after=self.resumed_after,
            agents=self.session.agents.name,
            program=self.session.start.program,
            jail=self.session.start.jail,
            exit_code=code,
            scope=self.session.scope,
            warnings=self.session.requirements.warnings,
        )
        for path in self._outcomes():
            write_json(path, data)
        run = HistoryRun(settings.lift_dir, self.run_id)
        if self.run_id and run.folder.is_dir():
            write_json(run.folder / OUTCOME, {name: data[name] for name in SUMMARY})

    def nothing(self, reason: str) -> int:
        """Says that there is nothing to lift, and returns the exit code: that of the session, if it
        had any tests."""
        code = self.exit_code
        if code == pytest.ExitCode.NO_TESTS_COLLECTED:
            code = int(pytest.ExitCode.OK)
        if not self.session.start.settings.dry_run:
            self.forget_earlier()
            self._write_outcome(LiftOutcome("final", reason, self._unmeasured(), (), (), 0.0), code)
        self.terminal.ended("nothing to lift", good=code == 0)
        return code

    def _unmeasured(self) -> Measurement:
        suite, run = self.session.start.suite, Run("refused")
        trace = trace_run(self.session.requirements, run, suite, {})
        return Measurement(suite, run, Coverage(), trace, scope=self.session.scope).scoped

    def fail(self, ending: str, reason: str) -> int:
        """Says why there is no outcome, to programs too if that can be written, and returns the
        exit code."""
        self.terminal.fail(reason)
        code: int = pytest.ExitCode.INTERNAL_ERROR
        if ending != "failed":
            code = pytest.ExitCode.INTERRUPTED if ending == "interrupted" else self.exit_code
        if self.session.start.settings.dry_run:
            return int(code)
        try:
            self._write_outcome(
                LiftOutcome(ending, reason, self._unmeasured(), (), (), 0.0), int(code)
            )
        except LiftError as error:
            self.terminal.fail(str(error))
        return int(code)

    def _limit_unmet(self, measurement: Measurement) -> Iterator[str]:
        """Yields the user's coverage limit if it is missed, asked of the whole suite."""
        if self.session.missed_limit is not None:
            limit, with_branches = self.session.missed_limit
            total = (
                measurement.coverage.combined
                if with_branches
                else measurement.coverage.line_percent
            )
            if total < limit:
                yield f"--cov-fail-under {total:.1f} %, wanted {limit:g} %"

    def _outcomes(self) -> Iterator[Path]:
        settings = self.session.start.settings
        yield settings.lift_dir / "run.json"
        if settings.json is not None:
            yield settings.json

    def _where(self, publisher: Publisher) -> str:
        settings = self.session.start.settings
        history = f"every iteration is in .lift/history/{publisher.run.id}"
        if publisher.landing and not landed_hashes(settings.lift_dir, publisher.run.id):
            return f"nothing was written to {settings.tests}; {history}"
        if publisher.landing:
            return f"the suite is in {settings.tests}; {history}; undo: pytest-lift restore"
        patch = publisher.patch_text
        if not patch:
            return f"nothing to change; {history}"
        place = settings.lift_dir / PATCH
        with needed_for("the patch could not be written", place):
            replace_file(place, to_bytes(patch))
        held = f"nothing was changed; apply .lift/{PATCH} with git apply; {history}"
        return "\n".join([*publisher.kept_from_landing, held])

    def _failing(self, measurement: Measurement) -> Iterator[str]:
        """Yields tests that fail at the end, with a word on those that fail in the copy only."""
        mine = run_from_events(self.session.events, status=self.exit_code)
        passed = {r.function for r in mine.results.values() if r.outcome == "passed"}
        limits = {
            result.function: confine(result.failure)
            for result in measurement.run.results.values()
            if result.failure
        }
        for node in sorted(measurement.broken):
            why = f"; in the jail: {limits[node]}" if limits.get(node) else ""
            yield f"{node} (passes in your own session{why})" if node in passed else node

    def _exit_code(self, outcome: LiftOutcome, unmet: bool) -> int:
        """Returns the exit code, in pytest's meaning, of the suite as it is now."""
        if outcome.ending == "failed":
            return int(pytest.ExitCode.INTERNAL_ERROR)
        if outcome.ending == "interrupted":
            return int(pytest.ExitCode.INTERRUPTED)
        owned = {test.node for test in outcome.measurement.suite.owned_tests()}
        owned |= {path_of(node) for node in owned}  # files that cannot be collected
        stopped = outcome.measurement.run.cut_short is not None
        broken = bool(outcome.measurement.broken & owned) or stopped or unmet
        if self.exit_code == pytest.ExitCode.NO_TESTS_COLLECTED:
            return int(broken) if outcome.measurement.run.results else self.exit_code
        if self.exit_code == pytest.ExitCode.TESTS_FAILED and self.session.missed_limit:
            return int(broken)  # what their tests alone missed is asked of the whole suite
        return self.exit_code or int(broken)


def _reached(figures: Figures, name: str) -> str:
    if name == "mutation" and figures.mutation_percent is None:
        return "not measured"
    return f"{figures.share(name):.1f} %"


def _failed(outcome: LiftOutcome, error: LiftError) -> LiftOutcome:
    """Returns the outcome as failed if the results cannot be delivered."""
    told = [text for text in (outcome.reason, str(error)) if text]
    return replace(outcome, ending="failed", reason="\n".join(told))
