"""A session with `--requirements` or `--lift-report` and no `--lift`: trace, gates and reports."""

from __future__ import annotations

import time
from collections.abc import Collection, Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_lift.check.reading import test_paths as paths_of_tests
from pytest_lift.errors import UsageError
from pytest_lift.files.content_cache import Cache
from pytest_lift.marks.claims import Claims
from pytest_lift.marks.marks import NO_LINK_NAMES
from pytest_lift.project.option_values import read_static_config
from pytest_lift.report.writing import WrittenReports
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.run.events import SessionEvents, missing, run_of
from pytest_lift.run.result import Run, TestResult
from pytest_lift.settings import Settings
from pytest_lift.suite.suite import Suite, path_of, read_suite
from pytest_lift.suite.test_file import TestFile
from pytest_lift.text import printable
from pytest_lift.text.wording import acceptance, count, some
from pytest_lift.trace.statuses import OPEN, Status
from pytest_lift.trace.texts import PARTS, CachedTexts
from pytest_lift.trace.trace import Trace, trace_run

if TYPE_CHECKING:
    from pytest_lift.coverage.session_coverage import SessionCoverage
    from pytest_lift.source.program import Program

MOST_NAMED = 5


NOT_COLLECTED = "not collected"


SHOWN = 10
"""Number of ids listed for each status, and of unknown ids."""


def unmet(settings: Settings, trace: Trace) -> Iterator[str]:
    """Yields a message for each gate that is missed."""
    limit, percent = settings.fail_under, 100.0
    if trace.testable:
        percent = 100.0 * trace.verified / trace.testable
    if limit is not None and percent < limit:
        yield f"verified requirements {percent:.1f} %, wanted {limit:g} % (--lift-fail-under)"
    if settings.strict:
        yield from _strictly(trace)


def _strictly(trace: Trace) -> Iterator[str]:
    named = {
        "contradicted requirements": trace.with_status("suspected-defect"),
        "known-failing requirements": trace.with_status("known-failing"),
        "not-run requirements": trace.with_status("not-run"),
        "incomplete requirements": trace.with_status("incomplete"),
        "doubted links": [f"{link.requirement} in {link.test}" for link in trace.doubted],
        "uncovered requirements": trace.with_status("uncovered"),
        "unknown ids": list(trace.unknown),
    }
    for what, ids in named.items():
        if ids:
            more = ", ..." if len(ids) > MOST_NAMED else ""
            shown = ", ".join(ids[:MOST_NAMED])
            yield f"{what}: {len(ids)}, wanted 0 (--lift-strict): {shown}{more}"


def with_unseen_tests(run: Run, root: Path, claims: Claims, typed: Collection[str]) -> Run:
    """Returns `run` with linked tests of files that were not collected, or only in part because
    single tests were `typed`, and with the ids of collected tests that did not run.

    Reads only files with such tests. Never raises for their content.
    """
    try:
        config = read_static_config(root)
    except UsageError:
        return run  # the check says what is wrong
    config = replace(config, naming=replace(config.naming, links=claims.names))
    seen = {path_of(row.node) for row in run.rows}
    silent = {path_of(row.node) for row in run.not_run.values() if not row.requirements}
    paths = [path for path in paths_of_tests(config) if config.naming.is_test_file(path)]
    in_part = {name.partition("::")[0].rpartition("/")[2] for name in typed if "::" in name}
    partial = {path for path in paths if path.rpartition("/")[2] in in_part}
    wanted = [path for path in paths if path not in seen or path in silent | partial]
    if not wanted:
        return run
    from pytest_lift.check.project import linked_files  # most sessions miss nothing

    return _with(run, linked_files(config, wanted), run.broken)


def _with(run: Run, files: Iterable[TestFile], broken: Collection[str]) -> Run:
    ids = {test.node: test.requirements for file in files for test in file.tests}
    known = {row.function for row in run.rows}
    not_run = {
        node: row if row.requirements else replace(row, requirements=ids.get(row.function, ()))
        for node, row in run.not_run.items()
    }
    return replace(run, not_run={**not_run, **dict(_missing(ids, known, broken))})


