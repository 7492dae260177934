"""One test run again, as pytest runs it but without reports: inside a run.

Reports cost more than most tests, and nobody reads those of a stubbed run.
"""

from __future__ import annotations

import unittest
from typing import Any

import pytest


def run_silently(item: pytest.Item) -> dict[str, Any]:
    """The outcome, and the exception if it failed; function-scoped fixtures are made anew, what
    other tests share is kept."""
    known: Any = item
    if hasattr(item, "_request") and not known._request:
        known._initrequest()
    hooks, found = item.ihook, []
    setup = pytest.CallInfo.from_call(lambda: hooks.pytest_runtest_setup(item=item), "setup")
    found.append(setup.excinfo)
    if setup.excinfo is None:
        call = pytest.CallInfo.from_call(lambda: hooks.pytest_runtest_call(item=item), "call")
        found += [*(getattr(item, "_excinfo", None) or ()), call.excinfo]  # unittest's keep theirs
    parent = item.parent
    down = pytest.CallInfo.from_call(
        lambda: hooks.pytest_runtest_teardown(item=item, nextitem=parent), "teardown"
    )
    found.append(down.excinfo)
    return _told([info.value for info in found if info is not None])


def _told(raised: list[BaseException]) -> dict[str, Any]:
    skips = pytest.skip.Exception, unittest.SkipTest
    failures = [one for one in raised if not isinstance(one, skips)]
    if not failures:
        return {"outcome": "skipped" if raised else "passed"}
    first = failures[0]
    asserted = isinstance(first, AssertionError | pytest.fail.Exception)
    return {"outcome": "failed", "error": type(first).__name__, "asserted": asserted}
