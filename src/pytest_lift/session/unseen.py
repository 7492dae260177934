"""Linked tests that a partial session did not collect, read from the test files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from pytest_lift.check.reading import test_paths as paths_of_tests
from pytest_lift.errors import UsageError
from pytest_lift.marks.claims import Claims
from pytest_lift.project.static_config import read_static_config
from pytest_lift.run.result import Run, TestResult
from pytest_lift.suite.suite import TestFile, path_of

NOT_COLLECTED = "not collected"


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
