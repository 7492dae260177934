"""Locks of `.lift/`; a `.lift/` that came with a clone is refused."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pytest_lift.errors import LandingError, UsageError
from pytest_lift.files import untrusted
from pytest_lift.files.atomic import make_lift_folder
from pytest_lift.files.git import Git

TODO = (
    "check their content, then remove the folder and commit: git rm -r -q --cached .lift && rm "
    "-r .lift; a lift creates its own"
)


@contextmanager
def landing_lock(lift_dir: Path) -> Iterator[None]:
    """Holds the lock for one landing or recovery at a time, at most until the process ends."""
    place = lift_dir / "landing.lock"
    try:
        make_lift_folder(lift_dir, lift_dir)
        lock = untrusted.opened_to_lock(place)
    except OSError as error:
        raise LandingError(
            f"nothing can be landed: {error.strerror}",
            where=str(place),
            todo="make the folder writable, or remove what has its place",
        ) from error
    with lock:
        try_lock(lock, wait=True)
        yield


def lift_lock(lift_dir: Path) -> IO[bytes]:
    """Returns the lock of a project, held by one lift or `restore` until it is closed or the
    process dies.

    Raises UsageError while another process holds it, OSError when the file cannot be made.
    """
    make_lift_folder(lift_dir, lift_dir)
    lock = untrusted.opened_to_lock(lift_dir / "lift.lock")
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
    """Writes the holder into the lock file, for the error message of the next one; a full disk is
    no reason to stop."""
    try:
        lock.truncate(0)
        lock.write(str(os.getpid()).encode())
    except OSError:
        pass


def _holder(lock: IO[bytes]) -> str:
    """Says who holds the lock; after the end of the process that signed it, one of its children."""
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


def try_lock(file: IO[bytes], *, wait: bool = False) -> bool:
    """Locks an open file; returns False if another process has locked it, unless it is to `wait`.

    Returns True where the system has no such locks: a user must not start two lifts of a project
    at once there.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def require_own(project: Path) -> None:
    """Raises UsageError where git tracks something in `.lift/` of `project`.

    What a lift keeps there is carried out (a landing that was cut short), written to the test
    folder (`restore`, `--lift-resume`) and run. It has a `.gitignore` of its own, so what is
    tracked was put there by somebody else. Without git nothing can be told, and nothing is.
    """
    folder = project / ".lift"
    if not os.path.lexists(folder):
        return
    git = Git(project, str(folder), "leave it out")
    try:
        told = git("ls-files", "-z", "--", ".lift")
    except UsageError:
        return
    found = [os.fsdecode(name) for name in told.stdout.split(b"\0") if name]
    if told.returncode == 0 and found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        what = "git tracks files in .lift: a lift would take them for its own and act on them"
        raise UsageError(what, where=f"{found[0]}{more}", todo=TODO)
