"""The matrix requirement x test as CSV: a row per link, and a row per requirement without links."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from pytest_lift.report.facts import LinkFacts, Report

HEAD = (
    "requirement",
    "title",
    "scope",
    "level",
    "status",
    "test",
    "outcome",
    "grade",
    "basis",
    "named",
    "executed",
    "covers",
    "covered",
    "sentences",
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def matrix_csv(report: Report) -> str:
    """Returns CSV (RFC 4180) with a header; several names in a cell are separated by spaces.

    A cell that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(HEAD)
    for row in _rows(report):
        writer.writerow([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in row])
    return text.getvalue()


def _rows(report: Report) -> Iterator[tuple[str, ...]]:
    for item in report.requirements:
        told = (str(item.covered), str(len(item.points))) if item.points else ("", "")
        about = (item.id, item.title, " / ".join(item.scope), item.level or "", item.status)
        for link in item.links:
            yield (*about, *_link(link), *told)
        if not item.links:
            yield (*about, *[""] * 7, *told)
    for name, tests in report.unknown:
        for test in tests:
            yield (name, "", "", "", "unknown-id", test, *[""] * 8)
    for one in report.tests:
        if one.standing in ("emergent", "unlinked"):
            yield ("", "", "", "", one.standing, one.node, one.outcome, *[""] * 7)


def _link(link: LinkFacts) -> tuple[str, ...]:
    evidence = link.evidence
    executed = "not measured" if evidence.executed is None else " ".join(evidence.executed)
    named = " ".join(evidence.named)
    covers = " ".join(str(cover.point) for cover in link.covers)
    return link.test, link.outcome, link.grade, link.basis, named, executed, covers
