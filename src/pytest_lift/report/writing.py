"""Reports in the formats and at the places that were asked for (``html:DIR``, ``json``, ...).

Each file is written completely or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_lift.errors import LiftError, UsageError
from pytest_lift.files.atomic import make_lift_folder, place_file
from pytest_lift.settings import ReportTarget

if TYPE_CHECKING:  # a session that writes no report loads nothing of it
    from pytest_lift.report.facts import Report

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


def write_reports(
    report: Report, targets: Iterable[ReportTarget], step_summary: Path | None = None
) -> WrittenReports:
    """Writes each report without secrets. A format that cannot be written becomes a problem and
    does not stop the others.

    A page of Markdown is appended to `step_summary`, because other steps of a CI job write to the
    same file.
    """
    from pytest_lift.report.stored import without_secrets

    report = without_secrets(report)
    paths: list[Path] = []
    problems: list[LiftError] = []
    for target in targets:
        try:
            paths.append(write_report(report, target))
        except LiftError as error:
            problems.append(error)
    warning = _append(step_summary, _markdown(report)) if step_summary is not None else ""
    return WrittenReports(tuple(paths), tuple(problems), (warning,) if warning else ())


def write_report(report: Report, target: ReportTarget) -> Path:
    """Writes one format; for html the path is a folder for ``index.html``. Raises LiftError."""
    path = target.path / "index.html" if target.format == "html" else target.path
    text = RENDERERS[target.format](report)
    try:
        _make_folder(path.parent)
        # Lone surrogates, from bytes in file names that are not UTF-8, cannot be encoded.
        place_file(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise LiftError(
            f"the report could not be written: {error.strerror}",
            where=str(path),
            todo="free some space, or name another place: --lift-report=FORMAT:PATH",
        ) from error
    return path


def _make_folder(folder: Path) -> None:
    """Makes the folder of a report; below `.lift`, which may be cloned, no link is followed."""
    lift_dir = next((one for one in (folder, *folder.parents) if one.name == ".lift"), None)
    if lift_dir is None:
        folder.mkdir(parents=True, exist_ok=True)
    else:
        make_lift_folder(lift_dir, folder)


def _append(path: Path, text: str) -> str:
    """Returns a warning if `text` could not be appended to `path`, and an empty text otherwise."""
    try:
        with path.open("ab") as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        return f"the summary of this job could not be written to {path}: {error.strerror}"
    return ""


def _html(report: Report) -> str:
    from pytest_lift.report.page.html import render_html

    return render_html(report)


def _json(report: Report) -> str:
    from pytest_lift.report.stored import as_text

    return as_text(report)


def _markdown(report: Report) -> str:
    from pytest_lift.report.summary import summary

    return summary(report)


def _csv(report: Report) -> str:
    from pytest_lift.report.matrix import matrix_csv

    return matrix_csv(report)


def _needs(report: Report) -> str:
    from pytest_lift.report.needs import needs_json

    return json.dumps(needs_json(report), indent=1, ensure_ascii=False) + "\n"


RENDERERS: Mapping[str, Callable[[Report], str]] = {
    "html": _html,
    "json": _json,
    "markdown": _markdown,
    "csv": _csv,
    "needs": _needs,
}
