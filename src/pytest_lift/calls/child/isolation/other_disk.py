"""What the system tells of files, as it is on another disk: what is the same there may be asserted.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import functools
import os
import re
import stat
import time
from collections.abc import Callable, Iterable
from errno import ENOENT
from typing import Any

SIZE, LINKS, TIMES = stat.ST_SIZE, stat.ST_NLINK, (stat.ST_ATIME, stat.ST_MTIME, stat.ST_CTIME)
LARGER, MORE, SECONDS = 1300, 5, 11 * 86400 + 3 * 3600
"""By how many bytes and links folders are larger, and by how many seconds files are younger."""
OWNERS, OTHER_USER = (stat.ST_UID, stat.ST_GID), 23456
"""Whose a file is, and how far the numbers of another user and group are from these."""
MORE_FILE = "one-more.txt"
"""File in folders above those of cases."""
LEFT_BY_TOOLS = frozenset({
    "build", "dist", "env", "venv", ".venv", ".eggs", ".git", ".lift", ".pytest_cache", ".tox",
    ".nox", ".mypy_cache", ".ruff_cache", ".hypothesis", ".coverage", "coverage.xml", "htmlcov",
})  # fmt: skip
"""Files and folders that tools leave in a project: one has them, another one has not."""
PLACE = re.compile(r"'(/(?!dev/)\w[\w.+-]*(?:/[\w.+@-]+)+)'")
"""Absolute path in the source of a value."""
OF_TIMES = ("st_atime", "st_mtime", "st_ctime")


class OtherDisk:
    """Lets `os.stat` and its like tell what belongs to the disk as another one has it: the size of
    folders, blocks, whose a file is, and when it was written, but where a case has set that. In
    each folder that is not the case's own lies one file more, and what tools leave in a project is
    there where it was not, and the reverse; what lies in a folder comes from its end. What is not
    the case's own is on one disk with that: the folder of the cases may be a disk in memory, that
    of the tests is none.

    The numbers of other disks and of files stay, since `shutil.rmtree` compares them with what
    `os.scandir` gives, and so does all that the entries of `os.scandir` tell themselves, the size
    of blocks and the user who runs the tests: what is asserted of these is not noticed."""

    FUNCTIONS = ("stat", "lstat", "fstat")

    def __init__(self, home: str) -> None:
        self.home = home
        """Folder below which are the files of cases."""
        self.began = time.time()
        self.is_asked = False
        """Whether a case was told something of a file that is not its own, or of several files."""
        self._device = -1
        """Number of the disk on which the files of cases lie; less than 0 where it is not known."""
        self._real = {name: getattr(os, name) for name in (*self.FUNCTIONS, "listdir", "scandir")}
        self._other = {name: self._as_elsewhere(self._real[name]) for name in self.FUNCTIONS}
        self._other.update(listdir=self._listed, scandir=self._scanned)
        for known in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
            known |= {self._other[name] for name, real in self._real.items() if real in known}

    def change(self) -> None:
        self.is_asked = False
        if self._device < 0:
            self._device = self._real["stat"](self.home).st_dev
        for name, function in self._other.items():
            setattr(os, name, function)

    def change_back(self) -> None:
        for name, function in self._real.items():
            setattr(os, name, function)

    def tells_a_place(self, case: dict[str, Any], outcomes: list[dict[str, Any]]) -> bool:
        """Whether values name a file of this machine that a case does not: another one has it at
        another place, or has none."""
        given = "\n".join(source for source, *_ in case["steps"])
        told = [str(one.get(part)) for one in outcomes for part in ("source", "attributes")]
        places = {place for text in told for place in PLACE.findall(text)}
        return any(os.path.lexists(place) for place in places if place not in given)

    def _as_elsewhere(self, real: Callable[..., os.stat_result]) -> Callable[..., Any]:
        @functools.wraps(real)
        def told(path: Any, *args: Any, **named: Any) -> os.stat_result:
            is_own = self._is_of_case(path)
            changed = path if is_own else self._with_what_tools_leave(path)
            found = real(changed, *args, **named)
            self.is_asked = self.is_asked or not is_own
            if not is_own and not isinstance(path, int):
                found = _with_device(found, self._device)
            dated = found.st_mtime < self.began and not stat.S_ISDIR(found.st_mode)
            return _elsewhere(found, timed=is_own and dated)

        return told

    def _with_what_tools_leave(self, path: Any) -> Any:
        """Returns the folder of what a tool may leave in its place, where it is not there; raises
        FileNotFoundError where it is."""
        if isinstance(path, int):
            return path
        folder, name = os.path.split(os.fsdecode(path).rstrip(os.sep))
        if name not in LEFT_BY_TOOLS:
            return path
        self.is_asked = True
        try:
            self._real["lstat"](path)
        except OSError:
            return folder or "."
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), path)

    def _listed(self, path: Any = None) -> list[Any]:
        if not self._is_strange(path):
            return self._in_other_order(self._real["listdir"](path))
        more = os.fsencode(MORE_FILE) if isinstance(path, bytes) else MORE_FILE
        return [*self._in_other_order(self._found("listdir", path)), more]

    def _scanned(self, path: Any = None) -> Any:
        if isinstance(path, bytes) or not self._is_strange(path):
            return _Entries(self._in_other_order(self._real["scandir"](path)))
        folder = "." if path is None else os.fspath(path)
        found = self._in_other_order(self._found("scandir", path))
        return _Entries([*found, OneMoreFile(folder)])

    def _in_other_order(self, entries: Iterable[Any]) -> list[Any]:
        """Returns what lies in a folder from its end: disks have orders of their own."""
        found = [*entries]
        self.is_asked = self.is_asked or len(found) > 1
        return found[::-1]

    def _found(self, function: str, path: Any) -> Any:
        """Returns what lies in a folder; nothing of one that only the jail closes."""
        try:
            return self._real[function](path)
        except PermissionError:
            return iter(())

    def _is_strange(self, path: Any) -> bool:
        """Whether what lies in a folder is another thing elsewhere; notes that it was asked for."""
        if isinstance(path, int) or self._is_of_case(path if path is not None else os.getcwd()):
            return False
        place = os.path.realpath(path if path is not None else ".")
        strange = self.home.startswith(f"{place.rstrip(os.sep)}{os.sep}")
        self.is_asked = self.is_asked or strange
        return strange

    def _is_of_case(self, path: Any) -> bool:
        if isinstance(path, int):
            return False
        return os.path.abspath(os.fsdecode(path)).startswith(self.home)


class OneMoreFile:
    """Entry of a file as `os.scandir` gives it."""

    def __init__(self, folder: str) -> None:
        self.name = MORE_FILE
        self.path = os.path.join(folder, MORE_FILE)

    def __fspath__(self) -> str:
        return self.path

    def inode(self) -> int:
        return OTHER_USER

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        return False

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        return True

    def is_symlink(self) -> bool:
        return False

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        return os.stat(os.curdir)


class _Entries:
    """Entries of a folder, as `os.scandir` gives them."""

    def __init__(self, entries: Iterable[Any]) -> None:
        self._waiting = iter(entries)

    def __iter__(self) -> _Entries:
        return self

    def __next__(self) -> Any:
        return next(self._waiting)

    def __enter__(self) -> _Entries:
        return self

    def __exit__(self, *about: object) -> None:
        self.close()

    def close(self) -> None:
        self._waiting = iter(())


def _with_device(found: os.stat_result, device: int) -> os.stat_result:
    """Returns what is told of a file, as one that lies on another disk."""
    parts: Any = found.__reduce__()[1]
    numbers = list(parts[0])
    numbers[stat.ST_DEV] = device
    return os.stat_result(numbers, dict(parts[1]))


def _elsewhere(found: os.stat_result, *, timed: bool) -> os.stat_result:
    """Returns what another disk would tell of a file or a folder; of one that is `timed`, a case
    has set the times."""
    parts: Any = found.__reduce__()[1]
    numbers, more = list(parts[0]), dict(parts[1])
    if stat.S_ISDIR(found.st_mode):
        numbers[SIZE] += LARGER
        numbers[LINKS] += MORE
    for at in OWNERS:
        numbers[at] += OTHER_USER
    more["st_blocks"] = more.get("st_blocks", 0) + MORE
    for at in () if timed else TIMES:
        numbers[at] += SECONDS
    for name in () if timed else OF_TIMES:
        more[name] += SECONDS
        more[f"{name}_ns"] += SECONDS * 10**9
    return os.stat_result(numbers, more)
