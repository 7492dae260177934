"""The state of a folder, and what the disk refuses in words for a user."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pytest_lift.errors import LiftError

ROOM = 256 * 1024
"""Bytes that must be free where a lift is to write anything at all."""

_ROOM = "free some space there"
_RIGHTS = "make it writable, or remove what has its place"
_GONE = "find out what removed or replaced it"

REMEDIES: Mapping[int, str] = {
    errno.ENOSPC: _ROOM,
    getattr(errno, "EDQUOT", errno.ENOSPC): _ROOM,
    errno.EFBIG: "raise the limit of a file's size (ulimit -f)",
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EROFS: "make the file system writable",
    errno.EMFILE: "raise the limit of open files (ulimit -n)",
    errno.ENFILE: "raise the limit of open files (ulimit -n)",
    errno.EIO: "check the disk",
}
"""Error number -> remedy, for refusals of the system that a user can mend; others are defects."""

Mark = tuple[int, ...]


class StorageError(LiftError):
    """A file could not be written or read; what was accepted before is in place."""


def storage_error(error: OSError, what: str, where: object = "") -> StorageError:
    """Returns the error that `what` could not be done: why, where, and what to do about it."""
    place = str(where or error.filename or _likely_place(error))
    code = error.errno or 0
    gone = code in (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST)
    todo = _GONE if gone else REMEDIES.get(code, _RIGHTS)
    return StorageError(
        f"{what}: {error.strerror or error}", where=place, todo=f"{todo}, then start again"
    )


@contextmanager
def needed_for(what: str, where: object) -> Iterator[None]:
    """Turns an OSError inside into a StorageError that says that `what` could not be done."""
    try:
        yield
    except OSError as error:
        raise storage_error(error, what, where) from error


def ensure_room(folder: Path, what: str) -> None:
    """Writes and syncs a small file in `folder`, because only that shows quotas and limits, too.
    Raises StorageError when there is no room for it."""
    with needed_for(what, folder), tempfile.TemporaryFile(dir=folder) as file:
        file.write(b"\0" * ROOM)
        file.flush()


def _likely_place(error: OSError) -> str:
    """Returns the likely place of a failed write of no name: the temporary folder, or the disk."""
    folder = tempfile.gettempdir()
    with suppress(OSError):
        if error.errno == errno.ENOSPC and shutil.disk_usage(folder).free > ROOM:
            return "the disk"
    return folder


@dataclass(frozen=True)
class Fingerprint:
    """Path -> mark of everything below a folder, which changes with content and rights."""

    marks: Mapping[str, Mark]

    @classmethod
    def of(cls, root: Path, apart: Collection[Path] = ()) -> Fingerprint:
        """Returns the state of a folder, links not followed, without what is below `apart`."""
        return cls(dict(_walk(str(root), "", {str(path) for path in apart})))

    def changed(self, later: Fingerprint) -> tuple[str, ...]:
        """Returns files that were removed or have another mark."""
        return tuple(p for p, mark in self.marks.items() if later.marks.get(p) != mark)

    def appeared(self, later: Fingerprint) -> tuple[str, ...]:
        """Returns paths that are new, each folder before its content."""
        return tuple(sorted(later.marks.keys() - self.marks.keys()))


def mark_of(found: os.stat_result) -> Mark:
    """Returns the identity of a file: times that cannot be set back, size, rights and inode."""
    times = (found.st_mtime_ns, found.st_ctime_ns)
    return (found.st_size, *times, found.st_mode, found.st_ino)


def _walk(folder: str, inside: str, apart: set[str]) -> Iterator[tuple[str, Mark]]:
    """Yields the paths below a folder with their marks; of a folder only the rights count."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.path in apart:
                continue
            path = f"{inside}{entry.name}"
            found = entry.stat(follow_symlinks=False)
            if entry.is_dir(follow_symlinks=False):
                yield path, (found.st_mode,)
                if os.access(entry.path, os.R_OK | os.X_OK):
                    yield from _walk(entry.path, f"{path}/", apart)
            else:
                yield path, mark_of(found)
