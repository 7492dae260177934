"""A run under `.lift/history/`: its iterations, each stored completely or not at all."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import re
import shutil
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from pytest_lift.errors import UsageError
from pytest_lift.files import untrusted
from pytest_lift.files.atomic import sync
from pytest_lift.files.codec import read
from pytest_lift.files.disk import StorageError, needed_for
from pytest_lift.project.ini_files import FILES
from pytest_lift.source.syntax import from_bytes, to_bytes
from pytest_lift.suite.suite import Suite
from pytest_lift.text.printable import redacted, redacted_bytes, redacted_data

LARGEST_PLAIN = 1024 * 1024
"""Reports above this size (bytes) are stored compressed."""

LARGEST_EXPECTATIONS = 16 * 1024 * 1024
"""Largest size in bytes of `EXPECTATIONS` that is read."""

SUITES = ("tests", "accepted", "working")
"""Folders of an iteration: the suite that was tried and, if they differ from it, the suite
accepted so far and the suite from which the next generator starts."""

STANDING, REPORTS, EXPECTATIONS = "standing.json", "reports", "expectations.json"
REPORT = "report.json"
"""File in the folder of a run: everything that its report shows."""
OUTCOME = "outcome.json"
"""File in the folder of a run: a summary of how it ended (`SUMMARY` of `run.json`)."""
KEPT = ".kept"
"""Suffix of stored test files, so that no tool collects them as tests."""
SETTINGS = "settings.json"
"""File in the folder of a run: pytest's configuration file before and after it."""
GONE = ".gone"
"""Suffix of the folder of a run that is being removed."""
_NUMBER = re.compile(r"[0-9]{3,9}")
_NEVER = {"coverage.db", "coverage.db-journal", "coverage.db-wal", "coverage.db-shm"}


