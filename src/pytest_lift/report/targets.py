"""Targets of reports: the formats that were requested, and the path of each (``html:DIR``,
``json``, ``csv:FILE``)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pytest_lift.errors import LiftError, UsageError
from pytest_lift.settings import ReportTarget

DEFAULT_PLACES = {
    "html": "report",
    "json": "report/report.json",
    "markdown": "report/report.md",
    "csv": "report/matrix.csv",
    "needs": "report/needs.json",
}
"""Format -> default path below `.lift`; for html it is the folder of ``index.html``."""


@dataclass(frozen=True)
class WrittenReports:
    """Paths of the written reports, and reasons why others are missing."""

    paths: tuple[Path, ...] = ()
    problems: tuple[LiftError, ...] = ()
    """Errors because of which a report is missing."""
    warnings: tuple[str, ...] = ()


def read_target(text: str, where: str, lift_dir: Path) -> ReportTarget:
    """Parses ``FORMAT`` or ``FORMAT:PATH``. Raises UsageError for an unknown format."""
    name, _, place = text.strip().partition(":")
    if name not in DEFAULT_PLACES:
        raise UsageError(
            f"{name!r} is not a report format",
            where=where,
            todo=f"use one of {', '.join(DEFAULT_PLACES)}, with :PATH behind it if you like",
        )
    return ReportTarget(name, lift_dir / DEFAULT_PLACES[name], place)
