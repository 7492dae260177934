"""`pytest-lift diff A B`: what changed between two runs, reports or commits."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from pytest_lift.commands.diff.commits import is_commit, state_at, state_of_files
from pytest_lift.commands.diff.comparing import compare
from pytest_lift.commands.diff.printing import FORMATS
from pytest_lift.commands.diff.states import ComparedState, state_of
from pytest_lift.commands.project_option import add_project, named_project
from pytest_lift.errors import UsageError
from pytest_lift.project.ini_files import find_ini_file

HERE = "the working tree"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = "id of a run, a report.json, or a commit"
    parser.add_argument("before", metavar="A", help=what)
    parser.add_argument(
        "after",
        nargs="?",
        metavar="B",
        help="the same (default: the latest report after a run or report, else the working tree)",
    )
    parser.add_argument(
        "--format", choices=list(FORMATS), default="text", help="how it is told (default: text)"
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit code 1 when a requirement was lost (default: off)",
    )
    add_project(parser)


def run(options: argparse.Namespace) -> int:
    """0; with ``--strict`` 1 when a requirement that is still demanded was lost."""
    project = (named_project(options) or find_ini_file(Path.cwd())[0]).resolve()
    before = _state(project, options.before)
    after = _state(project, options.after) if options.after else _default(project, before)
    found = compare(before, after)
    sys.stdout.write(FORMATS[options.format](found))
    return int(options.strict and bool(found.lost))


def _state(project: Path, name: str) -> ComparedState:
    """A file that is no report may have the name of a branch."""
    try:
        found = _reported(project, name)
    except UsageError:
        if not is_commit(project, name):
            raise
        found = None
    return found or state_at(project, name)


def _default(project: Path, before: ComparedState) -> ComparedState:
    """What is newest of the same kind."""
    ran = any(item.status is not None for item in before.requirements.values())
    newest = _reported(project, None) if ran else None
    return newest or state_of_files(project, HERE)


def _reported(project: Path, name: str | None) -> ComparedState | None:
    """The state of a run or a report; None where there is no such one."""
    from pytest_lift.commands.report import stored_report
    from pytest_lift.report.stored import read_report

    if name is not None and os.path.isfile(name):  # `Path.is_file` raises for long names
        return state_of(read_report(Path(name)), name)
    try:
        path = stored_report(name, project)
    except UsageError:
        return None
    return state_of(read_report(path), name or f"run {path.parent.name}")