def _missing(
    ids: dict[str, tuple[str, ...]], known: Collection[str], broken: Collection[str]
) -> Iterator[tuple[str, TestResult]]:
    for node, named in ids.items():
        if named and node not in known:
            bad = path_of(node) in broken
            reason = "its file cannot be collected" if bad else NOT_COLLECTED
            yield node, TestResult(node, "not-run", 0.0, reason=reason, requirements=named)


@dataclass
class TracingSession:
    """Adds a section to the terminal summary, writes reports, and checks the gates.

    What it knows is computed on first access, at the end of the session.
    """

    config: pytest.Config
    settings: Settings
    requirements: Requirements
    status: int = 0
    began: float = field(default_factory=time.monotonic)
    events: SessionEvents = field(default_factory=SessionEvents)

    def take(self, event: dict[str, Any]) -> None:
        """Adds a recorded event. Only facts of its test are stored: in a large suite, that many
        objects would slow down garbage collection."""
        self.events.take(_below(self._prefix, event) if self._prefix else event)

    def pytest_report_header(self) -> str:
        return f"lift: {count(len(self.requirements), 'requirement')}"

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None]:
        self.status = int(session.exitstatus)
        yield
        problems, missed = self.reports.problems, self.missed  # without a terminal, too
        if session.exitstatus == pytest.ExitCode.OK and (missed or problems):
            code = pytest.ExitCode
            session.exitstatus = code.INTERNAL_ERROR if problems else code.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.section("requirements", sep="=")
        for line in self.lines():
            terminalreporter.write_line(printable.line(line))

    @cached_property
    def _prefix(self) -> str:
        """pytest's rootdir relative to the project, where it is a folder below it."""
        rootdir, root = self.config.rootpath, self.settings.root
        inside = rootdir != root and rootdir.is_relative_to(root)
        return rootdir.relative_to(root).as_posix() if inside else ""

    def lines(self) -> list[str]:
        """Returns the lines for the terminal."""
        run, requirements = self.run, self.requirements
        lines = trace_lines(self.trace, requirements, run) if requirements else []
        here = self.config.invocation_params.dir
        lines += [f"report: {_seen_from(here, path)}" for path in self.reports.paths]
        lines += [f"missed: {text}" for text in self.missed]
        for problem in self.reports.problems:
            lines += f"no report: {problem}".splitlines()
        lines += [*self.warnings, *self.reports.warnings]
        return lines or ["no requirements were given: --requirements FILE"]

    @cached_property
    def program(self) -> Program | None:
        """Program under test; None if it cannot be found."""
        from pytest_lift.project.discovery import find_program

        sources = getattr(self.config.option, "cov_source", None) or ()
        names = [str(name) for name in sources if name is not True]
        try:
            root, here = self.settings.root, self.config.invocation_params.dir
            return find_program(root, source=self.settings.source, coverage=names, here=here)
        except UsageError:
            return None

    @cached_property
    def _coverage(self) -> tuple[SessionCoverage | None, str]:
        if not self.config.pluginmanager.hasplugin("_cov") or self.program is None:
            return None, ""
        from pytest_lift.coverage.session_coverage import own_coverage

        return own_coverage(self.config, self.settings.root, self.program)

    @property
    def measured(self) -> SessionCoverage | None:
        """Coverage of the program that pytest-cov measured."""
        return self._coverage[0]

    @property
    def warnings(self) -> list[str]:
        """Reasons for missing coverage."""
        return [self._coverage[1]] if self._coverage[1] else []

    @cached_property
    def run(self) -> Run:
        seconds = round(time.monotonic() - self.began, 2)
        run = run_of(self.events, status=self.status, seconds=seconds)
        if not self.requirements:
            return run
        typed = [str(name) for name in self.config.getoption("file_or_dir") or ()]
        return with_unseen_tests(run, self.settings.root, self.settings.claims, typed)

    @cached_property
    def suite(self) -> Suite:
        """Test files, without requirement ids: the tests reported those themselves."""
        settings = self.settings
        naming = replace(settings.naming, links=NO_LINK_NAMES)
        return read_suite(settings.root, settings.tests, naming)

    @cached_property
    def trace(self) -> Trace:
        grounding = None
        if self.measured is not None and self.program is not None:
            from pytest_lift.trace.grounding.subjects import Grounding

            grounding = Grounding(self.program, self.measured.coverage)
        known = _cached_texts(self.config, self.requirements, self.suite)
        every = self.settings.every_case
        found = trace_run(
            self.requirements, self.run, self.suite, grounding=grounding, every=every, texts=known
        )
        if known is not None:
            known.save()
        return found

    @cached_property
    def missed(self) -> tuple[str, ...]:
        return tuple(unmet(self.settings, self.trace))

    @cached_property
    def reports(self) -> WrittenReports:
        """Reports that the user asked for, written on first access."""
        if not self.settings.reports or self.status == pytest.ExitCode.USAGE_ERROR:
            return WrittenReports()
        return write_session_reports(self)


