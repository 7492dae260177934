"""The journal of a landing: every content before and after, in one file, against crashes."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from pytest_lift import hostile
from pytest_lift.errors import LandingError, UsageError
from pytest_lift.ini_files import FILES
from pytest_lift.placing import make_lift_folder
from pytest_lift.suite import is_suite_path
from pytest_lift.testfile import from_bytes, to_bytes

JOURNAL = "landing.json"
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Step:
    """One file that changes: hashes of its content before and after, None for no file."""

    path: str
    """POSIX, relative to the project root."""
    old: str | None
    new: str | None
    between: str | None = None
    """For the ownership file: what it says while the others are written."""


@dataclass(frozen=True)
class Journal:
    """A landing under way: the files in the order in which they change."""

    run: str
    test_root: str
    """Below it is all that changes; empty for a landing of pytest's configuration file."""
    steps: tuple[Step, ...]
    contents: dict[str, bytes]
    """Hash -> content, for every hash of the steps."""


def content_hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def open_journal(lift_dir: Path, journal: Journal) -> None:
    """Put the journal on disk, safe against power loss. Raises OSError."""
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
    """The landing that was not finished, or None; raises LandingError when it cannot be read."""
    try:
        text = hostile.read(lift_dir / JOURNAL)
        return _journal(json.loads(text))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _broken(lift_dir, f"it cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, RecursionError, AttributeError) as error:
        raise _broken(lift_dir, f"it cannot be understood ({error})") from error


def close_journal(lift_dir: Path) -> None:
    """The landing is over. Raises OSError."""
    (lift_dir / JOURNAL).unlink(missing_ok=True)
    sync(lift_dir)


@contextmanager
def landing_lock(lift_dir: Path) -> Iterator[None]:
    """One landing or recovery at a time; the system frees the lock when a process dies."""
    place = lift_dir / "landing.lock"
    try:
        make_lift_folder(lift_dir, lift_dir)
        lock = hostile.opened_to_lock(place)
    except OSError as error:
        raise LandingError(
            f"nothing can be landed: {error.strerror}",
            where=str(place),
            todo="make the folder writable, or move away what is in the way",
        ) from error
    with lock:
        _lock(lock)
        yield


def lift_lock(lift_dir: Path) -> IO[bytes]:
    """Held by one lift or `restore` of a project until it is closed or the process dies.

    Raises UsageError while another holds it, OSError when the file cannot be made.
    """
    make_lift_folder(lift_dir, lift_dir)
    lock = hostile.opened_to_lock(lift_dir / "lift.lock")
    if not try_lock(lock):
        with lock:
            raise UsageError(
                f"another lift of this project is running{_holder(lock)}",
                where=str(lift_dir),
                todo="wait until it has ended, or end it with Ctrl-C",
            )
    _sign(lock)
    return lock


def _sign(lock: IO[bytes]) -> None:
    """Who holds it, for the message of who comes next; a full disk is no reason to stop here."""
    try:
        lock.truncate(0)
        lock.write(str(os.getpid()).encode())
    except OSError:
        pass


def _holder(lock: IO[bytes]) -> str:
    """Where the process that signed has ended, a process that it left behind holds the lock."""
    lock.seek(0)
    text = lock.read(20)
    if not text.isdigit():
        return ""
    try:
        os.kill(int(text), 0)
    except PermissionError:
        pass
    except (OSError, OverflowError):
        return f": process {int(text)} has ended, but something that it started has not"
    return f" (process {int(text)})"


def try_lock(file: IO[bytes]) -> bool:
    """Lock an open file unless somebody else has; True where the system has no such locks."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock(file: IO[bytes]) -> None:
    """Where the system has no such locks, one must not start two lifts of a project at once."""
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(file, fcntl.LOCK_EX)


def replace_file(path: Path, data: bytes, mode: int | None = None) -> None:
    """Replace a file in one step: it has the old content or the new one, never a part.

    The folder is not waited for: see `sync`. Raises OSError, nothing is left behind then.
    """
    beside = write_beside(path, data, mode)
    try:
        beside.replace(path)
    except OSError:
        discard(beside)
        raise


def write_beside(path: Path, data: bytes, mode: int | None = None) -> Path:
    """The file that is to take the place of `path`, complete and on disk.

    Raises OSError, nothing is left behind then.
    """
    beside = temporary(path)
    discard(beside)
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            beside.chmod(mode)
    except OSError:
        discard(beside)
        raise
    return beside


def discard(path: Path) -> None:
    """Remove a file if it is there: a read-only system refuses to remove even what is not."""
    if os.path.lexists(path):
        path.unlink(missing_ok=True)


def temporary(path: Path) -> Path:
    """The name under which a file is written before it takes its place."""
    return path.with_name(f".lift-{path.name}.tmp")


def sync(place: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk, where the system can."""
    try:
        handle = os.open(place, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


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
        steps.append(Step(_inside(root, entry["path"]), *hashes))
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
        todo=f"look at the test root with `git status`, put it as you want it, then delete {place}",
    )
