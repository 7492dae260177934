"""What a measurement rests upon, what keeps it from passing, and what it lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_project import FLAT, write

from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.measure.measurement import (
    Knowledge,
    Measurement,
    absent_tests,
    bad_tests,
    executed,
    measured_losses,
    verified,
)
from pytest_lift.requirements.requirement import Expectation, Requirement
from pytest_lift.run.result import Failure, Run, TestResult
from pytest_lift.suite.suite import Edit, Suite, read_suite
from pytest_lift.trace.covering import LinkGrade
from pytest_lift.trace.statuses import Status
from pytest_lift.trace.trace import RequirementTrace, Trace

ONE = Expectation("R-1", "It doubles.", "double(2)", "equals", "4")
OTHER = Expectation("R-2", "It greets.", "label('a')", "equals", "'a'")
calls = st.lists(st.sampled_from(["f(1)", "f(2)", "g(1)"]), max_size=5)


def test_expectations_are_added_or_ruled_on_anew_in_their_order() -> None:
    known = Knowledge().with_expectations([ONE]).with_expectations([OTHER])
    ruled = replace(ONE, ruling="stands")
    assert ruled.key == ONE.key
    assert known.with_expectations([ruled]).expectations == (ruled, OTHER)
    assert known.with_expectations([]) == known


@given(calls, calls)
def test_no_expectation_gets_lost(first: list[str], second: list[str]) -> None:
    said = [replace(ONE, call=call) for call in first]
    more = [replace(ONE, call=call) for call in second]
    known = Knowledge().with_expectations(said)
    both = known.with_expectations(more)
    assert {one.key for one in both.expectations} == {one.key for one in (*said, *more)}
    assert len(both.expectations) == len({*first, *second})


def test_the_latest_grade_of_a_link_counts() -> None:
    grade = LinkGrade("t::a", "R-1", "verifies", "It doubles.")
    other = replace(grade, requirement="R-2")
    known = Knowledge().with_grades([grade, other])
    changed = known.with_grades([replace(grade, grade="touches")])
    assert {key: one.grade for key, one in changed.link_grades.items()} == {
        ("t::a", "R-1"): "touches",
        ("t::a", "R-2"): "verifies",
    }
    assert known.link_grades["t::a", "R-1"].grade == "verifies"


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


NONE: frozenset[int] = frozenset()


def measured(
    *lines: int, branches: tuple[tuple[int, int], ...] = (), **statuses: Status
) -> Measurement:
    file = FileCoverage(
        "m.py", frozenset(lines), NONE, NONE, frozenset(branches), frozenset({(8, 9)})
    )
    items = tuple(
        RequirementTrace(Requirement(name, "t", "d", ("a",), (), "r", 1), status)
        for name, status in statuses.items()
    )
    return Measurement(Suite("tests"), Run("passed"), Coverage({"m.py": file}), Trace(items))


def told(before: Measurement, after: Measurement) -> list[str]:
    return [loss.text for loss in measured_losses(before, after)]


def test_what_is_gone_is_named_and_what_is_gained_is_no_loss() -> None:
    before = measured(1, 2, branches=((1, 2), (1, 3)), R1="verified", R2="verified")
    after = measured(1, 3, branches=((1, 3),), R1="touched", R2="verified", R3="verified")
    assert told(before, after) == [
        "the verification of R1",
        "1 covered branch at m.py:1",
        "1 covered line",
    ]
    things = [loss.things for loss in measured_losses(before, after)]
    assert things == [{"R1"}, {("m.py", 1, 2)}, {("m.py", 2)}]


def test_the_same_loses_nothing() -> None:
    one = measured(1, 2, branches=((1, 2),), R1="verified")
    assert told(one, one) == []


def test_what_was_never_verified_cannot_be_lost() -> None:
    assert told(measured(R1="touched"), measured()) == []


def test_verified_requirements_and_executed_lines() -> None:
    one = measured(4, 7, R1="verified", R2="failing", R3="incomplete")
    assert verified(one) == {"R1"}
    assert executed(one) == {("m.py", 4), ("m.py", 7)}
