"""A file that somebody reads is there as a whole, or not at all; nothing planted is followed."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path


def place_file(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write beside it and rename: a link is replaced, not followed; a file keeps its mode.

    A device or a pipe (``/dev/stdout``) is written to instead. Raises OSError.
    """
    import tempfile

    if _is_device(path):
        with path.open("ab") as device:
            device.write(data)
        return
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        regular = path.is_file() and not path.is_symlink()
        os.chmod(name, path.stat().st_mode & 0o7777 if regular else mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _is_device(path: Path) -> bool:
    """What a rename must not take the place of; standard output may be a file by now."""
    if str(path.absolute()).startswith(("/dev/", "/proc/")):
        return True
    try:
        return not stat.S_ISREG(path.stat().st_mode) and not path.is_dir()
    except OSError:
        return False


def make_lift_folder(lift_dir: Path, folder: Path) -> None:
    """Make `folder`, which is `lift_dir` (``.lift``) or below it, and let git ignore all of that.

    Nothing on the way may be a link, such as a clone may bring along. Raises OSError.
    """
    here = lift_dir.parent
    for part in folder.relative_to(here).parts:
        here = here / part
        if here.is_symlink():
            raise OSError(errno.ELOOP, "a link is in the way: remove it", str(here))
        here.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError), (lift_dir / ".gitignore").open("x") as ignore:
        ignore.write("*\n")


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
