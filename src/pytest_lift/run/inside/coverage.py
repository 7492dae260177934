"""Inside a measured session: coverage.py told to write what `coverage/database.py` can read."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest

from pytest_lift.options import CONTRADICTS


class ReadableCoverage:
    """A pytest plugin object for sessions that pytest-cov measures (elsewhere it does nothing).

    What the project's own coverage configuration asks for may make the data useless here or
    gigabytes large. `recorder.py` registers it in inner runs; a session of one's own registers
    it beside the `Recorder`.
    """

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Wraps the test loop inside pytest-cov's own wrapper, which reports after this one."""
        measuring = controller(session.config)
        _take_contexts_from_pytest_only(getattr(measuring, "cov", None))
        result = yield
        os.chdir(session.config.invocation_params.dir)  # a test may have removed where it went
        reported = getattr(measuring, "combining_cov", None)
        if reported is not None:
            _measure_branches_of_nothing(reported)
            _analyse_once(reported)
            # 2.8 GB for 5,000 tests of 300 lines; coverage.db has the same.
            reported.set_option("json:show_contexts", False)
        return result

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, object, object]:
        """Leaves out of coverage what a test of a contradiction executes, since it verifies
        nothing. The context of a test is set before and taken back after this, by pytest-cov."""
        coverage: Any = getattr(controller(pyfuncitem.config), "cov", None)
        if coverage is None or not _shows_a_contradiction(pyfuncitem):
            return (yield)
        coverage.stop()
        try:
            return (yield)
        finally:
            coverage.start()


def controller(config: pytest.Config) -> Any:
    """Returns pytest-cov's holder of coverage.py in a session; None if nothing is measured."""
    return getattr(config.pluginmanager.getplugin("_cov"), "cov_controller", None)


def _shows_a_contradiction(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("xfail")
    return mark is not None and str(mark.kwargs.get("reason", "")).startswith(CONTRADICTS)


def _take_contexts_from_pytest_only(coverage: Any) -> None:
    """Clears a `dynamic_context` of the project's configuration, which would win over the context
    per test. coverage.py has no public way to do so once measuring has begun."""
    collector: Any = getattr(coverage, "_collector", None)
    if getattr(collector, "should_start_context", None) is not None:
        coverage.stop()
        collector.should_start_context = None
        coverage.start()


def _measure_branches_of_nothing(coverage: Any) -> None:
    """Records that branches are measured, also where nothing of the program runs."""
    data = coverage.get_data()
    if coverage.get_option("run:branch") and not data.has_arcs():
        data.add_arcs({})


def _analyse_once(coverage: Any) -> None:
    """Has each file analysed once for all reports. coverage.py does it for each of them, which for
    large programs takes longer than the tests, and has no public way to do otherwise."""
    analyse = getattr(coverage, "_analyze", None)
    if analyse is None:
        return
    known: dict[str, Any] = {}

    def once(morf: Any, *more: Any, **named: Any) -> Any:
        name = str(getattr(morf, "filename", morf))
        if name not in known:
            known[name] = analyse(morf, *more, **named)
        return known[name]

    coverage._analyze = once
