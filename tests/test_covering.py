"""Which sentences and examples a test is known to show, and what is measured against its word."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from pytest_lift.assertions.substance import is_idle
from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.evolve.acceptance import decide
from pytest_lift.findings.finding import collect_findings
from pytest_lift.measure.measurement import Measurement
from pytest_lift.project.discovery import find_program
from pytest_lift.redundancy.minimising import losses
from pytest_lift.report.closing import sentence
from pytest_lift.report.reporting import verdict
from pytest_lift.report.run_json import _trace
from pytest_lift.requirements.requirement import Expectation, Requirement, Requirements
from pytest_lift.run.result import Outcome, Run, TestResult
from pytest_lift.session.tracing import trace_lines
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Edit, Suite
from pytest_lift.trace.covering import Cover, LinkGrade, covers, doubt, shown
from pytest_lift.trace.grounding.subjects import Grounding
from pytest_lift.trace.trace import Trace, trace_run

FARES = Requirement(
    "FARE-1",
    "Fares",
    "`fare` gives the price as a text, `refund` what comes back. A dog pays 'half'.",
    (
        "`fare(1, 'child')` gives `'free'`, a child pays nothing.",
        "`fare(8, 'adult')` gives '4.50'; with `by_night` it is 'double'.",
        "A group of ten pays as nine.",
        "What was paid too much comes back.",
    ),
    ("s",),
    "r.yml",
    7,
    examples=(">>> fare(1, 'adult')\n'2.00'\n>>> fare(2, 'adult')\n'2.40'",),
)
ONLY = Requirement("ONLY-1", "t", "`fare` of a dog is 'half'.", ("Dogs pay.",), (), "r.yml", 1)
MADE = "tests/test_a.py"


def shows(body: str, requirement: Requirement = FARES, **given: object) -> list[tuple[object, ...]]:
    told: dict[str, object] = {"basis": "person", **given}
    source = f"def test_it():\n    {body}\n"
    found = covers(requirement, source, **told)  # type: ignore[arg-type]
    return [(one.point, one.basis, *one.parts) for one in found]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("assert fare(1, 'child') == 'free'", [(1, "quoted value")]),
        ("assert refund(1, 'child') == 'free'", []),  # the sentence speaks of another function
        ("assert fare(1, 'adult') == 'free'", []),  # ... of other arguments
        ("assert 'free' == 'free' and fare(1, 'child')", []),  # nothing is said of the call
        ("assert other(1, 'child') == 'free'", []),
        ("assert fare(8, 'adult') == '4.50'", [(2, "quoted value")]),
        ("assert fare(8, 'adult', by_night=True) == '4.50'", []),  # an option of the other half
        ("assert fare(8, 'adult', by_night=1) == 'other'", []),
        ("assert fare(9, 'adult', by_night=True) == 'double'", []),  # another call than it speaks of
        ("assert fare(1, by_night=1) == 'half'", []),  # that stands in the description
        ("assert fare(1, 'adult') == '2.00'", [(5, "example", 1)]),
        ("assert fare(1, 'adult') == '2.00'\n    assert fare(2, 'adult') == '2.40'", [(5, "example")]),
        ("assert fare(1, 'adult') == '2.40'", []),
        ("assert fare(1, 'x', by_night=0)", []),
    ],
)  # fmt: skip
def test_what_texts_tell(body: str, found: list[object]) -> None:
    assert shows(body) == found


def test_an_option_of_the_title_is_meant_by_every_sentence() -> None:
    asked = replace(FARES, title="Fares with `by_night`")
    assert shows("assert fare(1, 'child') == 'free'", asked) == []
    body = "assert fare(1, 'child', by_night=1) == 'free'"
    assert shows(body, asked) == [(1, "quoted value")]


def test_an_expectation_covers_the_sentence_that_it_was_taken_from() -> None:
    said = Expectation("FARE-1", "a group of ten pays as nine", "fare(10)", expected="fare(9)")
    body = "assert fare(10) == fare(9)"
    assert shows(body, expected_of_it=(said,)) == [(3, "expectation")]
    assert shows("assert fare(10) == 3", expected_of_it=(said,)) == []


@pytest.mark.parametrize(
    ("quote", "points"),
    [
        ("pays as nine", [3]),
        ("A group of ten pays as nine. What was paid too much comes back.", [3, 4]),
        ("pays", []),  # several sentences have this word
        ("A dog pays 'half'", []),
        ("", []),
    ],
)
def test_the_words_of_an_evaluator_cover_the_sentence_in_which_they_stand(
    quote: str, points: list[int]
) -> None:
    assert [row[0] for row in shows("pass", basis="judged", quote=quote)] == points
    assert shows("pass", basis="example", quote=quote) == []


def test_a_mark_stands_for_the_requirement_and_so_for_its_only_sentence() -> None:
    assert shows("assert True", ONLY) == [(1, "person")]
    assert shows("assert True", FARES) == []
    assert shows("assert True", ONLY, basis="quoted value") == []
    assert [one.point for one in covers(ONLY, None, basis="person")] == [1]


def test_several_tests_show_an_example_together() -> None:
    first, second = Cover(5, "example", (1,)), Cover(5, "example", (2,))
    told = shown(FARES, [("a", [first, Cover(1, "quoted value")]), ("b", [first])])
    assert [point.covered for point in told] == [True, False, False, False, False]
    assert told[4].tests == ("a", "b")
    told = shown(FARES, [("a", [first]), ("b", [second])])
    assert (told[4].covered, told[4].tests) == (True, ("a", "b"))
    assert [point.kind for point in told] == ["sentence"] * 4 + ["example"]


TEXT = """\
@pytest.mark.req("FARE-1")
def test_one():
    assert fare(8, 'adult') == '4.50'

