"""The journal of a landing: all texts before and after, on disk before a file changes."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from pytest_lift.errors import LandingError
from pytest_lift.files.atomic import replace_file, sync
from pytest_lift.files.codec import decode, encode, read
from pytest_lift.project.ini_files import FILES
from pytest_lift.suite.suite import is_suite_path

JOURNAL = "landing.json"


@dataclass(frozen=True)
class FileStep:
    """Change of one file: hashes of its content before and after; None for no file."""

    path: str
    """POSIX path relative to the project root."""
    old: str | None
    new: str | None
    between: str | None = None
    """Content of the ownership file while the other files are written."""


@dataclass(frozen=True)
class Journal:
    """An unfinished landing: the files in the order in which they change."""

    run: str
    test_root: str
    """Folder that contains all changes; empty for a landing of pytest's configuration file."""
    steps: tuple[FileStep, ...]
    contents: dict[str, bytes]
    """Hash -> content, for every hash of the steps."""


def content_hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def open_journal(lift_dir: Path, journal: Journal) -> None:
    """Writes the journal to disk, safely against power loss. Raises OSError."""
    data = {"version": 1, **encode(journal)}
    replace_file(lift_dir / JOURNAL, json.dumps(data, indent=1).encode())
    sync(lift_dir)


def read_journal(lift_dir: Path) -> Journal | None:
    """Returns the unfinished landing, or None. Raises LandingError if the journal cannot be
    read."""
    try:
        return _journal(read(lift_dir / JOURNAL, dict[str, Any]))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _broken(lift_dir, f"it cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise _broken(lift_dir, f"it cannot be understood ({error})") from error


def close_journal(lift_dir: Path) -> None:
    """Removes the journal after a landing. Raises OSError."""
    (lift_dir / JOURNAL).unlink(missing_ok=True)
    sync(lift_dir)


def _journal(data: Mapping[str, Any]) -> Journal:
    if data.get("version") != 1:
        raise ValueError(f"version {data.get('version')}")
    found = decode(Journal, data)
    if not re.fullmatch(r"[\w-]*", found.run):
        raise ValueError("run is no name")
    root, paths = found.test_root, [step.path for step in found.steps]
    _require_inside("", root)
    if any(part.startswith(".") for part in PurePosixPath(root).parts):
        raise ValueError("the test root is a hidden folder")
    if any(content_hash(content) != name for name, content in found.contents.items()):
        raise ValueError("a content is damaged")
    named = {one for step in found.steps for one in (step.old, step.new, step.between)}
    if not named <= {None, *found.contents}:
        raise ValueError("a content is missing")
    for path in paths:
        _require_inside(root, path)
    if not root and any(path not in FILES for path in paths):
        raise ValueError("a path is no configuration file of pytest's")
    if root and not all(is_suite_path(root, path) for path in paths):
        raise ValueError("a path is no file of a suite")
    return found


def _require_inside(root: str, path: str) -> None:
    pure = PurePosixPath(path)
    os.fsencode(path)  # a lone surrogate names no file: that is a ValueError, too
    if pure.is_absolute() or ".." in pure.parts or "\0" in path:
        raise ValueError("a path leads out of the test root")
    if root and not pure.is_relative_to(root):
        raise ValueError("a path leads out of the test root")


def _broken(lift_dir: Path, why: str) -> LandingError:
    place = lift_dir / JOURNAL
    return LandingError(
        f"the journal of a landing that was cut short is broken: {why}",
        where=str(place),
        todo=f"look at the test root with `git status`, correct it, then delete {place}",
    )
