"""`pytest-lift restore`: restores the tests as they were before a run."""

from __future__ import annotations

import argparse

from pytest_lift.commands.project_option import add_project, named_project
from pytest_lift.store.history import History, lifted_project, restore
from pytest_lift.store.past_runs import past_runs
from pytest_lift.text import printable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_id", nargs="?", metavar="RUN", help="id (default: the latest)")
    parser.add_argument(
        "--force", action="store_true", help="overwrite what you edited since (default: off)"
    )
    parser.add_argument(
        "--list",
        action="store_true",
        help="list the runs with their outcome and figures, and change nothing (default: off)",
    )
    add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Returns 1 if a file that the user changed was not restored, otherwise 0."""
    project = named_project(options) or lifted_project()
    if options.list:
        history = History(project / ".lift")
        runs = past_runs(history) if (history.root / "history").is_dir() else ()
        for stored in runs:
            print(printable.line(stored.described))
        if not runs:
            print("no runs are stored")
        return 0
    restored = restore(project, options.run_id, force=options.force)
    for line in restored.lines():
        print(printable.line(line))
    return 1 if restored.kept else 0
