"""Requirements x results: statuses, grades, and both directions of the trace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.oracles.discrepancies import NOT_RUN, Discrepancy
from pytest_lift.project.discovery import find_program
from pytest_lift.requirements.requirement import Expectation, Requirement, Requirements
from pytest_lift.run.result import Outcome, Run, TestResult
from pytest_lift.suite.suite import Edit, Suite
from pytest_lift.suite.test_file import parse_test_file
from pytest_lift.trace.covering import LinkGrade
from pytest_lift.trace.grounding.subjects import Grounding
from pytest_lift.trace.trace import Link, Trace, trace_run

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
    word = LinkGrade(node, "R-2", "verifies", "d")
    said = {(node, "R-2"): word}
    assert status(trace_run(ASKED, run, suite, link_grades=said))["R-2"] == "verified"
    trace = trace_run(ASKED, run, suite, link_grades=said, unproven=[node])
    assert (status(trace)["R-2"], trace.requirements[1].links[0].basis) == ("touched", "unproven")


def test_a_persons_own_mark_stays_though_nothing_proves_it() -> None:
    trace = traced(("test_two", "passed", ("R-2",)), owned=False, unproven=("test_two",))
    assert status(trace)["R-2"] == "verified"
    assert trace.requirements[1].links[0].basis == "person"


def test_ids_that_no_file_knows_hide_no_others() -> None:
    trace = traced(("test_one", "passed", ("R-77", "R-1")))
    assert status(trace)["R-1"] == "verified"
    assert trace.with_status("verified") == ["R-1"]
    assert trace.requirements[0].links[0].requirement == "R-1"


def test_without_requirement_files_no_id_is_unknown() -> None:
    result = TestResult("tests/test_a.py::test_one", "passed", 0.1, requirements=("R-1",))
    trace = trace_run(Requirements(), Run("passed", {result.node: result}), Suite("tests"))
    assert trace.unknown == {}


def test_what_no_requirement_asks_for_is_emergent_where_it_says_so() -> None:
    mine = TestResult("tests/test_a.py::test_one", "passed", 0.1, emergent="seen")
    other = TestResult("tests/test_a.py::test_two", "passed", 0.1)
    run = Run("passed", {row.node: row for row in (mine, other)})
    trace = trace_run(ASKED, run, Suite("tests"))
    assert (trace.emergent, trace.unlinked) == ((mine.node,), (other.node,))


def test_a_link_tells_why_cases_were_left_out() -> None:
    def left_out(*rows: tuple[Outcome, str]) -> str:
        node = "tests/test_a.py::test_one"
        results = [
            TestResult(f"{node}[{n}]", outcome, 0.1, reason=reason, requirements=("R-1",))
            for n, (outcome, reason) in enumerate(rows)
        ]
        run = Run("passed", {row.node: row for row in results})
        (link,) = trace_run(ASKED, run, Suite("tests")).requirements[0].links
        return link.left_out

    assert left_out(("passed", ""), ("passed", "slow")) == ""
    assert left_out(("passed", ""), ("skipped", "no\n  disk"), ("skipped", "later")) == (
        "skipped: no disk"
    )
    assert left_out(("skipped", "")) == "skipped"
    assert left_out(("not-run", "deselected")) == "deselected"
    assert left_out(("skipped", "x" * 200)) == f"skipped: {'x' * 80}"


def test_cases_that_are_left_out_make_it_incomplete_unless_one_is_enough() -> None:
    rows = [
        TestResult("tests/test_a.py::test_one[a]", "passed", 0.1, requirements=("R-1",)),
        TestResult("tests/test_a.py::test_one[b]", "skipped", 0.1, requirements=("R-1",)),
    ]
    run = Run("passed", {row.node: row for row in rows})
    assert status(trace_run(ASKED, run, Suite("tests")))["R-1"] == "incomplete"
    assert status(trace_run(ASKED, run, Suite("tests"), every=False))["R-1"] == "verified"


def test_an_observed_value_touches_and_an_evaluators_word_is_taken_as_it_is() -> None:
    suite = Suite("tests").apply(Edit({"tests/test_a.py": TEXT}))
    node = "tests/test_a.py::test_two"
    result = TestResult(node, "passed", 0.1, requirements=("R-2",))
    run = Run("passed", {node: result})
    (link,) = trace_run(ASKED, run, suite).requirements[1].links
    assert (link.grade, link.basis) == ("touches", "observed")
    word = LinkGrade(node, "R-2", "unrelated")
    (link,) = trace_run(ASKED, run, suite, link_grades={(node, "R-2"): word}).requirements[1].links
    assert (link.grade, link.basis) == ("unrelated", "judged")


IDLE = 'import pytest\n\n@pytest.mark.req("R-1")\ndef test_idle():\n    x = 1\n'


def doubted(outcome: Outcome, *, text: str = IDLE, **row: Any) -> Link:
    files = {"tests/test_a.py": parse_test_file("tests/test_a.py", text)}
    result = TestResult("tests/test_a.py::test_idle", outcome, 0.1, requirements=("R-1",), **row)
    run = Run("passed", {result.node: result})
    (link,) = trace_run(ASKED, run, Suite("tests", files)).requirements[0].links
    return link


def test_what_was_measured_counts_against_a_persons_word() -> None:
    link = doubted("passed")
    assert (link.grade, link.doubt) == ("doubted", "nothing in it can fail")
    link = doubted("passed", text=IDLE.replace("x = 1", "assert double(2) == 4"), reruns=2)
    assert (link.grade, link.doubt) == ("doubted", "it failed 2 times before it passed")


def test_only_what_passes_and_verifies_is_doubted() -> None:
    assert (doubted("failed").grade, doubted("failed").doubt) == ("verified", "")
    owned = Suite("tests").apply(Edit({"tests/test_a.py": IDLE}))
    result = TestResult("tests/test_a.py::test_idle", "passed", 0.1, requirements=("R-1",))
    run = Run("passed", {result.node: result})
    (link,) = trace_run(ASKED, run, owned).requirements[0].links
    assert (link.grade, link.doubt) == ("touches", "")


def test_a_test_that_executes_nothing_of_what_is_named_is_doubted(tmp_path: Path) -> None:
    (tmp_path / "calc.py").write_text("def double(x):\n    return 2 * x\n")
    program = find_program(tmp_path, source=("calc.py",))
    files = {"calc.py": FileCoverage("calc.py", *[frozenset[Any]()] * 5)}
    other = {"tests/test_a.py::test_other": frozenset({("calc.py", 1)})}
    known = Grounding(program, Coverage(files, functions_by_test=other))
    text = IDLE.replace("x = 1", "assert double(2) == 4")
    suite = Suite("tests", {"tests/test_a.py": parse_test_file("tests/test_a.py", text)})
    named = Requirements((requirement("R-1", examples=()),))
    named = Requirements((replace(named.by_id["R-1"], description="`double(2)` is 4"),))
    result = TestResult("tests/test_a.py::test_idle", "passed", 0.1, requirements=("R-1",))
    run = Run("passed", {result.node: result})
    (link,) = trace_run(named, run, suite, grounding=known).requirements[0].links
    assert link.doubt == "it executes none of what the text names: double"


def test_what_the_program_contradicts_is_a_suspected_defect_unless_it_cannot_run() -> None:
    said = {"R-1": (Discrepancy("R-1", "double(2)", "4", "5"),)}
    broken = {"R-1": (Discrepancy("R-1", "double(2)", "4", f"{NOT_RUN[0]} no name"),)}
    run = Run("passed")
    assert broken["R-1"][0].broken
    assert status(trace_run(ASKED, run, Suite("tests"), said))["R-1"] == "suspected-defect"
    assert status(trace_run(ASKED, run, Suite("tests"), broken))["R-1"] == "uncovered"
    assert status(trace_run(ASKED, run, Suite("tests"), said))["R-2"] == "uncovered"


def test_each_exemption_has_its_name() -> None:
    asked = Requirements(
        (
            requirement("A", non_goal="never"),
            requirement("B", untestable="a matter of taste"),
            requirement("C", waived="later"),
            requirement("D", non_goal="never", waived="later"),
        )
    )
    trace = trace_run(asked, Run("passed"), Suite("tests"))
    assert status(trace) == {"A": "non-goal", "B": "untestable", "C": "waived", "D": "non-goal"}