@pytest.mark.req("FARE-1")
def test_two():
    assert fare(77)
"""


def traced(
    *outcomes: Outcome,
    owned: bool = True,
    link_grades: tuple[LinkGrade, ...] = (),
    asked: Requirement = FARES,
) -> Trace:
    suite = Suite("tests").apply(Edit({MADE: TEXT}))
    if not owned:
        suite = Suite("tests", suite.files)
    results = [
        TestResult(f"{MADE}::test_{name}", outcome, 0.1, requirements=("FARE-1",))
        for name, outcome in zip(("one", "two"), outcomes, strict=False)
    ]
    run = Run("passed", {result.node: result for result in results})
    words = {(one.test, one.requirement): one for one in link_grades}
    return trace_run(Requirements((asked,)), run, suite, link_grades=words)


def covered(trace: Trace) -> list[int]:
    return [number for _, number in sorted(trace.covered)]


def test_the_checklist_of_a_run() -> None:
    trace = traced("passed", "passed")
    (item,) = trace.requirements
    assert (item.status, covered(trace), len(trace.points)) == ("verified", [2], 5)
    assert [bool(link.covers) for link in item.links] == [True, False]
    assert trace.verified_in_part == ["FARE-1"]
    word = LinkGrade(f"{MADE}::test_two", "FARE-1", "verifies", "A group of ten pays as nine")
    assert covered(traced("passed", "passed", link_grades=(word,))) == [2, 3]


def test_what_does_not_pass_shows_nothing() -> None:
    for outcome in ("failed", "skipped", "xfailed", "error"):
        assert covered(traced(outcome)) == []  # type: ignore[arg-type]


def test_what_a_person_wrote_is_read_too() -> None:
    assert covered(traced("passed", "passed", owned=False)) == [2]


def measurement(trace: Trace) -> Measurement:
    return Measurement(Suite("tests"), Run("passed", {}), Coverage({}), trace)


def test_a_sentence_more_is_a_gain_and_one_less_is_a_loss() -> None:
    word = LinkGrade(f"{MADE}::test_two", "FARE-1", "verifies", "A group of ten pays as nine")
    less, more = (
        measurement(traced("passed", "passed")),
        measurement(traced("passed", "passed", link_grades=(word,))),
    )
    assert (less.figures.sentences, less.figures.covered, more.figures.covered) == (5, 1, 2)
    assert decide(less, more).gains == ("1 acceptance sentence",)
    assert decide(less, more).accepted
    assert decide(more, less).losses == ("what showed 1 acceptance sentence: FARE-1 (3)",)
    assert losses(more, less) == ("what showed 1 acceptance sentence: FARE-1 (3)",)
    nothing = measurement(traced("skipped"))
    assert decide(nothing, less).gains == ("1 verified requirement",)
    assert decide(less, nothing).losses == ("the verification of FARE-1",)


def test_the_verdict_and_the_terminal_count_sentences() -> None:
    trace = traced("passed")
    passed = Run("passed", {"t": TestResult("t", "passed", 0.1)})
    assert "1 of 5 acceptance sentences" in verdict(passed, trace).headline
    assert any("FARE-1" in step for step in verdict(passed, trace).next_steps)
    assert "(1 of 5 acceptance sentences covered)" in sentence(measurement(trace))
    lines = trace_lines(trace, Requirements((FARES,)), passed)
    assert "1 of 5 acceptance sentences covered" in lines
    assert "verified, but not every sentence: FARE-1" in lines


def test_the_outcome_for_programs_has_the_checklist() -> None:
    (row,) = json.loads(json.dumps(_trace(traced("passed"))))["requirements"]
    assert [point["covered"] for point in row["acceptance"]] == [False, True, False, False, False]
    assert row["acceptance"][1]["tests"] == [f"{MADE}::test_one"]
    assert row["links"][0]["covers"] == [{"point": 2, "basis": "quoted value", "parts": []}]


def test_what_is_exempt_asks_for_nothing() -> None:
    trace = traced("passed", asked=replace(FARES, waived="later"))
    assert (trace.points, trace.covered, trace.verified_in_part) == ((), frozenset(), [])


def test_a_finding_names_the_sentence_that_nothing_covers() -> None:
    trace = traced("passed")
    (found,) = collect_findings(Run("passed", {}), trace, Program((), (), ()))
    assert (found.kind, found.requirement, found.file, found.line) == (
        "point-uncovered", "FARE-1", "r.yml", 7,
    )  # fmt: skip
    assert found.what.startswith("FARE-1 (Fares): 1 of 5 acceptance sentences covered, ")
    assert found.what.endswith("\"`fare(1, 'child')` gives `'free'`, a child pays nothing.\"")
    assert found.evidence.startswith(
        "- `fare(1, 'child')` gives `'free'`, a child pays nothing.\n- A group of ten"
    )
    contradicted = collect_findings(Run("passed", {}), traced("xfailed"), Program((), (), ()))
    assert {one.kind for one in contradicted} == {"suspected-defect", "requirement-untested"}


NODE = "tests/test_shop.py::test_it"
PROGRAM = """
import functools


