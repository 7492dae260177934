"""Reasons that keep a run from passing: test function -> why."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pytest_lift.expectations.printing import contradiction_tests
from pytest_lift.run.result import Run
from pytest_lift.suite.suite import Suite, path_of
from pytest_lift.trace.statuses import BAD

UNCOLLECTED = "cannot be collected: "
ABSENT = "is in its file but was not run: is it deselected, or defined twice?"


def bad_tests(run: Run, suite: Suite, known_failures: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yields (test function, why) for everything that keeps the run from passing."""
    contradictions = contradiction_tests(suite) if run.broken else {}
    for result in run.results.values():
        if result.outcome in BAD and result.function not in known_failures:
            yield result.function, result.failure.type if result.failure else result.outcome
    for path, failure in run.broken.items():
        if path not in known_failures:
            file = suite.files.get(path)
            nodes = [test.node for test in file.tests] if file else []
            # What the program wrote down itself is the last to be suspected.
            others = [node for node in nodes if node not in contradictions]
            why = f"{UNCOLLECTED}{failure.type}"
            yield from ((node, why) for node in others or nodes or [path])
    if run.running is not None and run.cut_short is not None:
        yield run.running.partition("[")[0], f"{run.ending}: {run.detail}"


def absent_tests(
    run: Run, suite: Suite, known_failures: Collection[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yields (test function, why) for the tool's tests that stand in the source and were not run.

    What the session says it collected is no evidence, since the tests themselves can change it.
    Tests of a file that cannot be collected are among them only where the file is in
    `known_failures`: `bad_tests` says nothing of it then.
    """
    if run.cut_short is not None:
        return
    ran = {result.function for result in run.results.values()}
    for test in suite.owned_tests():
        if test.node in ran or test.node in known_failures:
            continue
        path = path_of(test.node)
        if path not in run.broken:
            yield test.node, ABSENT
        elif path in known_failures:
            yield test.node, f"{UNCOLLECTED}{run.broken[path].type}"
