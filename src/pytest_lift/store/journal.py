"""Journal of a landing: all contents before and after it in one file, for recovery after a
crash."""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from pytest_lift.errors import LandingError
from pytest_lift.files import untrusted
from pytest_lift.files.atomic import replace_file, sync
from pytest_lift.project.ini_files import FILES
from pytest_lift.source.syntax import from_bytes, to_bytes
from pytest_lift.suite.suite import is_suite_path

JOURNAL = "landing.json"
_HASH = re.compile(r"[0-9a-f]{64}")


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
    data = {
        "version": 1,
        "run": journal.run,
        "test_root": journal.test_root,
        "steps": [vars(step) for step in journal.steps],
        "contents": {name: from_bytes(data) for name, data in journal.contents.items()},
    }
    replace_file(lift_dir / JOURNAL, json.dumps(data, indent=1).encode())
    sync(lift_dir)


def read_journal(lift_dir: Path) -> Journal | None:
    """Returns the unfinished landing, or None. Raises LandingError if the journal cannot be
    read."""
    try:
        text = untrusted.read(lift_dir / JOURNAL)
        return _journal(json.loads(text))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _broken(lift_dir, f"it cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, RecursionError, AttributeError) as error:
        raise _broken(lift_dir, f"it cannot be understood ({error})") from error


def close_journal(lift_dir: Path) -> None:
    """Removes the journal after a landing. Raises OSError."""
    (lift_dir / JOURNAL).unlink(missing_ok=True)
    sync(lift_dir)


def _journal(data: Any) -> Journal:
    if data["version"] != 1:
        raise ValueError(f"version {data['version']}")
    if not re.fullmatch(r"[\w-]*", data["run"]):
        raise ValueError("run is no name")
    root = _inside("", data["test_root"])
    if any(part.startswith(".") for part in PurePosixPath(root).parts):
        raise ValueError("the test root is a hidden folder")
    contents = {name: to_bytes(text) for name, text in data["contents"].items()}
    if any(content_hash(content) != name for name, content in contents.items()):
        raise ValueError("a content is damaged")
    steps = []
    for entry in data["steps"]:
        hashes = [_hash(entry[key], contents) for key in ("old", "new", "between")]
        steps.append(FileStep(_inside(root, entry["path"]), *hashes))
    if not root and any(step.path not in FILES for step in steps):
        raise ValueError("a path is no configuration file of pytest's")
    if root and not all(is_suite_path(root, step.path) for step in steps):
        raise ValueError("a path is no file of a suite")
    return Journal(data["run"], root, tuple(steps), contents)


def _hash(value: Any, contents: dict[str, bytes]) -> str | None:
    if value is not None and (not _HASH.fullmatch(value) or value not in contents):
        raise ValueError("a content is missing")
    return str(value) if value is not None else None


def _inside(root: str, path: Any) -> str:
    pure = PurePosixPath(path)
    os.fsencode(path)  # a lone surrogate names no file: that is a ValueError, too
    if pure.is_absolute() or ".." in pure.parts or "\0" in str(path):
        raise ValueError("a path leads out of the test root")
    if root and not pure.is_relative_to(root):
        raise ValueError("a path leads out of the test root")
    return str(path)


def _broken(lift_dir: Path, why: str) -> LandingError:
    place = lift_dir / JOURNAL
    return LandingError(
        f"the journal of a landing that was cut short is broken: {why}",
        where=str(place),
        todo=f"look at the test root with `git status`, correct it, then delete {place}",
    )
