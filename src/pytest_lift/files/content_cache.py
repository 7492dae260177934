"""Cache of files by the hash of their content: in `.lift/cache/` or in pytest's own cache.

Only speed depends on it. Entries that look odd are ignored, and so are failures to write it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from pytest_lift.files import untrusted
from pytest_lift.files.atomic import make_lift_folder, place_file

FORMAT = 3
"""To be raised when what is kept changes."""


def _program(parts: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    """This program's own files by size and time: another version may read files otherwise."""
    here = Path(__file__).parents[1]
    for folder in (here, *(here / part for part in parts)):
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name.endswith(".py"):
                    found = entry.stat()
                    yield entry.name, found.st_size, found.st_mtime_ns


class Cache:
    """One file of the cache: hash of content and settings -> rows of JSON."""

    def __init__(self, path: Path, settings: object, parts: Iterable[str]) -> None:
        """Opens the cache. `settings` is what the rows depend on besides the content; its `repr`
        counts. `parts` are the packages of this program whose code makes the rows, besides its top
        folder."""
        self._path = path
        self._salt = repr((FORMAT, sys.version_info, *_program(parts), settings)).encode()
        self._kept = self._read()
        self._used: dict[str, Any] = {}
        self._changed = False

    def get(self, *contents: bytes) -> tuple[str, Any]:
        """Returns (key of these contents, the stored value or None)."""
        found = sha256(self._salt)
        for content in contents:
            found.update(len(content).to_bytes(8, "little"))
            found.update(content)
        key = found.hexdigest()[:40]
        row = self._kept.get(key)
        if row is not None:
            self._used[key] = row
        return key, row

    def put(self, key: str, row: Any) -> None:
        self._used[key] = row
        self._changed = True

    def save(self) -> None:
        """Stores what was used since the cache was opened, unless just that is stored already."""
        if not self._changed and self._used.keys() == self._kept.keys():
            return
        body = json.dumps(self._used, separators=(",", ":"), ensure_ascii=True).encode("ascii")
        try:
            self._make_folder()
            place_file(self._path, sha256(body).hexdigest().encode("ascii") + b"\n" + body)
        except OSError:
            return

    def _make_folder(self) -> None:
        """Creates the folder; pytest's cache has its folder already."""

    def _read(self) -> Mapping[str, Any]:
        if any(folder.is_symlink() for folder in self._path.parents[:2]):
            return {}  # a clone may bring links along
        try:
            checksum, _, body = untrusted.read(self._path).partition(b"\n")
            if sha256(body).hexdigest().encode("ascii") == checksum:
                data = json.loads(body)
                return data if isinstance(data, dict) else {}
        except (OSError, ValueError, RecursionError):
            pass
        return {}


class LiftCache(Cache):
    """A file of ``.lift/cache`` below the project root."""

    def __init__(self, root: Path, name: str, settings: object, parts: Iterable[str]) -> None:
        self._folder = root / ".lift"
        super().__init__(self._folder / "cache" / f"{name}.json", settings, parts)

    def _make_folder(self) -> None:
        make_lift_folder(self._folder, self._path.parent)
