"""Writes files whole or not at all, by rename or exchange; follows nothing that was planted.

Between looking at a file and replacing it an editor may save. So the two change places in one step,
what came out is looked at, and where it is not what was expected it goes back. Linux can do that
(renameat2(2), RENAME_EXCHANGE); elsewhere, and on file systems that cannot, the file is replaced.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

_EXCHANGE = 2
_HERE = -100
"""AT_FDCWD: a relative path is one below the working directory."""
_MOST_EDITS = 8
"""Edits of one file that are made way for while it is written."""
_UNABLE = (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM, errno.EXDEV)

Known = Callable[[Path], bool]
"""Whether a file holds what is expected of it; asked of what came out."""


def place_file(path: Path, data: bytes) -> None:
    """Writes a new file beside `path` and renames it: a link is replaced, not followed, and a file
    keeps its mode. A device or a pipe (``/dev/stdout``) is written to instead. Raises OSError."""
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
        os.chmod(name, path.stat().st_mode & 0o7777 if regular else 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _is_device(path: Path) -> bool:
    """Whether a path is a device or a pipe, which a rename must not replace."""
    if str(path.absolute()).startswith(("/dev/", "/proc/")):
        return True
    try:
        return not stat.S_ISREG(path.stat().st_mode) and not path.is_dir()
    except OSError:
        return False


def make_lift_folder(lift_dir: Path, folder: Path) -> None:
    """Makes `folder`, which is `lift_dir` (``.lift``) or below it, and lets git ignore its content.

    Nothing on the way may be a link, such as a clone may contain. Raises OSError.
    """
    here = lift_dir.parent
    for part in folder.relative_to(here).parts:
        here = here / part
        if here.is_symlink():
            raise OSError(errno.ELOOP, "a symbolic link has its name: remove it", str(here))
        here.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError), (lift_dir / ".gitignore").open("x") as ignore:
        ignore.write("*\n")


def replace_file(path: Path, data: bytes, mode: int | None = None) -> None:
    """Replaces a file in one step: it has the old content or the new one, never a part.

    The folder is not synced: see `sync`. Raises OSError and leaves nothing behind then.
    """
    beside = write_beside(path, data, mode)
    try:
        beside.replace(path)
    except OSError:
        discard(beside)
        raise


def write_beside(path: Path, data: bytes, mode: int | None = None) -> Path:
    """Returns a temporary file that is complete and on disk and will replace `path`. Raises OSError
    and leaves nothing behind then."""
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
    """Removes a file if it exists; a read-only system raises even for missing files."""
    if os.path.lexists(path):
        path.unlink(missing_ok=True)


def temporary(path: Path) -> Path:
    """Returns the name under which a file is written before it takes its place."""
    return path.with_name(f".lift-{path.name}.tmp")


def sync(place: Path) -> None:
    """Waits until a file, or a folder's entries, are on disk, where the system supports that."""
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


def put(new: Path, place: Path, is_expected: Known) -> bool:
    """Puts the complete file `new` in the `place` of a file that was just looked at.

    Returns False if the place no longer holds what was expected; then it stays as it is, with the
    newest edit if there were several. `new` does not exist afterwards. Raises OSError.
    """
    if not _swap(new, place):
        os.replace(new, place)
        return True
    if is_expected(new):
        new.unlink()
        return True
    _give_back(new, place)
    return False


def put_where_none_is(new: Path, place: Path) -> bool:
    """Renames the file `new` to `place`; returns False if a file is there now. Raises OSError."""
    try:
        os.link(new, place)
    except FileExistsError:
        new.unlink()
        return False
    except OSError as error:
        if error.errno not in _UNABLE:
            raise
        os.replace(new, place)  # a file system without links
        return True
    new.unlink()
    return True


def take_away(place: Path, aside: Path, is_expected: Known) -> bool:
    """Removes a file that was just looked at; returns False, and keeps it, if it is another one by
    now. Raises OSError."""
    os.replace(place, aside)
    if is_expected(aside):
        aside.unlink()
        return True
    put_where_none_is(aside, place)
    return False


def rescue(aside: Path, place: Path, is_ours: Known) -> None:
    """Puts back after a crash what was moved out of `place`, unless it is ours. Raises OSError."""
    if not os.path.lexists(aside) or is_ours(aside):
        return
    if os.path.lexists(place):
        _give_back(aside, place)
    else:
        put_where_none_is(aside, place)


def _give_back(aside: Path, place: Path) -> None:
    """Exchanges two files again; an edit that is newer than both is moved out and put back."""
    ours = _identity(place)
    for _ in range(_MOST_EDITS):
        if not _swap(aside, place):
            os.replace(aside, place)
            return
        if _identity(aside) == ours:
            break
        ours = _identity(place)
    aside.unlink()


def _identity(path: Path) -> tuple[int, int, int]:
    found = path.lstat()
    return found.st_ino, found.st_mtime_ns, found.st_size


def _swap(one: Path, other: Path) -> bool:
    """Exchanges two files; returns False where the system cannot. Raises OSError."""
    call = _renameat2()
    if call is None:
        return False
    sys.audit("os.rename", str(one), str(other), -1, -1)  # as `os.rename` does
    if call(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNABLE:
        return False
    raise OSError(number, os.strerror(number), str(other))


@lru_cache(maxsize=1)
def _renameat2() -> Any:
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError, TypeError):
        return None
    call.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    return call
