"""What a folder looked like at one moment, to see afterwards which files a run touched."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

Mark = tuple[int, ...]


@dataclass(frozen=True)
class Fingerprint:
    """Path -> mark of everything below a folder, which changes with content and rights."""

    marks: Mapping[str, Mark]

    @classmethod
    def of(cls, root: Path, apart: Collection[Path] = ()) -> Fingerprint:
        """Links are not followed; what is below `apart` is left out."""
        return cls(dict(_walk(str(root), "", {str(path) for path in apart})))

    def changed(self, later: Fingerprint) -> tuple[str, ...]:
        """Files that were there and are gone, or have another mark."""
        return tuple(p for p, mark in self.marks.items() if later.marks.get(p) != mark)

    def appeared(self, later: Fingerprint) -> tuple[str, ...]:
        """What was not there, a folder before what is in it."""
        return tuple(sorted(later.marks.keys() - self.marks.keys()))


def mark_of(found: os.stat_result) -> Mark:
    """The times that nobody can set back, size, rights, and which file it is."""
    times = (found.st_mtime_ns, found.st_ctime_ns)
    return (found.st_size, *times, found.st_mode, found.st_ino)


def _walk(folder: str, inside: str, apart: set[str]) -> Iterator[tuple[str, Mark]]:
    """A folder counts by its rights only: what is in it has marks of its own."""
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
