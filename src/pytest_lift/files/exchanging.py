"""A file that takes the place of another, unless that is no longer what it was a moment ago.

Between looking at a file and replacing it an editor may save. So the two change places in one step,
what came out is looked at, and where it is not what was expected it goes back. Linux can do that
(renameat2(2), RENAME_EXCHANGE); elsewhere, and on file systems that cannot, the file is replaced.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable
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


def put(new: Path, place: Path, is_expected: Known) -> bool:
    """Let the complete file `new` take the `place` of one that was just looked at.

    False where that is no longer what was expected: it stays, the newest edit if there were
    several. `new` is gone afterwards. Raises OSError.
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
    """Let the complete file `new` be `place`; False where there is one by now. Raises OSError."""
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
    """Remove a file that was just looked at; False, and it stays, where it is another by now.

    Raises OSError.
    """
    os.replace(place, aside)
    if is_expected(aside):
        aside.unlink()
        return True
    put_where_none_is(aside, place)
    return False


def rescue(aside: Path, place: Path, is_ours: Known) -> None:
    """After a crash: what came out of `place` goes back unless it is ours. Raises OSError."""
    if not os.path.lexists(aside) or is_ours(aside):
        return
    if os.path.lexists(place):
        _give_back(aside, place)
    else:
        put_where_none_is(aside, place)


def _give_back(aside: Path, place: Path) -> None:
    """Two files change places again; an edit that is newer than both comes out and goes back."""
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
    """False where the system cannot. Raises OSError."""
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
