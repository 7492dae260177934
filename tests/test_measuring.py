"""What counts as covered inside a measured session: all that runs but tests of contradictions."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from small_project import SmallProject

from pytest_lift.coverage.coverage import Coverage

TESTS = """\
import pytest

from pkg.mod import sign


def test_first():
    assert sign(0) == 0


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.xfail(strict=True, raises=%s, reason="%s R-1: sign(1) gives 1, not 2")
def test_contradicts(number):
    assert sign(number) == 2


def test_last():
    assert sign(-1) == -1
"""


def measured(tmp_path: Path, reason: str, raises: str = "AssertionError") -> Coverage:
    project = SmallProject(tmp_path).write({"tests/test_a.py": TESTS % (raises, reason)})
    return project.measure(jail=replace(best_jail(), passed_on=("COVERAGE_CORE",)))


def missing(coverage: Coverage) -> frozenset[int]:
    return coverage.files["src/pkg/mod.py"].missing


@pytest.mark.parametrize("core", ["ctrace", "pytrace", "sysmon"])
def test_a_contradiction_covers_nothing_and_disturbs_no_other_test(
    tmp_path: Path, core: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if core == "sysmon" and sys.version_info < (3, 12):
        pytest.skip("sys.monitoring came with Python 3.12")
    monkeypatch.setenv("COVERAGE_CORE", core)
    coverage = measured(tmp_path, "contradicts")
    assert missing(coverage) == {3}
    assert (2, 3) in coverage.files["src/pkg/mod.py"].missing_branches
    tests = {node.partition("::")[2] for node in coverage.by_test}
    assert tests == {"test_first", "test_last"}
    last = coverage.by_test["tests/test_a.py::test_last"]
    assert {(b[1], b[2]) for b in last} == {(2, 4), (4, 5)}


def test_another_expected_failure_counts(tmp_path: Path) -> None:
    assert missing(measured(tmp_path, "a bug of")) == frozenset()


def test_one_that_does_not_fail_as_it_says_disturbs_nothing_either(tmp_path: Path) -> None:
    assert missing(measured(tmp_path, "contradicts", "KeyError")) == {3}
