"""The suite together with the tests that pytest collects beside the test root."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pytest_lift.source.syntax import from_bytes
from pytest_lift.suite.suite import Suite
from pytest_lift.suite.test_file import is_foreign, parse_test_file


def with_tests_elsewhere(suite: Suite, root: Path, places: Sequence[str]) -> Suite:
    """`places` are what pytest collects by default. For looking at only: nobody may write it."""
    found = dict(suite.files)
    for path in _python_files(root, places):
        name = path.rpartition("/")[2]
        if path in found or not (suite.naming.is_test_file(path) or name == "conftest.py"):
            continue
        try:
            text = from_bytes((root / path).read_bytes())
        except OSError:
            continue
        found[path] = parse_test_file(path, text, suite.naming)
    return replace(suite, files=found)


def _python_files(root: Path, places: Sequence[str]) -> Iterator[str]:
    for place in places:
        for folder, folders, names in os.walk(root / place):
            folders[:] = sorted(name for name in folders if not is_foreign(name))
            for name in sorted(names):
                if name.endswith(".py"):
                    yield (Path(folder) / name).relative_to(root).as_posix()
