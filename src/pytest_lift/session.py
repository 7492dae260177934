"""The user's own session as iteration 0: run as it is, then handed to the loop.

Three steps: `prepare` before pytest-cov reads its options, `activate` when pytest is configured,
and `LiftSession.pytest_sessionfinish` when the user's session is over.
"""

from __future__ import annotations

import os
import shlex
from argparse import Namespace
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import Any

import pytest

from pytest_lift.addopts import seen_from, without_paths
from pytest_lift.config import Settings, read_settings
from pytest_lift.discovery import find_program
from pytest_lift.errors import LiftError, UsageError
from pytest_lift.journal import lift_lock
from pytest_lift.measure.coverage import Coverage, read_coverage
from pytest_lift.program import Program
from pytest_lift.record import Recorder
from pytest_lift.requirements import Requirements, merge
from pytest_lift.suite import Suite, read_suite

CONFLICTS = {
    "collectonly": ("--collect-only", "a lift needs the tests to run"),
    "setuponly": ("--setup-only", "a lift needs the tests to run"),
    "setupplan": ("--setup-plan", "a lift needs the tests to run"),
    "usepdb": ("--pdb", "a lift runs the suite again and again and cannot stop to ask"),
    "trace": ("--trace", "a lift runs the suite again and again and cannot stop to ask"),
    "no_cov": ("--no-cov", "a lift is steered by coverage"),
}
"""Option of pytest -> how it is typed, and why it cannot go with `--lift`."""

SESSION, DATABASE = "session", "coverage.db"
"""Folder below `.lift`, and file in it, for what the user's own session leaves."""

PARTIAL = {"keyword": "-k", "markexpr": "-m", "lf": "--lf", "maxfail": "-x or --maxfail"}
"""Options that make the user's session a part of the suite only."""


@dataclass(frozen=True)
class Start:
    """What is known before the user's first test is collected."""

    settings: Settings
    program: Program
    suite: Suite


START = pytest.StashKey[Start]()


@contextmanager
def prepare(config: pytest.Config, parser: pytest.Parser, args: list[str]) -> Iterator[None]:
    """Switch coverage and junit on for the user's session; what the user gave stays as it is."""
    if _is_xdist_worker():
        yield
        return
    known = config.known_args_namespace
    _refuse_conflicts(config, known)
    with told_to_the_user():
        settings = read_settings(config, known)
        told = [str(name) for name in known.cov_source if name is not True]
        program = find_program(settings.root, source=settings.source, coverage=told)
        suite = read_suite(settings.root, settings.tests, settings.naming)
        folder = _session_folder(config, settings)
    config.stash[START] = Start(settings, program, suite)
    database = None if known.cov_source else folder / DATABASE
    args[:0] = _measuring(start=config.stash[START], known=known, folder=folder)
    config.known_args_namespace = parser.parse_known_args(args, namespace=known)
    with _coverage_file(database):
        yield


def _session_folder(config: pytest.Config, settings: Settings) -> Path:
    """The empty place for what the user's session leaves, this project being lifted only once.

    Raises UsageError where there is no such place, or another lift has it.
    """
    folder = settings.lift_dir / SESSION
    try:
        config.add_cleanup(lift_lock(settings.lift_dir).close)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / DATABASE).unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(
            f"nothing can be kept there: {error.strerror}",
            where=str(settings.lift_dir),
            todo="make the project's folder writable, or move away what is in the way",
        ) from error
    return folder


def _measuring(start: Start, known: Namespace, folder: Path) -> list[str]:
    """Options for the user's session; without a test of theirs there is nothing to measure."""
    if not start.suite.user_tests():
        return []
    wanted = getattr(known, "xmlpath", "switched off") is None
    added = [f"--junitxml={folder / 'junit.xml'}"] if wanted else []
    if not known.cov_source:
        places = [f"--cov={name}" for name in _measured(start)]
        added += [*places, "--cov-branch", "--cov-report=", "--cov-fail-under=0"]
    return added


