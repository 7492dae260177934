"""Requirements x results: statuses, grades, and both directions of the trace."""

from __future__ import annotations

from pytest_lift.expectations import Expectation
from pytest_lift.judged import Judged
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


def traced(
    *rows: tuple[str, Outcome, tuple[str, ...]], owned: bool = True, unproven: tuple[str, ...] = ()
) -> Trace:
    suite = Suite("tests").apply(Edit({"tests/test_a.py": TEXT}))
    if not owned:
        suite = Suite("tests", suite.files)
    results = [TestResult(f"tests/test_a.py::{n}", o, 0.1, requirements=r) for n, o, r in rows]
    run = Run("passed", {r.node: r for r in results})
    return trace_run(ASKED, run, suite, unproven=[f"tests/test_a.py::{n}" for n in unproven])


def status(trace: Trace) -> dict[str, str]:
    return {item.requirement.id: item.status for item in trace.requirements}


def test_a_stated_value_verifies_and_an_observed_one_touches() -> None:
    trace = traced(("test_one", "passed", ("R-1",)), ("test_two", "passed", ("R-2",)))
    assert status(trace) == {
        "R-1": "verified", "R-2": "touched", "R-3": "uncovered", "R-4": "waived"
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
    assert status(traced(("test_one", "skipped", ("R-1",))))["R-1"] == "not-run"


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


def test_a_test_that_passes_without_what_it_is_about_verifies_nothing() -> None:
    trace = traced(("test_one", "passed", ("R-1",)), unproven=("test_one",))
    assert status(trace)["R-1"] == "touched"
    (link,) = trace.requirements[0].links
    assert (link.grade, link.basis, link.outcome) == ("touches", "unproven", "passed")
    assert (trace.verified, trace.touched) == (0, 1)


def test_another_test_that_is_proven_still_verifies() -> None:
    rows = ("test_one", "passed", ("R-1",)), ("test_two", "passed", ("R-1",))
    assert status(traced(*rows, unproven=("test_two",)))["R-1"] == "verified"
    assert status(traced(*rows, unproven=("test_one",)))["R-1"] == "touched"


def test_what_verified_nothing_anyway_keeps_its_reason() -> None:
    trace = traced(
        ("test_one", "xfailed", ("R-1",)),
        ("test_two", "passed", ("R-2",)),
        unproven=("test_one", "test_two"),
    )
    bases = [link.basis for links in trace.links.values() for link in links]
    assert bases == ["contradiction", "observed"]


def test_an_expectation_that_nothing_proves_verifies_no_more() -> None:
    suite = Suite("tests").apply(Edit({"tests/test_a.py": TEXT}))
    result = TestResult("tests/test_a.py::test_two", "passed", 0.1, requirements=("R-2",))
    expected = {"R-2": (Expectation("R-2", "s", "double(9)", expected="18"),)}
    run = Run("passed", {result.node: result})
    trace = trace_run(ASKED, run, suite, {}, expected, unproven=[result.node])
    assert (status(trace)["R-2"], trace.requirements[1].links[0].basis) == ("touched", "unproven")


def test_no_evaluator_can_vouch_for_a_test_that_proves_nothing() -> None:
    suite = Suite("tests").apply(Edit({"tests/test_a.py": TEXT}))
    node = "tests/test_a.py::test_two"
    result = TestResult(node, "passed", 0.1, requirements=("R-2",))
    run = Run("passed", {node: result})
    word = Judged(node, "R-2", "verifies", "d")
    said = {(node, "R-2"): word}
    assert status(trace_run(ASKED, run, suite, judged=said))["R-2"] == "verified"
    trace = trace_run(ASKED, run, suite, judged=said, unproven=[node])
    assert (status(trace)["R-2"], trace.requirements[1].links[0].basis) == ("touched", "unproven")


def test_a_persons_own_mark_stays_though_nothing_proves_it() -> None:
    trace = traced(("test_two", "passed", ("R-2",)), owned=False, unproven=("test_two",))
    assert status(trace)["R-2"] == "verified"
    assert trace.requirements[1].links[0].basis == "person"
