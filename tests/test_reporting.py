"""The overview of a report says no more than is so."""

from __future__ import annotations

from dataclasses import replace

import pytest
from report_of import bare, small

from pytest_lift.findings.finding import Finding
from pytest_lift.report.page.html import render_html
from pytest_lift.report.page.words import expecting, unmeasured
from pytest_lift.report.reporting import verdict
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.run.result import Outcome, Run, TestResult
from pytest_lift.suite.suite import Suite
from pytest_lift.trace.trace import trace_run

GAP = Finding("uncovered-branch", "m.f: 3 branches not executed", gain=3.0, reach="testable")


def run(*outcomes: Outcome) -> Run:
    nodes = {f"t.py::test_{n}": outcome for n, outcome in enumerate(outcomes)}
    return Run("passed", {node: TestResult(node, one, 0.1) for node, one in nodes.items()})


def told(found: Run, *findings: Finding, ids: tuple[str, ...] = ()) -> tuple[str, str]:
    asked = tuple(Requirement(name, "t", "d", ("a",), (), "r.yml", 1) for name in ids)
    said = verdict(found, trace_run(Requirements(asked), found, Suite("tests")), findings)
    return said.tone, said.headline


def test_who_is_skipped_is_no_failure() -> None:
    assert told(run("passed", "skipped")) == ("good", "1 test passes, 1 is skipped.")
    assert told(run("passed", "xfailed", "xfailed")) == (
        "good",
        "1 test passes, 2 are expected to fail.",
    )
    assert told(run("passed", "failed", "error"))[0] == "bad"
    assert told(run("passed", "failed", "error"))[1] == "1 test passes, 2 fail."


def test_where_something_is_left_to_do_not_all_is_good() -> None:
    assert told(run("passed"))[0] == "good"
    assert told(run("passed"), GAP)[0] == "attention"
    assert told(run("failed"), GAP)[0] == "bad"
    assert told(run("passed"), replace(GAP, reach="excluded"))[0] == "good"


def test_one_requirement_is_one() -> None:
    tone, headline = told(run("passed"), ids=("R-1",))
    assert (tone, headline.partition(";")[0]) == ("attention", "0 of 1 requirement is verified")
    assert headline.endswith("; 1 test passes.")
    assert told(run("passed"), ids=("R-1", "R-2"))[1].startswith("0 of 2 requirements are verified")


def test_what_nobody_looked_at_is_no_merit() -> None:
    assert unmeasured(replace(bare(), branch_percent=None, mutation_percent=None)) == (
        ", but no requirements were given and coverage was not measured "
        "and mutants were not measured"
    )
    whole = replace(small(), branch_percent=28.0, mutation_percent=50.0)
    assert unmeasured(whole) == ""


@pytest.mark.parametrize("verified", [0, 1])
def test_that_no_difference_was_found_says_how_many_were_asked(verified: int) -> None:
    items = small().requirements
    plain = [replace(item, status="uncovered", differences=()) for item in items[:3]]
    plain[0] = replace(plain[0], status="verified" if verified else "touched")
    have = "have a passing test that expects what the text says."
    assert expecting(plain) == f"{verified} of 3 requirements {have}"
    text = render_html(replace(small(), requirements=tuple(plain)))
    assert f"No difference was found. {verified} of 3 requirements {have}" in text
    assert "does what the requirements say" not in text


def test_green_is_not_the_same_as_in_order() -> None:
    text = render_html(replace(bare(), branch_percent=28.0))
    assert "In order" not in text
