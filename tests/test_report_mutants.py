"""Mutants on a page: hunks, scores with their basis, and what a list leaves out."""

from __future__ import annotations

import difflib
from dataclasses import replace

from hypothesis import example, given
from hypothesis import strategies as st
from mutants_of import CHANGES, hunk, small_mutation, survivor
from mutated_shop import mutants
from report_of import small, with_survivors
from sample_texts import PROGRAM
from shop_report import many

from pytest_lift.mutation.mutation import marked
from pytest_lift.report.mutant_facts import MutationFacts
from pytest_lift.report.page.html import render_html
from pytest_lift.report.page.mutants import (
    MOST_SHOWN,
    basis,
    hunk_lines,
    mutants_view,
    score,
)
from pytest_lift.report.summary import summary


def test_marks_stay_when_functions_move_and_tell_equal_changes_apart() -> None:
    moved = mutants("# a line\n" * 5 + PROGRAM)
    renumbered = [replace(one, key=f"{one.key}0") for one in moved.values()]
    assert [*marked(mutants().values()).values()] == [*marked(renumbered).values()]
    twice = [replace(one, line=n) for n, one in enumerate(many(3).mutants.values())]
    same = [replace(one, symbol="f") for one in twice]
    assert len(set(marked(same).values())) == 3


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
