"""Before the user's session: what is to be lifted, and coverage and junit switched on.

pytest-cov reads its options when the first conftest files are loaded; all this comes before.
"""

from __future__ import annotations

import os
import warnings
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from traceback import walk_tb
from types import FrameType

import pytest
from _pytest.config import parse_warning_filter

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.coverage.database import read_coverage
from pytest_lift.errors import LiftError, UsageError
from pytest_lift.evolve.resume import resumed
from pytest_lift.files import untrusted
from pytest_lift.files.disk import ensure_room
from pytest_lift.files.locks import lift_lock, require_own
from pytest_lift.project.discovery import find_program
from pytest_lift.run.pytest_options import UNKNOWN_SETTING, quiet_filters
from pytest_lift.sandbox.jail import Jail, Limits, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.scope.scope import Scope
from pytest_lift.session.config import TypedArguments, read_settings, typed_places
from pytest_lift.session.crash import told_to_the_user
from pytest_lift.settings import Settings
from pytest_lift.source.coverage_settings import (
    USUAL,
    CoverageSettings,
    read_coverage_settings,
    refused,
    require_plugins,
)
from pytest_lift.source.program import Program
from pytest_lift.store.history import History
from pytest_lift.suite.suite import Suite, read_suite
from pytest_lift.text import printable
from pytest_lift.text.printable import redacted_bytes

CONFLICTS = {
    "collectonly": ("--collect-only", "a lift needs the tests to run"),
    "setuponly": ("--setup-only", "a lift needs the tests to run"),
    "setupplan": ("--setup-plan", "a lift needs the tests to run"),
    "usepdb": ("--pdb", "a lift runs the suite again and again and cannot stop to ask"),
    "trace": ("--trace", "a lift runs the suite again and again and cannot stop to ask"),
    "no_cov": ("--no-cov", "a lift is steered by coverage"),
}
"""Option of pytest -> how it is typed, and why it cannot go with `--lift`."""

NO_TESTS_YET = "ignore:No files were found in testpaths:pytest.PytestConfigWarning"
"""For pytest's ``-W``: where warnings are errors, pytest would not even start the session in which
the first tests are written."""

SESSION, DATABASE, REPORT = "session", "coverage.db", "junit.xml"
"""Folder below `.lift`, and files in it, for what the user's own session leaves."""


@dataclass(frozen=True)
class Start:
    """Facts that are known before the first test of the user is collected."""

    settings: Settings
    program: Program
    suite: Suite
    jail: Jail
    only: tuple[str, ...] = ()
    """Names in the scope of the lift: values of the option, and paths of the program."""
    stored: Scope | None = None
    """Scope of the run that is resumed."""

    @property
    def is_part(self) -> bool:
        """Whether the lift is about a part of the program."""
        return bool(self.only or self.stored or self.settings.changed)


START = pytest.StashKey[Start]()


@contextmanager
def prepare(config: pytest.Config, parser: pytest.Parser, args: list[str]) -> Iterator[None]:
    """Switches coverage and junit on for the user's session; the user's own options stay."""
    known = config.known_args_namespace
    if "PYTEST_XDIST_WORKER" in os.environ:
        if known.file_or_dir:
            with told_to_the_user(config):
                _take_out(_read(config, parser, args)[3], known, args)
        yield
        return
    measured_by_us = not getattr(known, "cov_source", None)
    with told_to_the_user(config):
        start, folder, typed = _started(config, parser, args)
        config.stash[START] = start
        _take_out(typed, known, args)
        args[:0] = _measuring(start, known, folder)
        if start.is_part:
            args.append("--cov-fail-under=0")  # the limit is for all tests
        config.known_args_namespace = parser.parse_known_args(args, namespace=known)
        known = config.known_args_namespace
        if measured_by_us:
            _keep_quiet(config)
        more = () if start.suite.user_tests() else (NO_TESTS_YET,)
        known.pythonwarnings = [*(known.pythonwarnings or ()), UNKNOWN_SETTING, *more]
    with _coverage_file(folder / DATABASE if measured_by_us else None), _coverage_refuses():
        yield


