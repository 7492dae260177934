"""Requirements x results: statuses, grades, and both directions of the trace."""

from __future__ import annotations

from pytest_lift.expectations import Expectation
from pytest_lift.requirements import Requirement, Requirements
from pytest_lift.run import Outcome, Run, TestResult
from pytest_lift.suite import Edit, Suite
from pytest_lift.trace import Trace, trace_run

TEXT = '''\
import pytest

@pytest.mark.req("R-1")
def test_one():
    """States what R-1 says."""
    assert double(2) == 4

@pytest.mark.req("R-2")
def test_two():
    """Pins what was seen."""
    assert double(9) == 18
'''


def requirement(name: str, **given: object) -> Requirement:
    example = ">>> double(2)\n4"
    values = {"examples": (example,), **given}
    return Requirement(name, name, "d", ("a",), (), "r.yml", 1, **values)  # type: ignore[arg-type]


ASKED = Requirements(
    (requirement("R-1"), requirement("R-2"), requirement("R-3"), requirement("R-4", waived="later"))
)


def traced(*rows: tuple[str, Outcome, tuple[str, ...]], owned: bool = True) -> Trace:
    suite = Suite("tests").apply(Edit({"tests/test_a.py": TEXT}))
    if not owned:
        suite = Suite("tests", suite.files)
    results = [TestResult(f"tests/test_a.py::{n}", o, 0.1, requirements=r) for n, o, r in rows]
    return trace_run(ASKED, Run("passed", {r.node: r for r in results}), suite)


def status(trace: Trace) -> dict[str, str]:
    return {item.requirement.id: item.status for item in trace.requirements}


def test_a_stated_value_verifies_and_an_observed_one_touches() -> None:
    trace = traced(("test_one", "passed", ("R-1",)), ("test_two", "passed", ("R-2",)))
    assert status(trace) == {
        "R-1": "verified", "R-2": "partial", "R-3": "untested", "R-4": "waived"
    }  # fmt: skip
    assert (trace.verified, trace.touched, trace.testable) == (1, 2, 3)
    assert [link.basis for links in trace.links.values() for link in links] == [
        "example",
        "observed",
    ]


def test_a_persons_own_mark_is_a_persons_word() -> None:
    trace = traced(("test_two", "passed", ("R-2",)), owned=False)
    assert status(trace)["R-2"] == "verified"
    assert trace.requirements[1].links[0].basis == "person"


def test_one_failing_row_is_enough() -> None:
    trace = traced(("test_one[a]", "passed", ("R-1",)), ("test_one[b]", "failed", ("R-1",)))
    assert status(trace)["R-1"] == "failing"
    assert trace.requirements[0].links[0].outcome == "failed"


def test_a_skipped_test_verifies_nothing() -> None:
    assert status(traced(("test_one", "skipped", ("R-1",))))["R-1"] == "untested"


def test_marks_of_single_rows_count_for_those_rows_only() -> None:
    trace = traced(("test_one[a]", "passed", ("R-1",)), ("test_one[b]", "failed", ("R-3",)))
    assert status(trace)["R-1"] == "verified"
    assert status(trace)["R-3"] == "failing"


def test_unknown_ids_and_tests_without_a_link_are_listed() -> None:
    trace = traced(("test_one", "passed", ("R-77",)), ("test_two", "passed", ()))
    assert trace.unknown == {"R-77": ("tests/test_a.py::test_one",)}
    assert trace.unlinked == ("tests/test_a.py::test_two",)


def test_an_expected_failure_of_the_tool_s_is_a_contradiction_and_verifies_nothing() -> None:
    trace = traced(("test_one", "xfailed", ("R-1",)), ("test_two", "passed", ("R-1",)))
    assert status(trace)["R-1"] == "suspected-defect"
    kept = trace.links["tests/test_a.py::test_one"][0]
    assert (kept.basis, kept.grade) == ("contradiction", "touches")
    assert (trace.verified, trace.touched, trace.counts["suspected-defect"]) == (0, 1, 1)
    mine = traced(("test_one", "xfailed", ("R-1",)), owned=False)
    assert mine.requirements[0].links[0].basis == "person"


def test_a_contradiction_that_is_gone_fails() -> None:
    assert status(traced(("test_one", "failed", ("R-1",))))["R-1"] == "failing"


def test_what_a_text_lets_one_expect_verifies() -> None:
    suite = Suite("tests").apply(Edit({"tests/test_a.py": TEXT}))
    result = TestResult("tests/test_a.py::test_two", "passed", 0.1, requirements=("R-2",))
    expected = {"R-2": (Expectation("R-2", "s", "double(9)", expected="18"),)}
    trace = trace_run(ASKED, Run("passed", {result.node: result}), suite, {}, expected)
    assert status(trace)["R-2"] == "verified"
    assert trace.requirements[1].links[0].basis == "expectation"
