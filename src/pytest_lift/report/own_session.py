"""The reports of a session without a lift: what it did, and what pytest-cov saw of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_lift.discovery import find_program
from pytest_lift.errors import UsageError
from pytest_lift.measure.own_session import own_coverage
from pytest_lift.program import Program
from pytest_lift.report.reporting import session_report
from pytest_lift.report.writing import Written, write_reports

if TYPE_CHECKING:
    from pytest_lift.tracing import TracedSession


def write_session_reports(session: TracedSession) -> Written:
    """Every report that was asked for."""
    settings = session.settings
    program = _program(session)
    measured = own_coverage(session.config, settings.root, program) if program else None
    report = session_report(
        settings.root,
        session.suite,
        session.run,
        session.trace,
        program,
        measured,
        session.requirements.warnings,
    )
    return write_reports(report, settings.reports, settings.step_summary)


def _program(session: TracedSession) -> Program | None:
    told = getattr(session.config.option, "cov_source", None) or ()
    names = [str(name) for name in told if name is not True]
    try:
        root, here = session.settings.root, session.config.invocation_params.dir
        return find_program(root, source=session.settings.source, coverage=names, here=here)
    except UsageError:
        return None
