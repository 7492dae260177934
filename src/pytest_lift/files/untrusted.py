"""Files that a test run may have planted: no link is followed, only regular ones, capped.

Whatever a child could write is hostile to who reads it: a report may be a link to a key, a pipe
that never ends, or larger than the disk. What is read is bytes or JSON; nothing is unpickled.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

LARGEST = 256 * 1024 * 1024
"""Bytes of one file that are read."""
MOST_FILES = 200
"""Files of a folder that are copied; a run of pytest leaves a handful."""
MOST_BYTES = 1024 * 1024 * 1024
"""Bytes of a folder that are copied."""
_CHUNK = 1024 * 1024
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_BY_FOLDER = os.open in os.supports_dir_fd


@contextmanager
def opened(path: Path, limit: int = LARGEST, *, links: int = 1) -> Iterator[BinaryIO]:
    """Returns the regular file `path`, whose folder is a real one too, open for reading.

    Raises OSError for anything else: symbolic links, files with more than `links` names (another
    name may belong to another owner), pipes, devices, folders, and files larger than `limit` bytes.
    """
    if not _BY_FOLDER:
        with _opened(str(path), None, limit, links) as file:
            yield file
        return
    folder = os.open(path.parent, _FLAGS | os.O_DIRECTORY)
    try:
        with _opened(path.name, folder, limit, links) as file:
            yield file
    finally:
        os.close(folder)


@contextmanager
def _opened(name: str, folder: int | None, limit: int, links: int) -> Iterator[BinaryIO]:
    handle = os.open(name, _FLAGS, dir_fd=folder)
    with open(handle, "rb") as file:  # closes the handle, whatever is found
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", name)
        if found.st_nlink > links:
            raise OSError(errno.EMLINK, "it is a hard link", name)
        if found.st_size > limit:
            raise OSError(errno.EFBIG, f"it is larger than {limit} bytes", name)
        yield file


def opened_to_lock(path: Path) -> BinaryIO:
    """Returns the regular file `path`, made where there is none, for reading and writing at its
    end. Raises OSError for links, hard ones included, and for what is no regular file."""
    flags = _FLAGS & ~os.O_RDONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND
    handle = os.open(path, flags, 0o666)
    found = os.fstat(handle)
    if stat.S_ISREG(found.st_mode) and found.st_nlink <= 1:
        return os.fdopen(handle, "r+b", buffering=0)
    os.close(handle)
    raise OSError(errno.EINVAL, "it is a link, or no regular file", str(path))


def read(path: Path, limit: int = LARGEST, *, links: int = 1) -> bytes:
    """Returns the content of `path`, at most `limit` bytes; raises OSError as `opened` does."""
    with opened(path, limit, links=links) as file:
        data = file.read(limit + 1)
    if len(data) > limit:  # somebody is still writing
        raise OSError(errno.EFBIG, f"it is larger than {limit} bytes", str(path))
    return data


def lines(path: Path, limit: int, longest: int) -> Iterator[bytes]:
    """Yields the lines of `path`, at most `limit` bytes together; one over `longest` comes in
    pieces. Nothing for what cannot be opened: a reader of records takes what there is."""
    try:
        with opened(path, 1 << 62) as file:
            while limit > 0 and (line := file.readline(min(longest, limit))):
                limit -= len(line)
                yield line
    except OSError:
        return


def write(path: Path, data: bytes) -> None:
    """Makes `path` a new file with this content, whatever stood there. Raises OSError."""
    remove(path)
    with path.open("xb") as file:
        file.write(data)


def remove(path: Path) -> None:
    """Removes whatever is at `path`: a link itself, not its target. Raises OSError."""
    if path.is_dir() and not path.is_symlink():
        for folder, folders, _ in os.walk(path):
            os.chmod(folder, 0o700)  # the walk looks into a folder after it was yielded
            for name in folders:
                inner = os.path.join(folder, name)
                if not os.path.islink(inner):
                    os.chmod(inner, 0o700)
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def copy_folder(
    source: Path,
    wanted: Callable[[str], bool],
    keep: Callable[[str, bytes], None],
    *,
    limit: int = LARGEST,
    links: int = 1,
    most: int = MOST_FILES,
) -> tuple[str, ...]:
    """Hands the regular files below the folder `source` to `keep` as (path in it, content).

    `wanted` is asked for the name of each file and folder. Links are passed over, and so is what
    goes beyond `most` files and `MOST_BYTES`; the paths passed over are returned.
    """
    left, count = MOST_BYTES, 0
    skipped: list[str] = []
    for path in _paths(source, wanted):
        try:
            if count >= most:
                raise OSError(errno.EMFILE, "too many files")
            data = read(source / path, min(left, limit), links=links)
        except OSError:
            skipped.append(path)
            if len(skipped) >= most:
                break
            continue
        left, count = left - len(data), count + 1
        keep(path, data)
    return tuple(skipped)


def _paths(source: Path, wanted: Callable[[str], bool]) -> Iterator[str]:
    """Yields everything that is not a folder, links to folders and to `source` itself included."""
    if source.is_symlink():
        yield "."
        return
    for folder, folders, names in os.walk(source):
        here = Path(folder)
        folders[:] = sorted(name for name in folders if wanted(name))
        links = [name for name in folders if (here / name).is_symlink()]
        inside = (here / name for name in sorted([*names, *links]) if wanted(name))
        yield from (path.relative_to(source).as_posix() for path in inside)
