"""What a report gathers of mutants: survivors, tests and diffs, up to limits that it tells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from mutated_shop import (
    ALL,
    FILE,
    PLAIN,
    ROWS,
    measurement,
    mutation,
    program,
    requirement,
)
from shop_report import many

from pytest_lift.evolve.iteration import LiftOutcome
from pytest_lift.findings.test_quality import fault_findings
from pytest_lift.mutation.mutation import Mutation
from pytest_lift.report.facts import Report
from pytest_lift.report.mutant_facts import (
    MOST_DIFFS,
    MOST_SURVIVORS,
    MOST_TESTS,
    MutationFacts,
    kills,
)
from pytest_lift.report.page.mutants import change
from pytest_lift.report.reporting import lift_report

REQUIREMENTS = (
    requirement("R-1", "`Cart.add` refuses a negative price."),
    requirement("R-2", "A `Cart` keeps its lines."),
    requirement("R-3", "`Cart.discounted` is never offered.", non_goal="yes"),
)


def facts(found: Mutation, root: Path) -> tuple[Report, MutationFacts]:
    outcome = LiftOutcome("final", "", measurement(found, *REQUIREMENTS[:2]), (), (), 1.0)
    report = lift_report(root, outcome, program(root), run="r", agents="a", jail="off")
    assert report.mutation is not None
    return report, report.mutation


def test_figures_and_files_are_those_that_were_measured(tmp_path: Path) -> None:
    report, found = facts(mutation("survived", "killed", "untested", "excluded"), tmp_path)
    assert (found.measured, found.detected, found.survived, found.mutants) == (3, 1, 1, 8)
    assert (found.sampled, found.notes, found.left_alone) == (True, ("cut short",), 11)
    assert report.mutation_percent == found.percent == 33.33
    assert found.interval is not None
    assert 0 < found.interval.low < 33.33 < found.interval.high < 100
    assert {each.verdict: each.count for each in found.counts} == dict.fromkeys(
        ("survived", "killed", "untested", "excluded"), 1
    )
    told = [(f.path, f.mutants, f.measured, f.detected, f.untested) for f in found.files]
    assert told == [(FILE, 8, 3, 1, 1), ("shop/settings.py", 0, 0, 0, 0)]
    assert [file.percent for file in found.files] == [pytest.approx(33.33, abs=0.01), None]


def test_a_survivor_has_its_diff_its_requirements_and_its_tests(tmp_path: Path) -> None:
    _, found = facts(mutation(*["survived"] * 8), tmp_path)
    first, last = found.files[0].survivors[0], found.files[0].survivors[-1]
    assert (first.symbol, first.line, first.requirements) == ("Cart.add", 11, ("R-1", "R-2"))
    assert change(first.diff) == ("if count < 1:", "if count <= 1:")
    assert (last.symbol, last.requirements) == ("Cart.discounted", ("R-2",))
    assert (first.tests, first.executed_by) == ((PLAIN, ROWS, ALL), 3), "the closest first"
    assert last.tests == (ROWS, ALL)


def test_advice_is_given_only_where_it_can_be_followed(tmp_path: Path) -> None:
    measured = mutation(*["survived"] * 8)
    _, found = facts(measured, tmp_path)
    guessed = [one for one in found.files[0].survivors if one.likely_equivalent]
    assert guessed
    for one in found.files[0].survivors:
        assert one.todo.startswith("no test is needed: ") is (one in guessed)
    findings = fault_findings(measurement(measured, *REQUIREMENTS[:2]), program(tmp_path))
    for finding in findings:
        if finding.kind == "surviving-mutant":
            needless = "guessed to be equivalent" in finding.what
            assert finding.todo.startswith("no test is needed: ") is needless


def test_tests_are_named_up_to_a_limit_and_counted(tmp_path: Path) -> None:
    found = mutation("survived")
    many = {name: frozenset(f"t.py::test_{n}" for n in range(30)) for name in found.tests}
    _, told = facts(replace(found, tests=many), tmp_path)
    (one,) = told.files[0].survivors
    assert (len(one.tests), one.executed_by) == (MOST_TESTS, 30)


def test_what_a_test_is_known_to_kill_is_counted_once_for_all_its_rows(tmp_path: Path) -> None:
    report, _ = facts(mutation("survived", "killed"), tmp_path)
    assert {test.node: test.kills for test in report.tests} == {PLAIN: 0, ROWS: 1, ALL: 0}
    assert kills(None) is None
    assert kills(Mutation()) is None


def test_survivors_beyond_the_limit_are_counted_and_that_is_said(tmp_path: Path) -> None:
    report, found = facts(many(MOST_SURVIVORS + 3), tmp_path)
    assert (len(found.survivors), found.survived) == (MOST_SURVIVORS, MOST_SURVIVORS + 3)
    assert report.capped == ("3 of 2,003 surviving mutants are not listed",)
    assert {one.symbol for _, one in found.survivors} == {f"f{n}" for n in range(7)}


def test_diffs_beyond_the_room_are_left_out_and_that_is_said(tmp_path: Path) -> None:
    diff = "@@ -1 +1 @@\n-a\n+" + "b" * (MOST_DIFFS // 2)
    report, found = facts(many(3, diff), tmp_path)
    assert [bool(one.diff) for _, one in found.survivors].count(False) == 2
    assert report.capped[0].startswith("the diffs of 2 surviving mutants are left out")
