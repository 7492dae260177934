"""The report as CSV: every link, and never a formula of somebody else."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st
from report_of import small

from pytest_lift.report.facts import LinkFacts, Report, RequirementFacts, Verdict
from pytest_lift.report.matrix import HEAD, matrix_csv

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


@given(st.text(), st.text(min_size=1))
def test_no_cell_is_a_formula_and_every_row_is_whole(title: str, node: str) -> None:
    item = RequirementFacts(
        "R", title, "", (), "verified", links=(LinkFacts(node, "passed", "verified", "person"),)
    )
    text = matrix_csv(Report("p", "m", "t", VERDICT, (item,)))
    (head, row) = list(csv.reader(io.StringIO(text, newline="")))
    assert (tuple(head), len(row)) == (HEAD, len(HEAD))
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row)
