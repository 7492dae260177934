"""The folder that mutmut works in: sources to be mutated, and all else already in its copy.

``sources`` of the program stand in the folder itself; mutmut writes their mutated form to
``mutants/``. Everything else of the private copy is put into ``mutants/`` at once: what mutmut
copies by itself it never deletes, and a test that is gone would go on running.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import tokenize
from collections.abc import Collection, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from pytest_lift.files import untrusted
from pytest_lift.mutation.mutmut.configuration import Configuration, Layout, with_table
from pytest_lift.source.program import Program

MUTANTS, KILLS, CONFIG, STATS = "mutants", "kills", "pyproject.toml", "mutmut-stats.json"
FAILURES, ORDER, IMPORTED = "failures", "order", "imported"
"""Files that the plugin inside writes: who failed on what, the suite's own order, and the names
under which tests import what is mutated."""
_OWN = (".meta", ".spans")
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
"""A comment that tells the encoding of a source (PEP 263)."""
_Mark = tuple[int, int]


class MutationProject:
    """A copy of the private copy, as mutmut wants it; only what is below `writes` is written by
    children."""

    def __init__(self, root: Path, copy: Path, program: Program) -> None:
        self.root = root
        self.layout = Layout.of(program)
        self._copy = copy
        self._mirrored: dict[str, _Mark] = {}
        self._sources: dict[str, _Mark] = {}

    @property
    def mutants(self) -> Path:
        return self.root / MUTANTS

    @property
    def kills(self) -> Path:
        """A folder for what the plugin inside writes down."""
        return self.root / KILLS

    @property
    def sources(self) -> frozenset[str]:
        """The files that are mutated, in this folder."""
        return frozenset(self._sources)

    @property
    def writes(self) -> tuple[Path, ...]:
        return (self.mutants, self.kills)

    def sync(self, program: Program, configuration: Configuration) -> None:
        """Brings the folder in step with the private copy and removes what earlier runs left there.

        An unchanged source keeps its mutants. Raises OSError.
        """
        for folder in (self.mutants, self.kills):
            folder.mkdir(parents=True, exist_ok=True)
        self._remove_links()
        files = dict(_files(self._copy))
        places = {self.layout.placed(path): path for path in files}
        sources = {p: o for p, o in places.items() if o in program.files and o.endswith(".py")}
        self._sync_sources(sources, files)
        self.forget([path for path in sources if self._is_unfinished(path)])
        others = {p: o for p, o in places.items() if p not in sources and p != CONFIG}
        self._sync_others(others, files, sources)
        self._configure(configuration)

    def _configure(self, configuration: Configuration) -> None:
        """Writes the project's own configuration with our table; mutmut copies it to where the
        tests run."""
        own = self._copy / CONFIG
        text = own.read_text("utf-8", "replace") if own.is_file() else ""
        told = with_table(text, configuration.table()).encode()
        if not (self.root / CONFIG).is_file() or (self.root / CONFIG).read_bytes() != told:
            untrusted.write(self.root / CONFIG, told)

    def generated(self) -> dict[str, bytes]:
        """Returns mutated source -> hash of its content; what cannot be read has none."""
        found = {}
        for path in self._sources:
            with suppress(OSError):
                found[path] = sha256(untrusted.read(self.mutants / path)).digest()
        return found

    def collected(self) -> int:
        """Returns tests that pytest found when mutmut counted them last."""
        return len({*untrusted.lines(self.kills / ORDER, 1 << 28, 1 << 16)})

    def forget(self, sources: Collection[str]) -> None:
        """Deletes the mutants of these files, so that mutmut makes them again."""
        for path in sources:
            for place in (path, *(path + suffix for suffix in _OWN)):
                untrusted.remove(self.mutants / place)
            _forget_bytecode(self.mutants / path)

    def _is_unfinished(self, source: str) -> bool:
        """Whether mutmut was stopped while it wrote a file, which it would take for complete."""
        try:
            mutated = (self.mutants / source).stat().st_mtime_ns
            return (self.mutants / f"{source}.spans").stat().st_mtime_ns < mutated
        except OSError:
            return True

    def _sync_sources(self, sources: dict[str, str], files: dict[str, _Mark]) -> None:
        for gone in [path for path in self._sources if path not in sources]:
            untrusted.remove(self.root / gone)
            self.forget([gone])
            del self._sources[gone]
        for place, path in sources.items():
            if self._sources.get(place) == files[path]:
                continue
            target = self.root / place
            target.parent.mkdir(parents=True, exist_ok=True)
            data = _as_utf8((self._copy / path).read_bytes())
            if not target.is_file() or target.read_bytes() != data:
                untrusted.write(target, data)  # newer than its mutants: mutmut makes them anew
            self._sources[place] = files[path]

    def _sync_others(
        self, others: dict[str, str], files: dict[str, _Mark], sources: Collection[str]
    ) -> None:
        for path in list(_inside(self.mutants)):
            if path not in others and not _is_mutmuts(path, sources):
                untrusted.remove(self.mutants / path)
        for place, path in others.items():
            target = self.mutants / place
            if self._mirrored.get(place) == files[path] and os.path.lexists(target):
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            untrusted.remove(target)
            _forget_bytecode(target)
            shutil.copy2(self._copy / path, target, follow_symlinks=False)
            self._mirrored[place] = files[path]

    def _remove_links(self) -> None:
        """Removes links, so that nothing is written through a link that a test has planted."""
        for path in list(_inside(self.mutants)):
            place = self.mutants / path
            if place.is_symlink() or not place.is_file():
                untrusted.remove(place)


def _forget_bytecode(target: Path) -> None:
    """Deletes compiled files: Python trusts them by second and size, which a quick rewrite can
    keep.

    Runs write them themselves, because tests that start processes would compile every mutant each
    time.
    """
    if target.suffix == ".py":
        for compiled in (target.parent / "__pycache__").glob(f"{target.stem}.*.pyc"):
            untrusted.remove(compiled)


def _is_mutmuts(path: str, sources: Collection[str]) -> bool:
    """Whether a file is mutmut's: a mutated source, its metadata, its statistics, or what it copies
    itself."""
    if path in (STATS, CONFIG) or path in sources:
        return True
    return any(path.endswith(s) and path.removesuffix(s) in sources for s in _OWN)


def _as_utf8(data: bytes) -> bytes:
    """Returns a source in UTF-8, as which mutmut reads every file; the same bytes where they are
    that, or no Python."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        if encoding in ("utf-8", "utf-8-sig"):
            return data
        lines = data.decode(encoding).encode().split(b"\n")
    except (SyntaxError, ValueError):
        return data
    for number, line in enumerate(lines[:2]):
        if told := _CODING.match(line):
            lines[number] = line[: told.start(1)] + b"utf-8" + line[told.end(1) :]
            break
    return b"\n".join(lines)


def _files(folder: Path) -> Iterator[tuple[str, _Mark]]:
    for path in _inside(folder):
        found = (folder / path).lstat()
        yield path, (found.st_mtime_ns, found.st_size)


def _inside(folder: Path) -> Iterator[str]:
    """Yields POSIX paths of everything but real folders; compiled files are left out."""
    for here, folders, names in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(here, name))]
        folders[:] = sorted(set(folders) - {"__pycache__"} - set(links))
        base = Path(here).relative_to(folder)
        yield from ((base / name).as_posix() for name in sorted([*names, *links]))