def _started(
    config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> tuple[Start, Path, TypedArguments]:
    """Returns the facts before the session, the folder for its data, and the typed paths."""
    known = config.known_args_namespace
    _refuse_conflicts(config, known)
    settings, program, suite, typed = _read(config, parser, args)
    told = [str(name) for name in known.cov_source if name is not True]
    program = replace(program, coverage=_coverage_settings(settings, known, told))
    if not suite.user_tests():  # else pytest-cov itself loads them, in the user's session
        roots = (settings.root / root for root in program.import_roots)
        require_plugins(program.coverage, roots)
    jail = _jail(settings, (config.inipath, _file_outside(program)))
    folder = _session_folder(config, settings)
    stored = _stored(settings)
    only = (*settings.only, *typed.sources)
    return Start(settings, program, suite, jail, only, stored), folder, typed


def _read(
    config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> tuple[Settings, Program, Suite, TypedArguments]:
    known = config.known_args_namespace
    settings = read_settings(config, known)
    require_own(settings.root)
    told = [str(name) for name in known.cov_source if name is not True]
    here = config.invocation_params.dir
    program = find_program(settings.root, source=settings.source, coverage=told, here=here)
    suite = read_suite(settings.root, settings.tests, settings.naming)
    typed = typed_places(config, parser, args, program, suite, settings.root)
    return settings, program, suite, typed


def _coverage_settings(settings: Settings, known: Namespace, told: list[str]) -> CoverageSettings:
    file = getattr(known, "cov_config", USUAL)
    named = None if file == USUAL else os.path.abspath(file)
    narrowed = not settings.source and not told
    return read_coverage_settings(settings.root, named, narrowed=narrowed)


def _file_outside(program: Program) -> Path | None:
    told = program.coverage.told
    return Path(told) if told and os.path.isabs(told) else None


def _keep_quiet(config: pytest.Config) -> None:
    """Ignores warnings of coverage if only the lift asked for it."""
    known = config.known_args_namespace
    known.pythonwarnings = [*(known.pythonwarnings or ()), *quiet_filters()]
    outside = warnings.catch_warnings()  # pytest's own filters hold for parts of a session only
    outside.__enter__()
    config.add_cleanup(lambda: outside.__exit__(None, None, None))
    for text in quiet_filters():
        warnings.filterwarnings(*parse_warning_filter(text, escape=True))


@contextmanager
def _coverage_refuses() -> Iterator[None]:
    """Makes a usage error of whatever keeps coverage.py from starting: plugins, cores, settings."""
    try:
        yield
    except (pytest.UsageError, pytest.exit.Exception):
        raise
    except Exception as error:
        if any(_is_pytest_cov(frame) for frame, _ in walk_tb(error.__traceback__)):
            raise pytest.UsageError(printable.lines(str(refused(error)))) from error
        raise


def _is_pytest_cov(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == "pytest_cov"


def _jail(settings: Settings, files: Iterable[Path | None]) -> Jail:
    """Returns the jail, chosen before the first test runs: without one there is no lift.

    Raises UsageError. The runs read `files` wherever they are.
    """
    outside = tuple(file for file in files if file and not file.is_relative_to(settings.root))
    allowed = Jail(
        settings.sandbox,
        reads=(*python_reads(settings.root), *outside, *settings.allow_read),
        writes=settings.allow_write,
        net=settings.allow_net,
        passed_on=settings.pass_env,
        limits=Limits(memory=settings.max_memory * 1024 * 1024),
    )
    return choose(settings.sandbox, allowed)


def _stored(settings: Settings) -> Scope | None:
    """Returns the scope of the run that goes on. Raises UsageError where none can."""
    if not settings.resume:
        return None
    found = resumed(History.open(settings.root), settings.tests, settings.naming)
    return found.standing.scope if found else None


def _take_out(typed: TypedArguments, known: Namespace, args: list[str]) -> None:
    """Removes paths of the program from the arguments of pytest: they name the scope, not tests."""
    if typed.sources:
        args[:] = typed.rest
        known.file_or_dir = list(typed.places)


def _session_folder(config: pytest.Config, settings: Settings) -> Path:
    """Returns the empty folder for what the user's session leaves, this project being lifted only
    once.

    Raises UsageError if it cannot be made, or another lift has it.
    """
    folder = settings.lift_dir / SESSION
    try:
        config.add_cleanup(lift_lock(settings.lift_dir).close)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / DATABASE).unlink(missing_ok=True)
        ensure_room(folder, "nothing can be kept there")
    except OSError as error:
        raise UsageError(
            f"nothing can be kept there: {error.strerror}",
            where=str(settings.lift_dir),
            todo="make the project's folder writable, or remove what has its place",
        ) from error
    return folder


def _measuring(start: Start, known: Namespace, folder: Path) -> list[str]:
    """Returns options for the user's session; without tests of theirs there are none."""
    if not start.suite.user_tests():
        return []
    wanted = getattr(known, "xmlpath", "switched off") is None
    added = [f"--junitxml={folder / REPORT}"] if wanted else []
    if not known.cov_source:
        places = [f"--cov={name}" for name in _measured(start)]
        added += [*places, "--cov-branch", "--cov-report=", "--cov-fail-under=0"]
    return added


def _measured(start: Start) -> Iterator[str]:
    """Yields what to measure: folders as paths, single modules by import name."""
    root, program = start.settings.root, start.program
    for path in program.paths:
        yield program.files[path].module if path in program.files else str(root / path)


@contextmanager
def _coverage_file(path: Path | None) -> Iterator[None]:
    """Sets COVERAGE_FILE only while pytest-cov starts and reads it; no other code sees it."""
    before = os.environ.get("COVERAGE_FILE")
    if path is not None:
        os.environ["COVERAGE_FILE"] = str(path)
    try:
        yield
    finally:
        os.environ.pop("COVERAGE_FILE", None)
        if before is not None:
            os.environ["COVERAGE_FILE"] = before


def _refuse_conflicts(config: pytest.Config, known: Namespace) -> None:
    for dest, (typed, why) in CONFLICTS.items():
        if getattr(known, dest, False):
            raise pytest.UsageError(f"--lift and {typed} exclude each other: {why}")
    if config.pluginmanager.is_blocked("pytest_cov"):
        raise pytest.UsageError("--lift and -p no:cov exclude each other: it needs coverage")
    if not hasattr(known, "cov_source"):
        raise pytest.UsageError(
            "--lift needs the plugin pytest-cov, which is not loaded: "
            "add -p pytest_cov.plugin, or unset PYTEST_DISABLE_PLUGIN_AUTOLOAD"
        )


def clean_session(start: Start) -> None:
    """Takes the secrets out of the report that we had the user's session write: it ran with the
    user's own environment."""
    report = start.settings.lift_dir / SESSION / REPORT
    with suppress(OSError):
        untrusted.write(report, redacted_bytes(untrusted.read(report)))


def session_coverage(start: Start) -> Coverage | None:
    """Returns the coverage of the user's own session; None if the user measured with options of
    their own, or nothing of the program ran."""
    from coverage import Coverage as CoverageTool
    from coverage.exceptions import CoverageException

    folder = start.settings.lift_dir / SESSION
    if not (folder / DATABASE).exists():
        return None
    try:
        told = start.program.coverage.told
        config_file = str(start.settings.root / told) if told else True
        tool = CoverageTool(data_file=str(folder / DATABASE), config_file=config_file)
        tool.load()
        tool.set_option("json:show_contexts", False)
        tool.json_report(outfile=str(folder / "coverage.json"))
        return read_coverage(folder, start.program, start.settings.root)
    except (CoverageException, LiftError):
        return None