@dataclass(frozen=True)
class HistoryRun:
    """The iterations of one run."""

    root: Path
    """`.lift/`"""
    id: str

    @property
    def folder(self) -> Path:
        return self.root / "history" / self.id

    def iterations(self) -> tuple[int, ...]:
        found = (p for p in self.folder.iterdir() if _NUMBER.fullmatch(p.name))
        return tuple(sorted(int(p.name) for p in found if p.is_dir() and not p.is_symlink()))

    def archive(
        self,
        iteration: int,
        *,
        suite: Suite,
        reports: Path | None = None,
        feedback: Mapping[str, str] | None = None,
        figures: Mapping[str, object] | None = None,
        standing: Mapping[str, object] | None = None,
        besides: Mapping[str, Suite] | None = None,
        expectations: str = "",
        exclude: Collection[str] = (),
    ) -> Path:
        """Stores one iteration completely or not at all, and returns its folder ``<NNN>``.

        `standing`, the suites `besides` (by name, see `SUITES`) and `expectations` (a text) are
        needed to resume the lift. `reports` is copied without the names in `exclude` and without
        coverage's database; large files are compressed. An iteration with the same number is
        replaced. Raises StorageError.
        """
        target = self.folder / f"{iteration:03d}"
        with needed_for("the iteration could not be stored", target):
            beside = self.folder / f".{target.name}.tmp"
            _gone(beside)
            beside.mkdir()
            for name, stored in {"tests": suite, **(besides or {})}.items():
                self._store_suite(beside / name, stored, beside, iteration)
            if reports is not None and reports.is_dir():
                _copy_reports(reports, beside / REPORTS, _NEVER | set(exclude))
            for name, text in (feedback or {}).items():
                place = beside / "feedback" / PurePosixPath(name).name
                place.parent.mkdir(exist_ok=True)
                place.write_bytes(to_bytes(redacted(text)))
            _write_json(beside / "figures.json", redacted_data(figures or {}))
            _write_json(beside / "suite.json", {"test_root": suite.root})
            if standing is not None:
                _write_json(beside / STANDING, redacted_data(standing))
            if expectations:
                (beside / EXPECTATIONS).write_bytes(to_bytes(redacted(expectations)))
            _sync_tree(beside)
            _swap_in(beside, target)
        return target

    def ensure_there(self) -> None:
        """Raises StorageError if the run was removed, because nothing could be undone any more."""
        if not self.folder.is_dir():
            raise StorageError(
                "the history of this run was removed while the lift was running",
                where=str(self.folder),
                todo="leave .lift alone while a lift runs, then start again",
            )

    def keep_settings(self, name: str, before: str | None, after: str) -> None:
        """Stores the text of pytest's configuration file `name` before and after the run. Raises
        StorageError."""
        place = self.folder / SETTINGS
        with needed_for("what is to be undone could not be stored", place):
            _write_json(place, {"file": name, "before": before, "after": after})
            sync(place)

    def kept_settings(self) -> tuple[str, str | None, str] | None:
        """Returns (file, text before the run, text after it) if the run changed the
        configuration."""
        try:
            data = read(self.folder / SETTINGS, dict[str, str | None], LARGEST_PLAIN)
            name, before, after = data["file"], data["before"], data["after"]
        except (OSError, ValueError, KeyError):
            return None
        return (name, before, after) if name in FILES and after is not None else None

    def mark(self, name: str, iteration: int) -> Path:
        """Copies the suite of an iteration to ``.lift/<name>/`` (``first-sufficient``, ...).

        After a crash, either the old or the new copy is there. Raises StorageError.
        """
        beside = self.root / f".{name}.tmp"
        with needed_for(f"{name} could not be stored", self.root / name):
            _gone(beside)
            shutil.copytree(self.folder / f"{iteration:03d}" / "tests", beside)
            _swap_in(beside, self.root / name)
        return self.root / name

    def suite_at(self, iteration: int, name: str = "tests") -> dict[str, str]:
        """Returns path -> text of the suite, or of the suite `name` of `SUITES` (empty if there is
        none).

        Raises UsageError if the iteration is not stored or a file of it cannot be read: a suite is
        returned completely or not at all.
        """
        folder = self.folder / f"{iteration:03d}" / name
        texts, odd = _stored(folder, PurePosixPath(self.test_root(iteration)))
        if odd:
            raise UsageError(
                f"iteration {iteration} of run {self.id} is damaged: {odd[0]} cannot be read",
                where=str(folder),
                todo="name another run",
            )
        return texts

    def has_suite(self, iteration: int, name: str) -> bool:
        """Whether the suite `name` of `SUITES` was stored."""
        return (self.folder / f"{iteration:03d}" / name).is_dir()

    def test_root(self, iteration: int) -> str:
        """Returns the test root relative to the project. Raises UsageError if the iteration is
        not stored."""
        folder = self.folder / f"{iteration:03d}"
        try:
            data = read(folder / "suite.json", dict[str, str], LARGEST_PLAIN)
            return _folder_below(data["test_root"])
        except (OSError, ValueError, KeyError) as error:
            raise UsageError(
                f"iteration {iteration} of run {self.id} is not stored",
                where=str(folder),
                todo="name another run",
            ) from error

    def figures_at(self, iteration: int) -> dict[str, Any]:
        """Returns the stored `figures`. Raises OSError or ValueError."""
        return self._table(iteration, "figures.json")

    def standing_at(self, iteration: int) -> dict[str, Any]:
        """Returns the stored `standing`. Raises OSError or ValueError."""
        return self._table(iteration, STANDING)

    def expectations_at(self, iteration: int) -> str:
        """Returns the stored `expectations`; empty if there are none or they cannot be read."""
        try:
            data = untrusted.read(
                self.folder / f"{iteration:03d}" / EXPECTATIONS, LARGEST_EXPECTATIONS
            )
        except OSError:
            return ""
        return data.decode("utf-8", "replace")

    def _table(self, iteration: int, name: str) -> dict[str, Any]:
        return read(self.folder / f"{iteration:03d}" / name, dict[str, Any])

    def feedback_at(self, iteration: int) -> dict[str, str]:
        """Returns name -> text of the feedback files; empty if there are none."""
        folder = self.folder / f"{iteration:03d}" / "feedback"
        return _stored(folder, PurePosixPath("."))[0]

    def _store_suite(self, folder: Path, suite: Suite, beside: Path, iteration: int) -> None:
        """Writes the files of a suite; what is stored already becomes a hard link."""
        folder.mkdir()
        previous = self.folder / f"{iteration - 1:03d}"
        known = [top / name for top in (beside, previous) for name in SUITES]
        for path, text in suite.texts().items():
            inside = PurePosixPath(f"{path}{KEPT}").relative_to(suite.root)
            place, data = folder / inside, to_bytes(text)
            place.parent.mkdir(parents=True, exist_ok=True)
            if not any(_link_if_same(top / inside, place, data) for top in known):
                place.write_bytes(data)


