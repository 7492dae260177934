"""`pytest-lift`: what is done without running pytest."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pytest_lift import plain
from pytest_lift.errors import LiftError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 done, 1 done but something of the user's stayed, 4 usage error."""
    parser = argparse.ArgumentParser(
        prog="pytest-lift", description="The suite itself is evolved by: pytest --lift"
    )
    commands = parser.add_subparsers(dest="command", required=True)
    undo = commands.add_parser("restore", help="put the tests back as they were before a run")
    undo.add_argument("run", nargs="?", help="id of the run (default: the latest)")
    undo.add_argument("--force", action="store_true", help="overwrite what you edited since")
    undo.add_argument("--list", action="store_true", help="list the runs and change nothing")
    undo.add_argument("--project", type=Path, default=None, help="default: found upwards")
    options = parser.parse_args(argv)
    try:
        return _restore(options)
    except LiftError as error:
        print(plain.lines(f"pytest-lift: {error}"), file=sys.stderr)
        return 4


def _restore(options: argparse.Namespace) -> int:
    from pytest_lift.history import History, restore

    project = options.project or _project()
    if options.list:
        for run in History.open(project, settle=False).runs():
            print(plain.line(run))
        return 0
    restored = restore(project, options.run, force=options.force)
    for line in restored.lines():
        print(plain.line(line))
    return 1 if restored.kept else 0


def _project() -> Path:
    """The nearest folder upwards that has been lifted."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / ".lift").is_dir():
            return folder
    raise LiftError("no .lift folder here or above", where=str(here), todo="name it: --project DIR")