def _measured(start: Start) -> Iterator[str]:
    """coverage.py takes a folder as a path and a single module by its import name."""
    root, program = start.settings.root, start.program
    for path in program.paths:
        yield program.files[path].module if path in program.files else str(root / path)


@contextmanager
def _coverage_file(path: Path | None) -> Iterator[None]:
    """pytest-cov reads COVERAGE_FILE once, while it starts; nothing else gets to see it."""
    before = os.environ.get("COVERAGE_FILE")
    if path is not None:
        os.environ["COVERAGE_FILE"] = str(path)
    try:
        yield
    finally:
        os.environ.pop("COVERAGE_FILE", None)
        if before is not None:
            os.environ["COVERAGE_FILE"] = before


def session_coverage(start: Start) -> Coverage | None:
    """What the user's own session executed; None where the user measured with options of their
    own, or nothing of the program ran."""
    from coverage import Coverage as CoverageTool
    from coverage.exceptions import CoverageException

    folder = start.settings.lift_dir / SESSION
    if not (folder / DATABASE).exists():
        return None
    try:
        tool = CoverageTool(data_file=str(folder / DATABASE))
        tool.load()
        tool.set_option("json:show_contexts", False)
        tool.json_report(outfile=str(folder / "coverage.json"))
        return read_coverage(folder, start.program, start.settings.root)
    except (CoverageException, LiftError):
        return None


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


def _is_xdist_worker() -> bool:
    return "PYTEST_XDIST_WORKER" in os.environ


@contextmanager
def told_to_the_user() -> Iterator[None]:
    """What goes wrong on purpose becomes pytest's own kind of usage error."""
    try:
        yield
    except LiftError as error:
        raise pytest.UsageError(str(error)) from error


def activate(config: pytest.Config) -> None:
    """Register what `--lift` or `--requirements` needs; on a worker only what sees the tests."""
    from pytest_lift import builtin

    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(lambda event: None), "lift-recorder")
        if config.getoption("lift"):
            with told_to_the_user():
                settings = read_settings(config, config.option)
                suite = read_suite(settings.root, settings.tests, settings.naming)
            config.pluginmanager.register(OnlyTheUsersTests(suite, settings.root), "lift-filter")
        return
    config.pluginmanager.register(builtin, "lift-builtin")
    with told_to_the_user():
        _activate_controller(config)


def _activate_controller(config: pytest.Config) -> None:
    events: list[dict[str, Any]] = []
    config.pluginmanager.register(Recorder(events.append), "lift-recorder")
    start = config.stash.get(START, None)
    if start is None:
        from pytest_lift.tracing import TracingSession

        settings = read_settings(config, config.option)
        requirements = read_requirements(config, settings)
        config.pluginmanager.register(TracingSession(settings, requirements, events), "lift-trace")
        return
    requirements = read_requirements(config, start.settings)
    root = start.settings.root
    config.pluginmanager.register(OnlyTheUsersTests(start.suite, root), "lift-filter")
    session = LiftSession(config, start, requirements, events)
    config.pluginmanager.register(session, "lift-session")


def read_requirements(config: pytest.Config, settings: Settings) -> Requirements:
    """All requirement files, each by the first loader that knows its format."""
    load = config.hook.pytest_lift_load_requirements
    return merge([load(path=path) for path in settings.requirements])


class OnlyTheUsersTests:
    """Keeps the tests that the tool wrote out of the user's process: they run in the copy."""

    def __init__(self, suite: Suite, root: Path) -> None:
        self.files = {root / path for path in suite.files_fully_owned()}
        self.nodes = {test.node for test in suite.owned_tests()}
        self.root = root

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        return True if collection_path in self.files else None

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        ours = [item for item in items if self._node(item) in self.nodes]
        if ours:
            config.hook.pytest_deselected(items=ours)
            items[:] = [item for item in items if item not in ours]

    def _node(self, item: pytest.Item) -> str:
        """The node id relative to the project, which need not be pytest's rootdir."""
        names = item.nodeid.partition("[")[0].split("::")[1:]
        path = item.path
        inside = path.relative_to(self.root) if path.is_relative_to(self.root) else path
        return "::".join([inside.as_posix(), *names])