def _folder_below(path: str) -> str:
    """Returns `path` if it is a relative path inside the project. Raises ValueError otherwise."""
    pure = PurePosixPath(path)
    odd = pure.is_absolute() or ".." in pure.parts or not pure.parts
    if odd or not path.isprintable() or any(len(part) > 60 for part in pure.parts):
        raise ValueError("test_root leads out of the project")
    return path


def _write_json(path: Path, data: Mapping[str, object]) -> None:
    text = json.dumps(dict(data), indent=1, sort_keys=True, default=str)
    path.write_bytes((text + "\n").encode("utf-8", "backslashreplace"))


def _link_if_same(known: Path, place: Path, data: bytes) -> bool:
    try:
        if untrusted.read(known, len(data), links=sys.maxsize) == data:
            os.link(known, place)
            return True
    except OSError:
        return False
    return False


def _copy_reports(source: Path, target: Path, exclude: Collection[str]) -> None:
    """Copies the reports of a run without secrets, limited in size; links are not followed."""

    def keep(path: str, data: bytes) -> None:
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        data = redacted_bytes(data)
        if len(data) > LARGEST_PLAIN and place.suffix != ".gz":
            with gzip.open(place.with_name(f"{place.name}.gz"), "wb", 3) as packed:
                packed.write(data)
        else:
            place.write_bytes(data)

    target.mkdir()
    untrusted.copy_folder(source, lambda name: name not in exclude, keep)


def _swap_in(beside: Path, target: Path) -> None:
    """Moves a finished folder to `target`; an old folder is moved aside first and then removed."""
    aside = target.with_name(f".{target.name}.old")
    _gone(aside)
    if os.path.lexists(target):
        target.rename(aside)
    beside.rename(target)
    sync(target.parent)
    _gone(aside)


def _gone(path: Path) -> None:
    """Removes a file, link or folder. On an error it is left for the next attempt."""
    with contextlib.suppress(OSError):
        untrusted.remove(path)


def _sync_tree(top: Path) -> None:
    """Writes files safely to disk before the folder is renamed. Reports are left out, because a
    later lift does not need them, and so are hard links, whose content is on disk already."""
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if name != REPORTS]
        for name in names:
            place = Path(folder) / name
            if place.lstat().st_nlink == 1:
                sync(place)
        sync(Path(folder))


def settle_swaps(root: Path) -> None:
    """Finishes or undoes replacements that a crash interrupted, and removes incomplete folders."""
    history = root / "history"
    for gone in history.glob(f".*{GONE}"):
        _gone(gone)
    for folder in (root, *(p for p in history.iterdir() if p.is_dir() and not p.is_symlink())):
        for half in folder.glob(".*.tmp"):
            if half.is_dir() and not half.is_symlink():
                shutil.rmtree(half, ignore_errors=True)
        for aside in folder.glob(".*.old"):
            target = aside.with_name(aside.name[1:-4])
            if os.path.lexists(target):
                _gone(aside)
            elif target.name:
                aside.rename(target)


def _stored(folder: Path, root: PurePosixPath) -> tuple[dict[str, str], tuple[str, ...]]:
    """Returns the texts and the paths that could not be read. Hard links are allowed, because
    iterations share files."""
    texts: dict[str, str] = {}

    def keep(path: str, data: bytes) -> None:
        texts[(root / path.removesuffix(KEPT)).as_posix()] = from_bytes(data)

    everything = {"links": sys.maxsize, "most": sys.maxsize}
    return texts, untrusted.copy_folder(folder, lambda name: True, keep, **everything)


def rename_bare(root: Path) -> None:
    """Renames test files that an earlier version stored in `root` (`.lift`), so that no tool
    collects them.

    A file that cannot be renamed stays: it is read under both names.
    """
    for top in ("history", "last-passing", "first-sufficient"):
        if not (root / top).is_symlink():
            for path in [*_bare(root / top)]:
                with contextlib.suppress(OSError):
                    os.rename(path, f"{path}{KEPT}")


def _bare(folder: Path) -> Iterator[str]:
    """Yields the Python files below `folder`, without following links."""
    for here, _, names in os.walk(folder):
        yield from (os.path.join(here, name) for name in names if name.endswith(".py"))
