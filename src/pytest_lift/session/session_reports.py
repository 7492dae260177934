"""The reports of a session without a lift: its results, and the coverage of pytest-cov."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_lift.report.reporting import session_report
from pytest_lift.report.targets import WrittenReports
from pytest_lift.report.writing import write_reports

if TYPE_CHECKING:
    from pytest_lift.session.tracing import TracedSession


def write_session_reports(session: TracedSession) -> WrittenReports:
    """Writes every report that the user asked for."""
    settings = session.settings
    report = session_report(
        settings.root,
        session.suite,
        session.run,
        session.trace,
        session.program,
        session.measured,
        [*session.requirements.warnings, *session.warnings],
    )
    return write_reports(report, settings.reports, settings.step_summary)
