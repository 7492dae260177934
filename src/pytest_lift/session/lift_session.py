"""A session with `--lift`: its scope, the run of the user as iteration 0, then the loop."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from pytest_lift.errors import LiftError, UsageError
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.run.pytest_options import collected_by_default
from pytest_lift.scope.changed import Changed, what_changed
from pytest_lift.scope.reaching import Reaching, known_entered
from pytest_lift.scope.scope import Scope, ScopePlace, scope_of, with_tests_elsewhere
from pytest_lift.session.crash import Guards
from pytest_lift.session.prepare import SESSION, Start, clean_session
from pytest_lift.settings import Settings
from pytest_lift.store.history import History
from pytest_lift.suite.suite import Suite, read_suite
from pytest_lift.text import printable
from pytest_lift.text.wording import count

APART = "lift_apart"


def choose_scope(
    start: Start, suite: Suite, requirements: Requirements, here: Path
) -> Scope | None:
    """Returns the scope, None for all of the program. `suite` includes tests outside the test root.

    Raises UsageError for a name that nothing has, and for another scope than that of the resumed
    run.
    """
    requested, stored = _requested(start, suite, requirements, here), start.stored
    if not start.settings.resume or (stored is None and requested is None):
        return requested
    if stored is not None and (requested is None or (stored.since and not start.only)):
        return stored.located(start.program)
    if requested is None or stored is None or requested.names != stored.names:
        raise UsageError(
            f"the run that goes on is about {stored or 'all of the program'}, not {requested}",
            where="--lift-resume",
            todo="leave out what names a part of the program, or --lift-resume",
        )
    return stored.located(start.program)


def _requested(start: Start, suite: Suite, requirements: Requirements, here: Path) -> Scope | None:
    settings, root = start.settings, start.settings.root
    named = changed = None
    if start.only:
        named = scope_of(start.only, start.program, requirements, (here, root), root)
    if settings.changed is not None:
        changed = what_changed(
            root, settings.changed, start.program, suite, requirements, settings.requirements
        )
    if changed is not None:
        since = changed.scope(start.program, requirements)
        named = since if named is None else _of_both(named, since)
    return None if named is None else _with_tests(named, start, suite, changed)


def _of_both(named: Scope, since: Scope) -> Scope:
    places = [p for p in since.places if named.has_symbol(p.path, p.symbol) or _holds(named, p)]
    names = tuple(dict.fromkeys(named.names))
    ids = since.requirements & named.requirements
    return Scope(names if places or ids else (), tuple(places), ids, since=since.since)


def _holds(scope: Scope, place: ScopePlace) -> bool:
    return scope.has_line(place.path, place.line) and scope.has_line(place.path, place.end_line)


def _with_tests(scope: Scope, start: Start, suite: Suite, changed: Changed | None) -> Scope:
    """Adds the tests that are not run for the scope; changed tests always run."""
    every = frozenset(test.node for test in suite.tests())
    reaching = Reaching(start.program, suite)
    history = History(start.settings.lift_dir)
    runs = history.runs() if (history.root / "history").is_dir() else ()
    measured = known_entered(history.run_named(name).folder for name in runs)
    found = reaching.tests(scope, suite) | (measured.tests(scope) & every)
    if changed is not None and changed.settings:
        found = every
    elif changed is not None:
        found |= reaching.tests(Scope((), changed.tests), suite, changed.gone)
    scope = replace(scope, apart=every - found, tests=len(found))
    beside = {path: file for path, file in suite.files.items() if path not in start.suite.files}
    elsewhere = scope.selection(replace(suite, files=beside))
    return replace(scope, elsewhere=elsewhere)


def register(
    config: pytest.Config,
    guards: Guards,
    start: Start,
    requirements: Requirements,
    events: list[dict[str, Any]],
    evolve: Callable[[LiftSession, int], int],
) -> None:
    """Registers the plugins that run the user's tests in this process, then the loop.

    `evolve` runs the loop: it is given the session and its exit code, and returns the new one.
    """
    root = start.settings.root
    scope, suite = None, start.suite
    if start.is_part:
        places = collected_by_default(config, root, suite.root)
        suite = with_tests_elsewhere(suite, root, places)
        scope = choose_scope(start, suite, requirements, config.invocation_params.dir)
    apart = scope.apart if scope else frozenset()
    guards.register(OnlyTheUsersTests(suite, root, apart), "lift-filter")
    guards.register(LiftSession(config, start, requirements, events, evolve, scope), "lift-session")


def register_on_worker(config: pytest.Config, guards: Guards, settings: Settings) -> None:
    """Registers the filter of tests on a worker of xdist."""
    suite = read_suite(settings.root, settings.tests, settings.naming)
    apart = frozenset(config.workerinput.get(APART, ()))  # type: ignore[attr-defined]
    guards.register(OnlyTheUsersTests(suite, settings.root, apart), "lift-filter")


class OnlyTheUsersTests:
    """Deselects generated tests, which run in the copy only, and tests outside the scope of the
    lift (`apart`), which do not run at all."""

    def __init__(self, suite: Suite, root: Path, apart: frozenset[str] = frozenset()) -> None:
        self.apart = apart
        self.nodes = {test.node for test in suite.owned_tests()} | apart
        self.files = {
            root / path
            for path, file in suite.files.items()
            if file.tests and all(test.node in self.nodes for test in file.tests)
        }
        self.root = root

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Sends the tests outside the scope to a worker of xdist."""
        node.workerinput[APART] = sorted(self.apart)

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        return True if collection_path in self.files else None

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        ours: list[pytest.Item] = []
        theirs: list[pytest.Item] = []
        for item in items:
            (ours if self._node(item) in self.nodes else theirs).append(item)
        if ours:
            config.hook.pytest_deselected(items=ours)
            items[:] = theirs

    def _node(self, item: pytest.Item) -> str:
        """Returns the node id relative to the project, which may differ from pytest's rootdir."""
        names = item.nodeid.partition("[")[0].split("::")[1:]
        path = item.path
        inside = path.relative_to(self.root) if path.is_relative_to(self.root) else path
        return "::".join([inside.as_posix(), *names])