def price(number):
    return number * 3


def total(numbers):
    return sum(map(price, numbers))


@functools.lru_cache
def rate(kind):
    return len(kind)


class Cart:
    def __init__(self):
        self.numbers = []

    def add(self, number):
        self.numbers.append(number)


class Plain:
    kind = "plain"

    def label(self):
        return self.kind
"""


def grounding(root: Path, entered: set[str], measured: bool = True) -> Grounding:
    (root / "shop.py").write_text(dedent(PROGRAM), "utf-8")
    program = find_program(root, source=("shop.py",))
    lines = {symbol.name: symbol.line for symbol in program.files["shop.py"].symbols}
    functions = {
        NODE: frozenset(("shop.py", lines[name]) for name in entered),
        "tests/test_shop.py::test_other": frozenset({("shop.py", lines["price"])}),
    }
    nothing: tuple[frozenset[Any], ...] = (frozenset(),) * 5
    files = {"shop.py": FileCoverage("shop.py", *nothing)} if measured else {}
    return Grounding(program, Coverage(files, functions_by_test=functions))


def said(text: str, known: Grounding | None, source: str = "", **row: object) -> str:
    asked = Requirement("R-1", "t", text, ("a",), (), "r.yml", 1)
    result = TestResult(NODE, "passed", 0.1, **row)  # type: ignore[arg-type]
    source = source or "def test_it():\n    assert total([1]) == 3\n"
    return doubt(asked, [result], is_idle(source), source, known)


def test_a_test_that_executes_nothing_of_what_is_named_is_doubted(tmp_path: Path) -> None:
    known = grounding(tmp_path, {"total"})
    assert said("`price(2)` is 6", known) == "it executes none of what the text names: price"
    assert said("`total([2])` is 6", known) == ""
    assert said("`total` uses `price`", known) == "", "one of them is enough"
    assert said("prices are numbers", known) == "", "nothing is named"
    assert said("`Cart` is empty", known) == "it executes none of what the text names: Cart"
    assert said("`price(2)` is 6", None) == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("`rate('a')` is 1", "a cache may have answered"),
        ("`Plain` is plain", "making one runs no line of it"),
    ],
)
def test_what_can_be_used_unseen_is_no_doubt(text: str, why: str, tmp_path: Path) -> None:
    assert said(text, grounding(tmp_path, {"total"})) == "", why


def test_nor_is_what_nobody_looked_at(tmp_path: Path) -> None:
    text = "`price(2)` is 6"
    known = grounding(tmp_path, {"total"})
    assert said(text, grounding(tmp_path, {"total"}, measured=False)) == ""
    assert said(text, known, shares=True) == "", "a fixture of the module may have run it"
    elsewhere = "def test_it():\n    assert subprocess.run(['shop']).returncode == 0\n"
    assert said(text, known, elsewhere) == ""


def test_an_idle_test_and_a_failed_attempt_are_doubted(tmp_path: Path) -> None:
    known = grounding(tmp_path, {"price"})
    assert said("`price(2)` is 6", known, "def test_it(): pass\n") == "nothing in it can fail"
    assert said("`price(2)` is 6", known, reruns=1) == "it failed 1 time before it passed"
    assert said("`price(2)` is 6", known) == ""
