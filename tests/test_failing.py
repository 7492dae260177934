"""Tests that were to be run and were not, and those that fail."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from plain_project import FLAT, write

from pytest_lift.measure.failing import absent_tests, bad_tests
from pytest_lift.run.result import Failure, Run, TestResult
from pytest_lift.suite.suite import Edit, Suite, read_suite

EARLIER = "from pkg.mod import sign\n\ndef test_earlier():\n    assert sign(-2) == -1\n"


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """A test of the user's, and one that an earlier lift wrote."""
    root = write(tmp_path / "project", FLAT)
    return read_suite(root, "tests").apply(Edit({"tests/test_earlier.py": EARLIER}))


def test_what_was_to_be_run_and_was_not_is_absent(suite: Suite) -> None:
    node = "tests/test_earlier.py::test_earlier"
    run = Run("passed", {"a": TestResult("tests/test_a.py::test_sign", "passed", 0.1)})
    assert [name for name, _ in absent_tests(run, suite)] == [node]
    assert list(absent_tests(run, suite, {node})) == []
    ran = replace(run, results={node: TestResult(node, "passed", 0.1)})
    assert list(absent_tests(ran, suite)) == []


def test_in_a_file_that_could_not_be_collected_before_nothing_runs(suite: Suite) -> None:
    """Where it could, `bad_tests` tells of the file."""
    path = "tests/test_earlier.py"
    why = Failure("collect", "SyntaxError", "invalid syntax", path, 1, "")
    run = Run("failed", {}, broken={path: why})
    told = {f"{path}::test_earlier": "cannot be collected: SyntaxError"}
    assert dict(absent_tests(run, suite, {path})) == told
    assert dict(absent_tests(run, suite)) == {}
    assert dict(bad_tests(run, suite, ())) == told
    assert dict(bad_tests(run, suite, {path})) == {}
