"""A report whose texts may be shown: control characters spelled out, as `printable.lines` does."""

from __future__ import annotations

from pytest_lift.report.facts import Report
from pytest_lift.report.stored import with_texts
from pytest_lift.text.printable import spelled_out


def legible(report: Report) -> Report:
    """The same text stays the same wherever it stands, so that names still join."""
    return with_texts(report, lambda texts: [spelled_out(text) for text in texts])
