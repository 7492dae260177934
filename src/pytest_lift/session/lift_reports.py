"""The reports of a lift: the HTML page, the archived JSON, and those the user asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_lift.evolve.iteration import LiftOutcome
from pytest_lift.report.reporting import lift_report
from pytest_lift.report.targets import DEFAULT_PLACES
from pytest_lift.report.writing import write_reports
from pytest_lift.settings import ReportTarget
from pytest_lift.store.archive import REPORT, HistoryRun

if TYPE_CHECKING:
    from pytest_lift.session.lift_session import LiftSession


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
