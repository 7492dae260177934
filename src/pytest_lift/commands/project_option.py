"""`--project DIR`: the project of a command, instead of the one found upwards."""

from __future__ import annotations

import argparse
from pathlib import Path

from pytest_lift.errors import UsageError


def add_project(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--project",
        type=Path,
        default=None,
        metavar="DIR",
        help="the project (default: found upwards)",
    )


def named_project(options: argparse.Namespace) -> Path | None:
    """Returns the absolute folder, or None if the option was not given. Raises UsageError if it
    is no folder."""
    project: Path | None = options.project
    if project is None:
        return None
    if not project.is_dir():
        raise UsageError(
            f"there is no folder {project}",
            where="--project",
            todo="name the top folder of a project",
        )
    return project.absolute()
