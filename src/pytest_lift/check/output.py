"""Destination of findings, and paths of the project as their readers know them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from pytest_lift.errors import UsageError
from pytest_lift.files.atomic import place_file
from pytest_lift.project.option_values import StaticConfig

_ITEM_SUFFIXES = (".yml", ".yaml", ".md", ".markdown")
"""Suffixes of the files in a folder of requirements."""


def put(text: str, output: str | None) -> None:
    """Writes to the file, else to standard output. Raises `UsageError` where it cannot be
    written."""
    if output is None:
        sys.stdout.write(text)
        return
    try:
        place_file(Path(output), text.encode("utf-8"))
    except OSError as error:
        what = f"{output} cannot be written: {error.strerror}"
        raise UsageError(what, where="--output", todo="name another place") from None


def require_output(config: StaticConfig, path: Path) -> None:
    """Raises `UsageError` where `path` is what the findings are about."""
    place = _real(path)
    if kind := _kind(config, place):
        what, todo = f"{path} is {kind}: it would be overwritten", "name another place"
        raise UsageError(what, where="--output", todo=todo)


def _kind(config: StaticConfig, place: Path) -> str:
    """Returns the kind of a file of the project that must not be overwritten; empty if it may
    be."""
    root = config.root.resolve()
    for path in map(_real, config.requirements):
        inside = path in place.parents and place.suffix.lower() in _ITEM_SUFFIXES
        if place == path or (inside and place.exists()):
            return "a requirement file"
    if config.ini and place == _real(config.ini):
        return "the ini file"
    if place.is_relative_to(root) and config.is_test_path(place.relative_to(root).as_posix()):
        return "a test file"
    return ""


def _real(path: Path) -> Path:
    """Returns the directory entry itself: writing there replaces a link and does not follow it."""
    full = Path(os.path.abspath(path))
    return full.parent.resolve() / full.name


def from_folder(root: Path, cwd: Path) -> Callable[[str], str]:
    """Returns a function from a path of the project to one relative to the working directory."""
    return lambda file: file if root == cwd else os.path.relpath(root / file, cwd)


def from_repository(root: Path) -> Callable[[str], str]:
    """Returns a function from a path of the project to one relative to the top folder of the
    repository."""
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), root)
    prefix = "" if top == root else f"{root.relative_to(top).as_posix()}/"
    return lambda file: file if file.startswith("/") else prefix + file


def valid(text: str) -> str:
    """Bytes that are no text stand as surrogates, which no output may hold."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