class LiftSession:
    """Runs the loop once the user's own session is over."""

    def __init__(
        self,
        config: pytest.Config,
        start: Start,
        requirements: Requirements,
        events: list[dict[str, Any]],
    ) -> None:
        self.config = config
        self.start = start
        self.requirements = requirements
        self.events = events
        self.agents = config.hook.pytest_lift_agents(settings=start.settings)
        if self.agents is None:
            raise LiftError(
                f"no installed plugin provides agents for the model {start.settings.model!r}",
                where="--lift-model",
                todo="leave it out to use the offline agents",
            )

    def pytest_report_header(self) -> str:
        program = self.start.program
        count = f", {len(self.requirements)} requirements" if len(self.requirements) else ""
        return f"lift: program {', '.join(program.names)} (found by {program.how}){count}"

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None]:
        yield
        if self._ended_properly and session.exitstatus != pytest.ExitCode.USAGE_ERROR:
            from pytest_lift.evolve import evolve

            session.exitstatus = evolve(self, int(session.exitstatus))

    @property
    def _ended_properly(self) -> bool:
        """Neither Ctrl-C nor an internal error; broken test files are the user's, and no reason
        not to lift the rest."""
        said = [e["text"] for e in self.events if e["event"] in ("interrupt", "internal")]
        return all("during collection" in text for text in said)

    @property
    def missed_limit(self) -> tuple[float, bool] | None:
        """The user's ``--cov-fail-under`` that their own tests alone missed, and whether it
        counts branches; None where it was met, or is not the only thing that is wrong."""
        plugin: Any = self.config.pluginmanager.getplugin("_cov")
        total = getattr(plugin, "cov_total", None)
        limit = getattr(getattr(plugin, "options", None), "cov_fail_under", None)
        bad = [e for e in self.events if e["event"] == "broken" or e.get("outcome") == "failed"]
        if total is None or not limit or total >= limit or bad:
            return None
        tool = getattr(getattr(plugin, "cov_controller", None), "cov", None)
        return float(limit), bool(tool and tool.get_option("run:branch"))

    @property
    def addopts(self) -> list[str]:
        """Every option of the user's: ini, environment and command line, paths left out."""
        config = self.config
        paths = set(map(str, config.getoption("file_or_dir") or ()))
        given = [str(arg) for arg in config.invocation_params.args]
        told = shlex.split(os.environ.get("PYTEST_ADDOPTS", ""))
        ini, root = config.inipath, self.start.settings.root
        tokens = [*config.getini("addopts"), *told, *without_paths(given, paths)]
        tokens = seen_from(root, config.invocation_params.dir, tokens)
        if ini is None:
            return tokens
        inside = ini.is_relative_to(root)
        return [*tokens, "-c", ini.relative_to(root).as_posix() if inside else str(ini)]

    @property
    def everything(self) -> list[str]:
        """What pytest collects when nothing is selected, relative to the project, and the test
        root: the first lift may have to make it."""
        root, tests = self.start.settings.root, self.start.settings.tests
        named = [str(self.config.rootpath / path) for path in self.config.getini("testpaths")]
        found = [Path(path) for pattern in named for path in sorted(glob(pattern))]
        places = [path for path in found if path.is_relative_to(root)] or [root]
        inside = [path.relative_to(root).as_posix() for path in places]
        covered = any(p == "." or tests == p or tests.startswith(f"{p}/") for p in inside)
        return inside if covered else [*inside, tests]

    @property
    def partial(self) -> list[str]:
        """How the user's session was made a part of the suite, as typed."""
        option = self.config.option
        typed = [name for dest, name in PARTIAL.items() if getattr(option, dest, None)]
        return typed + list(map(str, self.config.getoption("file_or_dir") or ()))