def _cached_texts(
    config: pytest.Config, requirements: Requirements, suite: Suite
) -> CachedTexts | None:
    """Returns None without a cache of pytest: ``-p no:cacheprovider`` or a read-only folder."""
    cache = getattr(config, "cache", None)
    if cache is None:
        return None
    try:
        folder = cache.mkdir("lift")
    except OSError:
        return None
    settings = (suite.naming, tuple(requirements))
    return CachedTexts(suite, Cache(folder / "texts.json", settings, PARTS))


def _below(prefix: str, event: dict[str, Any]) -> dict[str, Any]:
    """Returns the event with node ids relative to the project instead of pytest's rootdir."""
    if "node" in event:
        return {**event, "node": f"{prefix}/{event['node']}"}
    if "nodes" in event:
        return {**event, "nodes": [f"{prefix}/{node}" for node in event["nodes"]]}
    return event


def _seen_from(here: Path, path: Path) -> str:
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def trace_lines(trace: Trace, requirements: Requirements, run: Run) -> list[str]:
    """Returns the trace as a few lines: counts, then ids that need attention."""
    lines = [*requirements.warnings]
    if reasons := list(missing(run)):
        lines.append(f"not of the whole suite: {', '.join(reasons)}")
    exempt = len(trace.requirements) - trace.testable
    counts = [f"{trace.verified} of {trace.testable} verified"]
    counts += [f"{trace.counts[name]} {name}" for name in OPEN if trace.counts[name]]
    lines.append(", ".join([*counts, *([f"{exempt} exempt"] if exempt else [])]))
    if trace.points:
        lines.append(f"{acceptance(len(trace.covered), len(trace.points))} covered")
    listed_below: tuple[Status, ...] = ("touched", "doubted")
    listed: dict[str, list[str]] = {
        **{name: trace.with_status(name) for name in OPEN if name not in listed_below},
        "exempt, but a test of it fails": trace.failing_exempt,
        "verified, but not every sentence": trace.verified_in_part,
    }
    for status, ids in listed.items():
        if ids:
            lines.append(f"{status}: {some(ids, SHOWN)}")
    for link in trace.doubted[:SHOWN]:
        lines.append(f"doubted: {link.requirement} by {link.test}: {link.doubt}")
    for name, tests in list(trace.unknown.items())[:SHOWN]:
        lines.append(f"unknown id {name!r} in {', '.join(tests[:3])}")
    if len(trace.unknown) > SHOWN:
        lines.append(f"and {len(trace.unknown) - SHOWN} more unknown ids")
    return lines


def write_session_reports(session: TracingSession) -> WrittenReports:
    """Writes every report that the user asked for."""
    # Loaded here: most sessions write no report.
    from pytest_lift.report.reporting import session_report
    from pytest_lift.report.writing import write_reports

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
