"""The common reason why no test of the user's passes, as a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pytest_lift.measure.measurement import Measurement
from pytest_lift.run.result import INSTEAD, Failure, confine
from pytest_lift.suite.suite import path_of
from pytest_lift.trace.statuses import BAD

LONGEST = 160
_NO_MODULE = re.compile(r"No module named '([\w.]+)'")


def one_reason(measurement: Measurement) -> str:
    """Returns the reason in a sentence. Empty if a test of the user's passes, if none fails, or
    if there are several reasons. Tests that the tool wrote are ignored."""
    owned = {test.node for test in measurement.suite.owned_tests()}
    theirs = [r for r in measurement.run.results.values() if r.function not in owned]
    if any(result.outcome == "passed" for result in theirs):
        return ""
    bad = [result.failure for result in theirs if result.outcome in BAD]
    written = {path_of(node) for node in owned}
    broken = [failure for path, failure in measurement.run.broken.items() if path not in written]
    failures = [failure for failure in (*bad, *broken) if failure is not None]
    if not failures or len({_cause(failure) for failure in failures}) > 1:
        return ""
    places = list(_counted(bad, broken))
    return f"no test of yours passes, for one reason: {_told(failures[0])} ({', '.join(places)})"


def _cause(failure: Failure) -> tuple[str, str]:
    return failure.type, _first_line(failure)


def _first_line(failure: Failure) -> str:
    return next(iter(failure.message.strip().splitlines()), "")


def _told(failure: Failure) -> str:
    message = _first_line(failure)
    told = f"{failure.type}: {message}" if message else failure.type
    told = told if len(told) <= LONGEST else f"{told[: LONGEST - 4]} ..."
    if failure.file:
        told += f", at {failure.file}:{failure.line}"
    if missing := _NO_MODULE.search(message):
        told += f"; install {missing[1].partition('.')[0]} here, or put its folder on the path"
    elif limit := confine(failure):
        told += f"; {INSTEAD[limit]}"
    return told


def _counted(bad: Sequence[object], broken: Sequence[object]) -> Iterator[str]:
    if broken:
        yield f"{len(broken)} file{'s' * (len(broken) > 1)} cannot be collected"
    if bad:
        yield f"{len(bad)} test{'s' * (len(bad) > 1)} fail{'s' * (len(bad) == 1)}"
