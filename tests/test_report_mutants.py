"""Mutants in a report: whose they are, who executes them, what is left out, and how they are told."""

from __future__ import annotations

import difflib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mutants_of import CHANGES, hunk, small_mutation, survivor
from mutated_shop import (
    ALL,
    FILE,
    PLAIN,
    ROWS,
    measurement,
    mutants,
    mutation,
    program,
    requirement,
)
from report_of import small, with_survivors
from sample_texts import PROGRAM

from pytest_lift.evolve.iteration import LiftOutcome
from pytest_lift.findings.test_quality import fault_findings
from pytest_lift.mutation.mutants import Mutant
from pytest_lift.mutation.mutation import Mutation
from pytest_lift.mutation.sampling import marked
from pytest_lift.report.facts import Report
from pytest_lift.report.formats.html import render_html
from pytest_lift.report.formats.summary import summary
from pytest_lift.report.gathering import MOST_DIFFS, MOST_SURVIVORS, MOST_TESTS, kills
from pytest_lift.report.mutant_facts import MutationFacts, most_telling
from pytest_lift.report.page.mutants import (
    MOST_SHOWN,
    basis,
    change,
    hunk_lines,
    mutants_view,
    score,
)
from pytest_lift.report.reporting import lift_report
from pytest_lift.trace.belonging import Belonging

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


CLASSES = "class A:\n def go(self): pass\n def stay(self): pass\nclass B:\n def go(self): pass\ndef stay(): pass\n"


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("`A` is there.", {"A.go", "A.stay"}),
        ("`stay` is there.", {"A.stay", "stay"}),
        ("`A.stay` is there.", {"A.stay"}),
        ("`B.go` is there.", {"B.go"}),
        ("A and stay are there.", set()),
    ],
)
def test_a_class_stands_for_its_methods_unless_some_are_named(
    text: str, symbols: set[str], tmp_path: Path
) -> None:
    names = CLASSES.replace("A", "Aaa").replace("B", "Bbb").replace("go", "gone")
    said = text.replace("A", "Aaa", 1).replace("B", "Bbb").replace("go", "gone")
    belonging = Belonging(program(tmp_path, names), measurement(None, requirement("R", said)).trace)
    found = {
        symbol
        for symbol in ("Aaa.gone", "Aaa.stay", "Bbb.gone", "stay")
        if belonging.requirements(symbol) == ("R",)
    }
    assert found == {
        s.replace("A", "Aaa").replace("B", "Bbb").replace("go", "gone") for s in symbols
    }


def test_what_needs_no_test_asks_for_none(tmp_path: Path) -> None:
    found = measurement(None, requirement("R", "`Cart.add` is fast.", waived="later")).trace
    assert Belonging(program(tmp_path), found).requirements("Cart.add") == ()


def many(count: int, diff: str = "@@ -1 +1 @@\n-a\n+b") -> Mutation:
    found = {
        f"shop.cart.x_f{n % 7}__mutmut_{n}": Mutant(
            f"shop.cart.x_f{n % 7}__mutmut_{n}", FILE, n, f"f{n % 7}", "a", "b", diff
        )
        for n in range(count)
    }
    return Mutation(found, dict.fromkeys(found, "survived"))


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


def test_marks_stay_when_functions_move_and_tell_equal_changes_apart() -> None:
    moved = mutants("# a line\n" * 5 + PROGRAM)
    renumbered = [replace(one, key=f"{one.key}0") for one in moved.values()]
    assert [*marked(mutants().values()).values()] == [*marked(renumbered).values()]
    twice = [replace(one, line=n) for n, one in enumerate(many(3).mutants.values())]
    same = [replace(one, symbol="f") for one in twice]
    assert len(set(marked(same).values())) == 3


def test_every_function_has_its_turn_and_equivalents_come_last() -> None:
    listed = small().mutation.survivors  # type: ignore[union-attr]
    found = most_telling(listed)
    assert [one.symbol for _, one in found][:3] == ["Cart.add", "Cart.discounted", "f"]
    assert found[-1][1].likely_equivalent
    assert sorted(one.key for _, one in found) == sorted(one.key for _, one in listed)


LINES = st.lists(st.sampled_from(["a = 1", "b", "", "-- c", "++ d", "@@ e", " f"]), max_size=12)


