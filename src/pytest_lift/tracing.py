"""`--requirements` or `--lift-report` without `--lift`: what this session says of requirements."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from pytest_lift import plain
from pytest_lift.config import Settings
from pytest_lift.errors import LiftError
from pytest_lift.report.gates import unmet
from pytest_lift.requirements import Requirements
from pytest_lift.run import Run, run_from_events
from pytest_lift.suite import Suite, read_suite
from pytest_lift.trace import Trace, trace_run

SHOWN = 10
"""Ids listed for each status, and unknown ones."""


class TracingSession:
    """Adds a section to the user's terminal summary, writes reports, and keeps the gates."""

    def __init__(
        self,
        config: pytest.Config,
        settings: Settings,
        requirements: Requirements,
        events: list[dict[str, Any]],
    ) -> None:
        self.config = config
        self.settings = settings
        self.requirements = requirements
        self.events = events
        self.status = 0

    def pytest_report_header(self) -> str:
        return f"lift: {len(self.requirements)} requirements"

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None]:
        self.status = int(session.exitstatus)
        yield
        if session.exitstatus == pytest.ExitCode.OK and (self.missed or self.failure):
            failed = (
                pytest.ExitCode.INTERNAL_ERROR if self.failure else pytest.ExitCode.TESTS_FAILED
            )
            session.exitstatus = failed

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.section("requirements", sep="=")
        lines = list(trace_lines(self.trace, self.requirements)) if self.requirements else []
        lines += [f"report: {_seen_from(Path.cwd(), path)}" for path in self.written]
        lines += [f"missed: {text}" for text in self.missed]
        lines += [f"no report: {self.failure}"] if self.failure else []
        for line in lines or ["no requirements were given: --requirements FILE"]:
            terminalreporter.write_line(plain.line(line))

    @cached_property
    def run(self) -> Run:
        rootdir, root = self.config.rootpath, self.settings.root
        events: Iterable[dict[str, Any]] = self.events
        if rootdir != root and rootdir.is_relative_to(root):
            prefix = rootdir.relative_to(root).as_posix()
            events = (_below(prefix, event) for event in self.events)
        return run_from_events(events, status=self.status)

    @cached_property
    def suite(self) -> Suite:
        return read_suite(self.settings.root, self.settings.tests, self.settings.naming)

    @cached_property
    def trace(self) -> Trace:
        return trace_run(self.requirements, self.run, self.suite)

    @cached_property
    def missed(self) -> tuple[str, ...]:
        return tuple(unmet(self.settings, self.trace))

    @property
    def written(self) -> tuple[Path, ...]:
        return self._reports[0]

    @property
    def failure(self) -> str:
        """Why a report could not be written, if so."""
        return self._reports[1]

    @cached_property
    def _reports(self) -> tuple[tuple[Path, ...], str]:
        if not self.settings.reports or self.status == pytest.ExitCode.USAGE_ERROR:
            return (), ""
        from pytest_lift.report.own_session import write_session_reports

        try:
            return write_session_reports(self), ""
        except LiftError as error:
            return (), str(error)


def _below(prefix: str, event: dict[str, Any]) -> dict[str, Any]:
    """An event of a session whose rootdir is a folder of the project."""
    if "node" in event:
        return {**event, "node": f"{prefix}/{event['node']}"}
    if "nodes" in event:
        return {**event, "nodes": [f"{prefix}/{node}" for node in event["nodes"]]}
    return event


def _seen_from(here: Path, path: Path) -> str:
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


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
    for name, tests in list(trace.unknown.items())[:SHOWN]:
        lines.append(f"unknown id {name!r} in {', '.join(tests[:3])}")
    if len(trace.unknown) > SHOWN:
        lines.append(f"and {len(trace.unknown) - SHOWN} more unknown ids")
    return lines
