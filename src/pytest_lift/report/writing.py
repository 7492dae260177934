"""A `Report` in every format that was asked for, each written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from pytest_lift.errors import LiftError
from pytest_lift.journal import replace_file
from pytest_lift.report.facts import Report
from pytest_lift.report.stored import as_text, without_secrets
from pytest_lift.report.targets import ReportTarget


def write_reports(
    report: Report, targets: Iterable[ReportTarget], step_summary: Path | None = None
) -> tuple[Path, ...]:
    """The files written; secrets stay out of all of them. Raises LiftError.

    To `step_summary` a page of Markdown is appended: other steps of a job write there, too.
    """
    report = without_secrets(report)
    if step_summary is not None:
        _append(step_summary, _markdown(report))
    return tuple(write_report(report, target) for target in targets)


def write_report(report: Report, target: ReportTarget) -> Path:
    """One format; html is a folder with ``index.html``. Raises LiftError."""
    path = target.path / "index.html" if target.format == "html" else target.path
    text = RENDERERS[target.format](report)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # What UTF-8 cannot say are bytes of file names that are no UTF-8.
        replace_file(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise LiftError(
            f"the report could not be written: {error.strerror}",
            where=str(path),
            todo="make room, set the rights, or name another place: --lift-report=FORMAT:PATH",
        ) from error
    return path


def _append(path: Path, text: str) -> None:
    try:
        with path.open("ab") as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise LiftError(
            f"the summary of this job could not be written: {error.strerror}",
            where=str(path),
            todo="unset GITHUB_STEP_SUMMARY, or let it name a file that can be written",
        ) from error


def _html(report: Report) -> str:
    from pytest_lift.report.html import render_html

    return render_html(report)


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
    "json": as_text,
    "markdown": _markdown,
    "csv": _csv,
    "needs": _needs,
}
