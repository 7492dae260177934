"""Targets of reports: a format, and where it goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.report.writing import DEFAULT_PLACES, read_target
from pytest_lift.settings import ReportTarget

HERE = Path("/p/.lift")


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("html", ReportTarget("html", HERE / "report", "")),
        (" json ", ReportTarget("json", HERE / "report/report.json", "")),
        ("csv:out/a:b.csv", ReportTarget("csv", HERE / "report/matrix.csv", "out/a:b.csv")),
    ],
)
def test_a_format_and_its_place(text: str, target: ReportTarget) -> None:
    assert read_target(text, "--lift-report", HERE) == target


@pytest.mark.parametrize("text", ["", "HTML", "pdf:x", ":x"])
def test_another_format_is_refused_with_those_there_are(text: str) -> None:
    with pytest.raises(UsageError, match="not a report format") as error:
        read_target(text, "--lift-report", HERE)
    assert error.value.where == "--lift-report"
    assert all(name in error.value.todo for name in DEFAULT_PLACES)
