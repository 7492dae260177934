"""`--requirements` without `--lift`: which requirement the tests of this session speak for."""

from __future__ import annotations

from typing import Any

from pytest_lift import plain
from pytest_lift.config import Settings
from pytest_lift.requirements import Requirements
from pytest_lift.run import run_from_events
from pytest_lift.suite import read_suite
from pytest_lift.trace import Trace, trace_run

SHOWN = 10
"""Ids listed for each status."""


class TracingSession:
    """Adds a section with the requirement trace to the user's terminal summary."""

    def __init__(
        self, settings: Settings, requirements: Requirements, events: list[dict[str, Any]]
    ) -> None:
        self.settings = settings
        self.requirements = requirements
        self.events = events

    def pytest_terminal_summary(self, terminalreporter: Any, exitstatus: int) -> None:
        run = run_from_events(self.events, status=int(exitstatus))
        suite = read_suite(self.settings.root, self.settings.tests, self.settings.naming)
        trace = trace_run(self.requirements, run, suite)
        terminalreporter.section("requirements", sep="=")
        for line in trace_lines(trace, self.requirements):
            terminalreporter.write_line(plain.line(line))

    def pytest_report_header(self) -> str:
        return f"lift: {len(self.requirements)} requirements"


def trace_lines(trace: Trace, requirements: Requirements) -> list[str]:
    """The trace in a few lines: counts, then the ids that need attention."""
    lines = [*requirements.warnings]
    lines.append(
        f"{trace.verified} of {trace.testable} verified, {trace.counts['partial']} partial, "
        f"{trace.counts['failing']} failing, {trace.counts['untested']} untested, "
        f"{len(trace.requirements) - trace.testable} exempt"
    )
    for status in ("failing", "untested"):
        ids = [item.requirement.id for item in trace.requirements if item.status == status]
        if ids:
            more = f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else ""
            lines.append(f"{status}: {', '.join(ids[:SHOWN])}{more}")
    for name, tests in trace.unknown.items():
        lines.append(f"unknown id {name!r} in {', '.join(tests[:3])}")
    return lines
