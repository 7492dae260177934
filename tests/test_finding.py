"""Findings from facts: clusters, gaps and their reach, requirements, ranking."""

from __future__ import annotations

from pathlib import Path

from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.findings.finding import Finding, collect_findings
from pytest_lift.oracles.discrepancies import Discrepancy
from pytest_lift.requirements.requirement import Expectation, Requirement, Requirements
from pytest_lift.run.result import Failure, Run, TestResult
from pytest_lift.source.program import read_program
from pytest_lift.suite.suite import Edit, Suite
from pytest_lift.trace.trace import Trace, trace_run

SOURCE = """\
import sys

def grade(points):
    if points > 10:
        return "high"
    if sys.version_info < (3,):
        return "old"
    return "low"

def guard(kind):
    if kind == "a":
        return 1
    raise AssertionError(kind)
"""


def failed(node: str, line: int, kind: str = "ValueError") -> TestResult:
    failure = Failure("call", kind, "bad input\nmore", "thing.py", line, "trace")
    return TestResult(node, "failed", 0.1, failure)


def program_of(tmp_path: Path) -> object:
    (tmp_path / "thing.py").write_text(SOURCE, "utf-8")
    return read_program(tmp_path, ("thing.py",), ("",), "test")


def findings(tmp_path: Path, run: Run, trace: Trace | None = None, coverage: object = None) -> list:
    return list(collect_findings(run, trace or Trace(), program_of(tmp_path), coverage))  # type: ignore[arg-type]


def test_failures_with_one_cause_are_one_finding(tmp_path: Path) -> None:
    results = [failed("t.py::a", 4), failed("t.py::b[1]", 4), failed("t.py::c", 5)]
    run = Run("failed", {result.node: result for result in results})
    found = findings(tmp_path, run)
    assert [(f.kind, f.line, f.tests) for f in found] == [
        ("failing", 4, ("t.py::a", "t.py::b[1]")),
        ("failing", 5, ("t.py::c",)),
    ]
    assert "2 tests fail: ValueError: bad input" in found[0].what
    assert "more" not in found[0].what


def test_excused_failures_are_left_alone(tmp_path: Path) -> None:
    run = Run("failed", {"t.py::a": failed("t.py::a", 4)})
    assert (
        collect_findings(run, Trace(), program_of(tmp_path), known_failures=frozenset({"t.py::a"}))
        == ()
    )  # type: ignore[arg-type]


def test_how_a_run_ended_badly_is_the_first_finding(tmp_path: Path) -> None:
    broken = {"t.py": Failure("collect", "NameError", "name 'x'", "t.py", 3, "trace")}
    run = Run("collection-errors", {"u.py::a": failed("u.py::a", 4)}, broken=broken)
    assert [f.kind for f in findings(tmp_path, run)] == ["broken-file", "failing"]
    run = Run("timed-out", running="t.py::slow", detail="3 s are over")
    first = findings(tmp_path, run)[0]
    assert (first.kind, first.tests) == ("timed-out", ("t.py::slow",))


def test_gaps_are_grouped_by_function_and_reach(tmp_path: Path) -> None:
    figures = FileCoverage(
        "thing.py",
        executed=frozenset({1, 3, 4, 6, 8, 10, 11, 12}),
        missing=frozenset({5, 7, 13}),
        excluded=frozenset(),
        executed_branches=frozenset({(4, 6), (6, 8), (11, 12)}),
        missing_branches=frozenset({(4, 5), (6, 7), (11, 13)}),
    )
    found = findings(tmp_path, Run("passed"), coverage=Coverage({"thing.py": figures}))
    told = {(f.symbol, f.reach): f for f in found}
    assert set(told) == {("grade", "testable"), ("grade", "platform"), ("guard", "defensive")}
    gap = told["grade", "testable"]
    assert gap.what == "thing.grade: 1 branch and 1 line not executed"
    assert "?     4      if points > 10:" in gap.evidence
    assert '>     5          return "high"' in gap.evidence
    assert "line 4 `if points > 10:` never goes to line 5" in gap.todo
    assert gap.gain > told["grade", "platform"].gain == 0
    assert found[0] is gap


def test_requirements_without_a_test_and_ids_without_a_requirement(tmp_path: Path) -> None:
    asked = Requirements(
        (
            Requirement("R-1", "one", "d", ("a",), (), "r.yml", 3),
            Requirement("R-2", "two", "d", ("a",), (), "r.yml", 9, waived="later"),
        )
    )
    result = TestResult("t.py::a", "passed", 0.1, requirements=("R-9",))
    run = Run("passed", {"t.py::a": result})
    found = findings(tmp_path, run, trace_run(asked, run, Suite("tests")))
    assert [(f.kind, f.requirement) for f in found] == [
        ("unknown-requirement", "R-9"),
        ("requirement-untested", "R-1"),
    ]
    assert (found[1].file, found[1].line) == ("r.yml", 3)


