"""The report as CSV and Markdown: complete, and never markup or a formula of somebody else's."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_of import bare, hostile, small

from pytest_lift.report.facts import LinkFacts, Report, RequirementFacts, Verdict
from pytest_lift.report.formats.matrix import HEAD, matrix_csv
from pytest_lift.report.formats.summary import summary

VERDICT = Verdict("good", "fine.")


def rows(report: Report) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(matrix_csv(report), newline="")))


def test_the_matrix_has_a_row_for_each_link_and_for_what_has_none() -> None:
    report = small()
    found = rows(report)
    links = [
        (row["requirement"], row["test"]) for row in found if row["requirement"] and row["test"]
    ]
    told = [(item.id, link.test) for item in report.requirements for link in item.links]
    told += [(name, test) for name, tests in report.unknown for test in tests]
    assert links == told
    without = [row["requirement"] for row in found if not row["test"]]
    assert without == [item.id for item in report.requirements if not item.links]
    loose = [row["test"] for row in found if not row["requirement"]]
    assert loose == [t.node for t in report.tests if t.standing in ("emergent", "unlinked")]


def test_the_matrix_counts_acceptance_sentences_and_says_which_a_test_covers() -> None:
    found = [row for row in rows(small()) if row["requirement"] == "CART-2"]
    assert {(row["covered"], row["sentences"]) for row in found} == {("1", "3")}
    assert [row["covers"] for row in found] == ["", "2", "", ""]
    (untold,) = [row for row in rows(small()) if row["requirement"] == "CART-6"]
    assert (untold["covered"], untold["sentences"]) == ("", "")


def test_the_summary_has_the_checklist_of_what_is_verified_in_part() -> None:
    text = summary(small())
    assert text.index("| requirements |") < text.index("| test functions |")
    assert "| acceptance sentences | 1 of 4 covered |" in text
    assert (
        "- CART-2: The total is the sum of all lines: 1 of 3 covered\n"
        "  - [ ] Three apples at 5 cents make 15.\n"
        "  - [x] The order of the lines does not matter.\n"
        "  - [ ] `>>> cart = Cart() >>> cart.add('apple', 5, 3) >>> cart.total() 15`\n"
    ) in text
    assert "0 of 0" not in text  # what has no checklist, or all of it, is not told
    assert "CART-3" not in text.partition("not every sentence:**")[2].partition("\n\n|")[0]


@given(st.text(), st.text(min_size=1))
def test_no_cell_is_a_formula_and_every_row_is_whole(title: str, node: str) -> None:
    item = RequirementFacts(
        "R", title, "", (), "verified", links=(LinkFacts(node, "passed", "verified", "person"),)
    )
    text = matrix_csv(Report("p", "m", "t", VERDICT, (item,)))
    (head, row) = list(csv.reader(io.StringIO(text, newline="")))
    assert (tuple(head), len(row)) == (HEAD, len(HEAD))
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row)


def test_the_summary_says_what_is_not_measured() -> None:
    text = summary(bare())
    assert "| lines | not measured |" in text
    assert "| mutants | not measured |" in text


def test_the_summary_lists_what_needs_attention_first_what_fails() -> None:
    items = tuple(
        RequirementFacts(f"R-{n}", "t", "", (), status)
        for n, status in enumerate(("verified", "touched", "failing", "uncovered", "waived"))
    )
    text = summary(Report("p", "m", "t", VERDICT, items))
    listed = [line for line in text.splitlines() if line.startswith("| R-")]
    assert [line.split(":")[0] for line in listed] == ["| R-2", "| R-3", "| R-1"]


@pytest.mark.parametrize("count", [50, 51])
def test_the_summary_stays_a_page(count: int) -> None:
    item = RequirementFacts("R", "t", "", (), "uncovered")
    items = tuple(replace(item, id=f"R-{n}") for n in range(count))
    text = summary(Report("p", "m", "t", VERDICT, items))
    assert text.count("| R-") == 50
    assert ("1 more need attention." in text) == (count == 51)


def test_texts_from_elsewhere_are_no_markup() -> None:
    text = summary(hostile())
    assert "<img" not in text.replace("\\<img", "")
    assert "\x1b" not in text
