"""Excerpts of a program on a page: what is covered is skipped, what is too long left out."""

from __future__ import annotations

from dataclasses import replace

from parsed_page import Parsed, flat
from report_of import small
from sample_texts import PROGRAM

from pytest_lift.report.facts import Gap, GapFile
from pytest_lift.report.page import rows
from pytest_lift.report.page.html import render_html


def test_an_excerpt_that_is_too_long_is_left_out_and_that_is_said() -> None:
    lines = tuple(range(1, rows.MOST_LINES + 10))
    gap = Gap("f", 1, lines, (), "testable", "f is never called")
    file = GapFile("f.py", 500, 0, 0, 0, (gap,), "pass\n" * 500)
    text = flat(Parsed(render_html(replace(small(), gap_files=(file,)))).text)
    assert "The excerpts of 1 symbol with gaps are left out of this page" in text
    assert "lines 1 to 409 never run" in text


def test_excerpts_skip_what_is_covered() -> None:
    gap = Gap("", 1, (2, 30), (), "testable", "")
    (view,) = rows.gap_files((GapFile("p.py", 30, 28, 0, 0, (gap,), PROGRAM),))
    shown = [line.number or f"({line.skipped})" for line in view.gaps[0].lines]
    assert shown == [1, 2, 3, 4, "(23)", 28, 29, 30, 31, 32]
    assert [line.number for line in view.gaps[0].lines if line.missed] == [2, 30]
