"""Registration of plugins for a session: for a lift, a requirement trace, or junit.xml alone."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.marks.claims import Claims, PropertyWriter
from pytest_lift.requirements.reader import together
from pytest_lift.requirements.requirement import Requirements, merge
from pytest_lift.run.inside.recorder import Recorder, Sink
from pytest_lift.session.config import read_settings
from pytest_lift.session.crash import Guards, told_to_the_user
from pytest_lift.settings import Settings

if TYPE_CHECKING:
    from pytest_lift.session.lift_session import LiftSession
    from pytest_lift.session.prepare import Start


LOOKING = ("collectonly", "showfixtures", "show_fixtures_per_test", "setupplan", "setuponly")
"""Options of pytest with which no test runs, so that there is no trace of requirements."""
PLACE = 2
"""Number of pytest-html's columns before the added ones: result and test."""


def activate(config: pytest.Config) -> None:
    """Registers the plugins for the given options; on a worker of xdist only the recorder."""
    if not config.getoption("lift") and any(config.getoption(name, False) for name in LOOKING):
        return
    from pytest_lift.session import builtin

    if hasattr(config, "workerinput"):
        with told_to_the_user(config):
            settings = read_settings(config, config.option)
            guards = Guards(config)
            _observe(guards, settings.claims, lambda event: None)
            if config.getoption("lift"):
                from pytest_lift.session.lift_session import register_on_worker

                register_on_worker(config, guards, settings)
        return
    config.pluginmanager.register(builtin, "lift-builtin")
    with told_to_the_user(config):
        _activate_controller(config)


def pass_ids_on(config: pytest.Config) -> None:
    """Adds requirement ids to the junit.xml of a session without our options."""
    with told_to_the_user(config):
        guards = Guards(config)
        claims = read_settings(config, config.option).claims
        guards.register(PropertyWriter(claims), "lift-properties")
        config.pluginmanager.register(guards, "lift-guards")


def _activate_controller(config: pytest.Config) -> None:
    start = _begun(config)
    settings = start.settings if start else read_settings(config, config.option)
    requirements = read_requirements(config, settings)
    guards = Guards(config)
    columns = HtmlColumns(requirements, settings.claims.written_as)
    guards.register(columns, "lift-html-columns")
    if start is not None:
        from pytest_lift.session.lift_session import register

        events: list[dict[str, Any]] = []
        _observe(guards, settings.claims, events.append)
        register(config, guards, start, requirements, events, _evolve)
    else:
        from pytest_lift.session.tracing import TracingSession

        _require_requirements(settings, requirements)
        tracing = TracingSession(config, settings, requirements)
        _observe(guards, settings.claims, tracing.take)
        guards.register(tracing, "lift-trace")
    config.pluginmanager.register(guards, "lift-guards")


def _begun(config: pytest.Config) -> Start | None:
    """Returns the start of a lift; without `--lift` None, and no module of a lift is imported."""
    if not config.getoption("lift"):
        return None
    from pytest_lift.session.prepare import START

    return config.stash.get(START, None)


def _require_requirements(settings: Settings, requirements: Requirements) -> None:
    if not requirements and (settings.fail_under is not None or settings.strict):
        raise UsageError(
            "there are no requirements to hold the tests against",
            where="--lift-strict" if settings.strict else "--lift-fail-under",
            todo="name them: --requirements FILE (ini: lift_requirements)",
        )


def _observe(guards: Guards, claims: Claims, sink: Sink) -> None:
    guards.register(Recorder(sink, claims), "lift-recorder")
    guards.register(PropertyWriter(claims), "lift-properties")


def read_requirements(config: pytest.Config, settings: Settings) -> Requirements:
    """Reads all requirement files, each with the first loader that knows its format.

    Raises UsageError with the problems of all files.
    """
    parts: list[Requirements] = []
    problems: list[UsageError] = []
    for path in settings.requirements:
        try:
            parts.append(config.hook.pytest_lift_load_requirements(path=path))
        except UsageError as error:
            problems += error.problems or (error,)
    if problems:
        raise together(problems)
    return merge(parts)


def _evolve(session: LiftSession, exit_code: int) -> int:
    """Runs the loop after the user's session; loaded only then."""
    from pytest_lift.session.lift import evolve

    return evolve(session, exit_code)


class HtmlColumns:
    """Plugin that adds the columns; register it if pytest-html is active. It reads the user
    properties of the test reports."""

    def __init__(self, requirements: Requirements, written_as: str) -> None:
        self._requirements = requirements
        self._written_as = written_as

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_table_header(self, cells: list[str]) -> None:
        head = '<th class="sortable" data-column-type="requirement">Requirement</th>'
        cells[PLACE:PLACE] = [head, '<th class="sortable" data-column-type="level">Level</th>']

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_table_row(self, report: Any, cells: list[str]) -> None:
        properties = getattr(report, "user_properties", ())
        told = [str(value) for name, value in properties if name == self._written_as]
        ids = [one.strip() for value in told for one in value.split(",")]
        items = [self._requirements.by_id[one] for one in ids if one in self._requirements]
        levels = dict.fromkeys(item.level for item in items if item.level)
        columns = {"requirement": dict.fromkeys(ids), "level": levels}
        cells[PLACE:PLACE] = [
            f'<td class="col-{kind}">{escape(", ".join(texts))}</td>'
            for kind, texts in columns.items()
        ]