@given(LINES, st.integers(0, 11), st.sampled_from(["x", "-- x", "++", "@@ -1 +1 @@"]))
@example(["@@ e", " f", "@@ e", " f"], 1, "x")  # difflib takes two lines away and adds two
def test_a_hunk_is_read_as_it_was_written(lines: list[str], place: int, new: str) -> None:
    """Put in the place of the lines that it takes away, what a hunk adds makes the new text."""
    place = min(place, len(lines))
    changed = [*lines[:place], new, *lines[place + 1 :]]
    diff = "\n".join(difflib.unified_diff(lines, changed, "a", "b", n=12, lineterm=""))
    found = hunk_lines(diff)
    for sign, text in (("-", lines), ("+", changed)):
        side = [line for line in found if line.sign in (sign, " ")]
        assert [line.text for line in side] == (text if lines != changed else [])
        assert all(text[one.number - 1] == one.text for one in side if one.sign == sign)


def test_what_differs_in_a_line_is_set_apart() -> None:
    found = hunk_lines(hunk(PROGRAM, "percent > 50 and", "percent > 50 or"))
    parts = {line.sign: (line.same.strip(), line.differs) for line in found if line.differs}
    assert parts == {"-": ("if percent > 50", "and"), "+": ("if percent > 50", "or")}
    assert [line.number for line in found if line.sign == "-"] == [21]


def test_the_score_of_a_sample_is_told_with_its_interval() -> None:
    found = small().mutation
    assert found is not None
    assert score(found) == "~62.5 %"
    assert "20 of 32 mutants detected" in basis(found)
    assert "a sample of 48, of which the score lies between 51.3 % and 72.5 %" in basis(found)
    whole = replace(found, sampled=False, interval=None)
    assert (score(whole), basis(whole)) == ("62.5 %", "20 of 32 mutants detected")


def test_the_beginning_of_a_sample_is_told_with_its_interval() -> None:
    part = replace(small_mutation(), complete=False)
    assert score(part) == "~62.5 %"
    assert "only for 32 of it" in basis(part)
    assert "between 51.3 % and 72.5 % (95 % confidence)" in basis(part)
    report = replace(small(), mutation=part, mutation_percent=None)
    assert "| mutants | ~62.5 % detected (51.3 to 72.5 %: 32 of 48 measured)" in summary(report)
    less = replace(part, interval=None)
    assert score(less) == "not measured"
    assert "only for 32 of it" in basis(less)
    assert "confidence" not in basis(less)
    assert "not measured to the end" in summary(replace(report, mutation=less))


def test_of_no_mutants_there_is_no_score() -> None:
    """A part of the program may have none: that all of them are detected says nothing."""
    none = MutationFacts(100.0, 0, 0, 0, 0, sampled=False)
    assert (score(none), basis(none)) == ("not measured", "There is nothing to mutate.")
    report = replace(small(), mutation=none, mutation_percent=None)
    assert "| mutants | no score, since there is nothing to mutate |" in summary(report)
    assert "There is nothing to mutate." in render_html(report)


def test_the_overview_counts_what_no_test_executes_among_what_none_notices() -> None:
    found = small().mutation
    assert found is not None
    assert (found.survived, found.missed) == (9, 12)
    assert "12 changes not detected by any test" in render_html(small())
    every = replace(found, detected=found.measured, survived=0)
    assert "the tests detect every change" in render_html(replace(small(), mutation=every))


def test_a_file_has_no_score_where_its_mutants_were_cut_off() -> None:
    found = small().mutation
    assert found is not None
    told = "62.5 % detected"
    assert told in render_html(small())
    cut_off = replace(small(), mutation=replace(found, complete=False), mutation_percent=None)
    assert told not in render_html(cut_off)


def test_a_page_lists_so_many_and_says_what_it_left_out() -> None:
    found = with_survivors(MOST_SHOWN + 5).mutation
    view = mutants_view(found, {})
    assert view is not None
    assert view.shown == MOST_SHOWN
    assert "5 survivors beyond the first 2,000" in view.capped
    long = replace(survivor(1, *CHANGES[0]), diff="@@ -1,99 +1,99 @@\n" + " x\n" * 99 + "-a\n+b")
    file = replace(found.files[0], survivors=(long,))  # type: ignore[union-attr]
    view = mutants_view(replace(found, files=(file,)), {})  # type: ignore[type-var]
    assert view is not None
    assert view.files[0].rows[0].left_out
    assert "the diffs of 1 survivor," in view.capped


def test_the_summary_shows_the_score_and_five_survivors() -> None:
    text = summary(small())
    assert "| mutants | ~62.5 % detected (51.3 to 72.5 %: 32 of 48 measured), 9 survive |" in text
    rows = [line for line in text.splitlines() if "`src/shop/" in line]
    assert len(rows) == 5
    assert rows[0] == (
        "| `if count < 1:` | `if count <= 1:` | `src/shop/cart.py:11` `Cart.add` | CART-2, CART-4 |"
    )
