"""Folders as a value: what is in them, with content, rights and times, to tell what changed."""

from __future__ import annotations

import gzip
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

MARK = b"PLANTED"
LARGEST = 64 << 20
"""Bytes of a file that are read."""

Facts = tuple[object, ...]
Snapshot = dict[str, Facts]


def snapshot(places: Iterable[Path], apart: set[Path], renewed: Path) -> Snapshot:
    """path -> facts, for everything below `places` but what is below `apart`.

    Compiled code comes and goes with every run: it counts only where an attack has marked it.
    Below `renewed` the lift may write files again as they were: their times do not count.
    """
    return {
        str(path): _facts(path, timed=not path.is_relative_to(renewed))
        for place in places
        for path in _below(place, apart)
    }


def differences(before: Snapshot, after: Snapshot) -> list[str]:
    """What changed, in words."""
    found = [f"deleted: {_short(path)}" for path in before if path not in after]
    found += [f"made: {_short(path)}" for path in after if path not in before]
    both = (path for path in before if path in after)
    return found + [f"changed: {_short(path)}" for path in both if before[path] != after[path]]


def found_in(places: Iterable[Path], word: bytes) -> bool:
    """Whether a regular file below `places` holds `word`; no link is followed."""
    return any(word in _content(path) for place in places for path in _below(place, set()))


def _below(place: Path, apart: set[Path]) -> Iterator[Path]:
    yield place
    if not place.is_dir() or place.is_symlink():
        return
    for folder, folders, names in os.walk(place):
        here = Path(folder)
        folders[:] = [f for f in folders if here / f not in apart]
        for name in [*folders, *names]:
            path = here / name
            if "__pycache__" not in path.parts or _content(path).startswith(MARK):
                yield path


def _facts(path: Path, *, timed: bool) -> Facts:
    try:
        found = path.lstat()
        marks = tuple(os.listxattr(path, follow_symlinks=False))
    except OSError:
        return ()
    if stat.S_ISLNK(found.st_mode):
        return ("link", os.readlink(path))
    facts = (found.st_mode, found.st_uid, found.st_gid, marks)
    if stat.S_ISDIR(found.st_mode):
        return facts  # its time changes with compiled code in it
    time = found.st_mtime_ns if timed else 0
    return (*facts, time, found.st_size, hashlib.sha256(_content(path)).hexdigest())


def _content(path: Path) -> bytes:
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return b""
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rb") as file:
            return bytes(file.read(LARGEST))
    except (OSError, EOFError):
        return b""


def _short(path: str) -> str:
    """Without the folder that the benchmark, or the workspace, made."""
    _, _, folder, *rest = Path(path).parts
    return ("the copy's " if folder.startswith("pytest-lift-") else "") + "/".join(rest or [folder])