def test_skipped_and_slow_tests_are_named(tmp_path: Path) -> None:
    results = [
        TestResult("t.py::a", "skipped", 0.0, reason="no network"),
        TestResult("t.py::b", "passed", 2.5),
    ]
    found = findings(tmp_path, Run("passed", {r.node: r for r in results}))
    assert [f.kind for f in found] == ["skipped", "slow"]
    assert "no network" in found[0].what
    assert "2.5 s" in found[1].what


def contradicted(tmp_path: Path, **given: object) -> Finding:
    requirement = Requirement("R-1", "one", "d", ("a",), (), "r.yml", 3)
    said = Discrepancy("R-1", "f(1)", **{"expected": "2", "actual": "3", **given})  # type: ignore[arg-type]
    trace = trace_run(Requirements((requirement,)), Run("passed"), Suite("tests"), {"R-1": (said,)})
    (found,) = findings(tmp_path, Run("passed"), trace)
    assert isinstance(found, Finding)
    return found


def test_a_suspected_defect_says_which_of_the_two_seems_wrong(tmp_path: Path) -> None:
    told = "R-1 (one) says f(1) gives 2; the program gives 3"
    assert contradicted(tmp_path).what == told
    assert contradicted(tmp_path, suspect="unclear", why="x").what == told
    found = contradicted(
        tmp_path, suspect="requirement", why="2 is odd.", setup="x = 1\n", sentence="So it is."
    )
    assert found.what == f"{told}; the requirement seems wrong: 2 is odd."
    assert found.evidence.splitlines()[:2] == [">>> x = 1", ">>> f(1)"]
    assert "sentence: So it is." in found.evidence
    raising = contradicted(tmp_path, expected="raises Oops", actual="raises KeyError: 1")
    assert raising.what == "R-1 (one) says f(1) raises Oops; the program raises KeyError: 1"


def test_a_contradiction_that_only_a_test_shows_is_told_too(tmp_path: Path) -> None:
    text = '@pytest.mark.req("R-1")\ndef test_it():\n    assert f(1) == 2\n'
    suite = Suite("tests").apply(Edit({"tests/test_a.py": text}))
    requirement = Requirement("R-1", "one", "d", ("a",), (), "r.yml", 3)
    result = TestResult("tests/test_a.py::test_it", "xfailed", 0.1, requirements=("R-1",))
    run = Run("passed", {result.node: result})
    (found,) = findings(tmp_path, run, trace_run(Requirements((requirement,)), run, suite))
    assert (found.kind, found.tests) == ("suspected-defect", ("tests/test_a.py::test_it",))


TWO = Requirement(
    "R-1",
    "one",
    "`f` is told.",
    ("It is told.",),
    (),
    "r.yml",
    3,
    examples=(">>> f(1)\n2", ">>> f(2)\n3"),
)
WRONG = {"R-1": (Discrepancy("R-1", "f(1)", "2", "3"),)}


def of_contradicted(tmp_path: Path, tests: str = "", **known: object) -> list[tuple[str, str]]:
    suite = Suite("tests").apply(Edit({"tests/test_a.py": tests} if tests else {}))
    run = Run(
        "passed",
        {t.node: TestResult(t.node, "passed", 0.1, requirements=("R-1",)) for t in suite.tests()},
    )
    trace = trace_run(Requirements((TWO,)), run, suite, WRONG, **known)  # type: ignore[arg-type]
    return [(f.kind, f.what) for f in findings(tmp_path, run, trace)]


def test_a_contradiction_does_not_hide_that_the_rest_has_no_test(tmp_path: Path) -> None:
    untested = "R-1 (one): contradicted in part, and no test shows the rest, such as"
    defect = ("suspected-defect", "R-1 (one) says f(1) gives 2; the program gives 3")
    assert of_contradicted(tmp_path) == [
        defect,
        ("requirement-untested", f"{untested} >>> f(2) 3"),
    ]
    holds = Expectation("R-1", "It is told", "f(9)", expected="10")
    stands = Expectation("R-1", "It is told", "f(1)", expected="2", ruling="stands")
    found = of_contradicted(tmp_path, expected={"R-1": (stands, holds)})
    assert found[1] == ("requirement-untested", f"{untested} `f(9)` gives 10")


def test_of_a_contradicted_requirement_with_tests_the_open_points_are_told(tmp_path: Path) -> None:
    text = '@pytest.mark.req("R-1")\ndef test_it():\n    """I."""\n    assert f(2) == 3\n'
    _, (kind, what) = of_contradicted(tmp_path, text)
    assert kind == "point-uncovered"
    assert what.endswith(
        '1 of 3 acceptance sentences covered, no test is known to show "It is told."'
    )