class LiftSession:
    """Plugin that runs the loop after the user's own session."""

    def __init__(
        self,
        config: pytest.Config,
        start: Start,
        requirements: Requirements,
        events: list[dict[str, Any]],
        evolve: Callable[[LiftSession, int], int],
        scope: Scope | None = None,
    ) -> None:
        self.evolve = evolve
        self.scope = scope
        self.config = config
        self.start = start
        self.requirements = requirements
        self.events = events
        self.began, self.seconds = time.monotonic(), 0.0
        self.removed = False
        """Whether a test removed the folder for the data of the session."""
        self.zone = datetime.now().astimezone().tzinfo
        """Time zone of the user, taken now because tests may change it."""
        self.agents = config.hook.pytest_lift_agents(settings=start.settings)
        if self.agents is None:
            raise LiftError(
                f"no installed plugin provides agents for the model {start.settings.model!r}",
                where="--lift-model",
                todo="leave it out to use the offline agents",
            )

    def pytest_report_header(self) -> list[str]:
        program = self.start.program
        many = len(self.requirements)
        requirements = f", {count(many, 'requirement')}" if many else ""
        named = f"lift: program {', '.join(program.names)} (found by {program.how}){requirements}"
        lines = [named, f"lift: jail {self.start.jail.told}"]
        if self.scope is not None:
            lines.append(f"lift: {self.scope.told}")
        return [printable.line(line) for line in lines]

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtestloop(self) -> Generator[None, object, object]:
        """Restores the session folder: pytest-cov writes into it next and fails without it."""
        try:
            return (yield)
        finally:
            folder = self.start.settings.lift_dir / SESSION
            self.removed = not folder.is_dir()
            with suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None]:
        yield
        self.seconds = time.monotonic() - self.began
        clean_session(self.start)
        if self._ended_properly and session.exitstatus != pytest.ExitCode.USAGE_ERROR:
            session.exitstatus = self.evolve(self, int(session.exitstatus))

    @property
    def _ended_properly(self) -> bool:
        """Whether the session ended without Ctrl-C and internal error; test files that cannot be
        collected do not matter."""
        endings = [e["text"] for e in self.events if e["event"] in ("interrupt", "internal")]
        return all("during collection" in text for text in endings)

    @property
    def missed_limit(self) -> tuple[float, bool] | None:
        """The ``--cov-fail-under`` that the user's tests missed, and whether it counts branches;
        None where it was met, or where something else failed, too."""
        plugin: Any = self.config.pluginmanager.getplugin("_cov")
        total = getattr(plugin, "cov_total", None)
        limit = getattr(getattr(plugin, "options", None), "cov_fail_under", None)
        bad = [e for e in self.events if e["event"] == "broken" or e.get("outcome") == "failed"]
        if total is None or not limit or total >= limit or bad:
            return None
        tool = getattr(getattr(plugin, "cov_controller", None), "cov", None)
        return float(limit), bool(tool and tool.get_option("run:branch"))
