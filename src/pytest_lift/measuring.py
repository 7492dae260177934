"""Inside a measured session: coverage.py told to write what `measure/coverage.py` can read."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest


class ReadableCoverage:
    """A pytest plugin object for sessions that pytest-cov measures (elsewhere it does nothing).

    What the project's own coverage configuration asks for may make the data useless here or
    gigabytes large. `record.py` registers it in inner runs; a session of one's own registers it
    beside the `Recorder`.
    """

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """pytest-cov's own wrapper is around this one: it reports when this one has returned."""
        controller = getattr(session.config.pluginmanager.getplugin("_cov"), "cov_controller", None)
        _take_contexts_from_pytest_only(getattr(controller, "cov", None))
        result = yield
        os.chdir(session.config.invocation_params.dir)  # a test may have removed where it went
        reported = getattr(controller, "combining_cov", None)
        if reported is not None:
            _measure_branches_of_nothing(reported)
            # 2.8 GB for 5,000 tests of 300 lines; coverage.db has the same.
            reported.set_option("json:show_contexts", False)
        return result


def _take_contexts_from_pytest_only(coverage: Any) -> None:
    """A `dynamic_context` of the project's configuration would win over the context per test.

    coverage.py has no public way to take it back once measuring has begun.
    """
    collector: Any = getattr(coverage, "_collector", None)
    if getattr(collector, "should_start_context", None) is not None:
        coverage.stop()
        collector.should_start_context = None
        coverage.start()


def _measure_branches_of_nothing(coverage: Any) -> None:
    """Where nothing of the program runs, the data would not know that branches are measured."""
    data = coverage.get_data()
    if coverage.get_option("run:branch") and not data.has_arcs():
        data.add_arcs({})
