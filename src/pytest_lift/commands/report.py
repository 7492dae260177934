"""`pytest-lift report`: the report of a run, rendered again from the history."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from pytest_lift.commands.project_option import add_project, named_project
from pytest_lift.errors import UsageError
from pytest_lift.report.stored import read_report
from pytest_lift.report.writing import DEFAULT_PLACES, read_target, write_reports
from pytest_lift.settings import ReportTarget
from pytest_lift.store.archive import REPORT
from pytest_lift.store.history import History, lifted_project
from pytest_lift.text import printable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "run_id",
        nargs="?",
        metavar="RUN|FILE",
        help="id of a run, or a report.json (default: the latest run that has a report)",
    )
    parser.add_argument(
        "--to",
        action="append",
        metavar="FORMAT[:PATH]",
        help=f"{', '.join(DEFAULT_PLACES)}; may be given several times (default: html)",
    )
    add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Returns 0; a missing run or a failed write is an error."""
    project = named_project(options)
    path = stored_report(options.run_id, project)
    lift_dir = (project or _home(path)) / ".lift"
    targets = [_target(text, lift_dir) for text in options.to or ["html"]]
    written = write_reports(read_report(path), targets)
    for place in written.paths:
        print(printable.line(str(place)))
    if written.problems:
        raise written.problems[0]
    return 0


def stored_report(name: str | None, project: Path | None) -> Path:
    """Returns the report file of a run (None: the latest with a report), or the file itself.
    Raises UsageError."""
    if name is not None and os.path.isfile(name):  # `Path.is_file` raises for long names
        return Path(name)
    history = _stored_history(project or lifted_project())
    if name is not None:
        return history.run_named(name).folder / REPORT
    for stored in reversed(history.runs()):
        path = history.run_named(stored).folder / REPORT
        if path.is_file():
            return path
    raise UsageError(
        "no run has a report",
        where=str(history.root / "history"),
        todo="a lift writes one when it ends; resume the newest run: pytest --lift --lift-resume",
    )


def _stored_history(project: Path) -> History:
    """Returns the history; unlike `History.open`, creates no folders. Raises UsageError."""
    history = History(project / ".lift")
    if not (history.root / "history").is_dir():
        todo = "name the project (--project DIR) or a report.json; a lift stores its runs there"
        raise UsageError("no run is stored here", where=str(history.root / "history"), todo=todo)
    return history


def _home(path: Path) -> Path:
    """Returns the project of a run's report; for any other file the working directory."""
    for folder in path.resolve().parents:
        if folder.name == ".lift":
            return folder.parent
    return Path.cwd()


def _target(text: str, lift_dir: Path) -> ReportTarget:
    target = read_target(text, "--to", lift_dir)
    return ReportTarget(target.format, Path(target.named)) if target.named else target
