"""One run under `.lift/history/`: its iterations, stored whole or not at all."""

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
from pytest_lift.files.disk import StorageError, needed_for
from pytest_lift.project.ini_files import FILES
from pytest_lift.suite.suite import Suite, from_bytes, to_bytes
from pytest_lift.text.secrets import redacted, redacted_bytes, redacted_data

LARGEST_PLAIN = 1024 * 1024
"""Reports above this size (bytes) are stored compressed."""

LARGEST_EXPECTATIONS = 16 * 1024 * 1024
"""Bytes of `EXPECTATIONS` that are read."""

SUITES = ("tests", "accepted", "working")
"""Folders of an iteration: the suite that was tried and, where another, the one accepted so far
and the one that the next generator begins with."""

STANDING, REPORTS, EXPECTATIONS = "standing.json", "reports", "expectations.json"
REPORT = "report.json"
"""In the folder of a run: everything that its report shows."""
OUTCOME = "outcome.json"
"""In the folder of a run: how it ended, in short (`SUMMARY` of `run.json`)."""
KEPT = ".kept"
"""How the names of stored test files end: nothing that looks for tests takes them for some."""
SETTINGS = "settings.json"
"""In the folder of a run: pytest's configuration file before and after it."""
GONE = ".gone"
"""How the name of a run ends that is being removed."""
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
        """Store one iteration, whole or not at all; the folder ``<NNN>``.

        `standing`, the suites `besides` (by name, see `SUITES`) and `expectations` (a text) are
        what a resumed lift needs.
        `reports` is copied but for names in `exclude` and coverage's database; large files are
        compressed. What was stored under the same number is replaced. Raises StorageError.
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
        """Raises StorageError when somebody removed the run: nothing could be undone any more."""
        if not self.folder.is_dir():
            raise StorageError(
                "the history of this run was removed while the lift was running",
                where=str(self.folder),
                todo="leave .lift alone while a lift runs, then start again",
            )

    def keep_settings(self, name: str, before: str | None, after: str) -> None:
        """Note what pytest's configuration file `name` was before the run. Raises StorageError."""
        place = self.folder / SETTINGS
        with needed_for("what is to be undone could not be stored", place):
            _write_json(place, {"file": name, "before": before, "after": after})
            sync(place)

    def kept_settings(self) -> tuple[str, str | None, str] | None:
        """(file, its text before the run, its text since), where the run changed it."""
        try:
            data = json.loads(untrusted.read(self.folder / SETTINGS, LARGEST_PLAIN))
            name, before, after = data["file"], data["before"], data["after"]
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None
        texts = isinstance(after, str) and (before is None or isinstance(before, str))
        return (name, before, after) if name in FILES and texts else None

    def mark(self, name: str, iteration: int) -> Path:
        """Copy the suite of an iteration to ``.lift/<name>/`` (``first-sufficient``, ...).

        A crash leaves the old copy or the new one. Raises StorageError.
        """
        beside = self.root / f".{name}.tmp"
        with needed_for(f"{name} could not be stored", self.root / name):
            _gone(beside)
            shutil.copytree(self.folder / f"{iteration:03d}" / "tests", beside)
            _swap_in(beside, self.root / name)
        return self.root / name

    def suite_at(self, iteration: int, name: str = "tests") -> dict[str, str]:
        """path -> text of the suite (or of the one `besides`, empty if there is none); raises
        UsageError when that iteration was not stored, or something in it is no file any more: a
        suite is whole or none."""
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
        """Whether a suite `besides` was stored."""
        return (self.folder / f"{iteration:03d}" / name).is_dir()

    def test_root(self, iteration: int) -> str:
        """Relative to the project root; raises UsageError when the iteration was not stored."""
        folder = self.folder / f"{iteration:03d}"
        try:
            data = json.loads(untrusted.read(folder / "suite.json", LARGEST_PLAIN))
            return _folder_below(data["test_root"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise UsageError(
                f"iteration {iteration} of run {self.id} is not stored",
                where=str(folder),
                todo="name another run",
            ) from error

    def figures_at(self, iteration: int) -> dict[str, Any]:
        """What was stored as `figures`. Raises OSError, ValueError or TypeError."""
        return self._table(iteration, "figures.json")

    def standing_at(self, iteration: int) -> dict[str, Any]:
        """What was stored as `standing`. Raises OSError, ValueError or TypeError."""
        return self._table(iteration, STANDING)

    def expectations_at(self, iteration: int) -> str:
        """What was stored as `expectations`; empty if there is none that can be read."""
        try:
            data = untrusted.read(
                self.folder / f"{iteration:03d}" / EXPECTATIONS, LARGEST_EXPECTATIONS
            )
        except OSError:
            return ""
        return data.decode("utf-8", "replace")

    def _table(self, iteration: int, name: str) -> dict[str, Any]:
        text = untrusted.read(self.folder / f"{iteration:03d}" / name)
        try:
            return dict(json.loads(text))
        except RecursionError as error:
            raise ValueError("it is nested too deeply") from error

    def feedback_at(self, iteration: int) -> dict[str, str]:
        """Name -> text; empty if there is none."""
        return stored_texts(self.folder / f"{iteration:03d}" / "feedback", PurePosixPath("."))

    def _store_suite(self, folder: Path, suite: Suite, beside: Path, iteration: int) -> None:
        """Files that are stored already, in this iteration or the one before, are linked."""
        folder.mkdir()
        previous = self.folder / f"{iteration - 1:03d}"
        known = [top / name for top in (beside, previous) for name in SUITES]
        for path, text in suite.texts().items():
            inside = PurePosixPath(f"{path}{KEPT}").relative_to(suite.root)
            place, data = folder / inside, to_bytes(text)
            place.parent.mkdir(parents=True, exist_ok=True)
            if not any(_link_if_same(top / inside, place, data) for top in known):
                place.write_bytes(data)


def _folder_below(path: object) -> str:
    """`path` if it is a plain one below the project; raises ValueError."""
    pure = PurePosixPath(path) if isinstance(path, str) else PurePosixPath("/")
    odd = pure.is_absolute() or ".." in pure.parts or not pure.parts
    if odd or not str(path).isprintable() or any(len(part) > 60 for part in pure.parts):
        raise ValueError("test_root leads out of the project")
    return str(path)


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
    """What the run left, without secrets; never what a link names, nor more than is sensible."""

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
    """Put a finished folder in place; what stood there goes aside first, then away."""
    aside = target.with_name(f".{target.name}.old")
    _gone(aside)
    if os.path.lexists(target):
        target.rename(aside)
    beside.rename(target)
    sync(target.parent)
    _gone(aside)


def _gone(path: Path) -> None:
    """Remove what stands there, of whatever kind; what resists is left for the next time."""
    with contextlib.suppress(OSError):
        untrusted.remove(path)


def _sync_tree(top: Path) -> None:
    """What a later lift may need is on disk before it takes its name; reports are for reading, and
    files with another name are there already."""
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if name != REPORTS]
        for name in names:
            place = Path(folder) / name
            if place.lstat().st_nlink == 1:
                sync(place)
        sync(Path(folder))


def settle_swaps(root: Path) -> None:
    """Finish or undo swaps that a crash cut short; what is only half there goes."""
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


def stored_texts(folder: Path, root: PurePosixPath) -> dict[str, str]:
    """What is stored below `folder`, by path; what is no file is passed over."""
    return _stored(folder, root)[0]


def _stored(folder: Path, root: PurePosixPath) -> tuple[dict[str, str], tuple[str, ...]]:
    """The texts, and what could not be read; iterations share files by hard links."""
    texts: dict[str, str] = {}

    def keep(path: str, data: bytes) -> None:
        texts[(root / path.removesuffix(KEPT)).as_posix()] = from_bytes(data)

    everything = {"links": sys.maxsize, "most": sys.maxsize}
    return texts, untrusted.copy_folder(folder, lambda name: True, keep, **everything)


def rename_bare(root: Path) -> None:
    """Give what an earlier version stored in `root` (`.lift`) names that nothing collects.

    What cannot be renamed stays as it is: it is read under both names.
    """
    for top in ("history", "last-passing", "first-sufficient"):
        if not (root / top).is_symlink():
            for path in [*_bare(root / top)]:
                with contextlib.suppress(OSError):
                    os.rename(path, f"{path}{KEPT}")


def _bare(folder: Path) -> Iterator[str]:
    """Python files below `folder`, links not followed."""
    for here, _, names in os.walk(folder):
        yield from (os.path.join(here, name) for name in names if name.endswith(".py"))
