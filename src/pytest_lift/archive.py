"""One run under `.lift/history/`: its iterations, stored whole or not at all."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pytest_lift.errors import UsageError
from pytest_lift.suite import Suite, from_bytes, to_bytes

LARGEST_PLAIN = 1024 * 1024
"""Reports above this size (bytes) are stored compressed."""

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
        return tuple(sorted(int(p.name) for p in self.folder.iterdir() if p.name.isdigit()))

    def archive(
        self,
        iteration: int,
        *,
        suite: Suite,
        reports: Path | None = None,
        feedback: Mapping[str, str] | None = None,
        figures: Mapping[str, object] | None = None,
        exclude: Collection[str] = (),
    ) -> Path:
        """Store one iteration, whole or not at all; the folder ``<NNN>``.

        `reports` is copied but for names in `exclude` and coverage's database; large files are
        compressed. What was stored under the same number is replaced. Raises OSError.
        """
        target = self.folder / f"{iteration:03d}"
        beside = self.folder / f".{target.name}.tmp"
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir()
        self._store_suite(beside / "tests", suite, self.folder / f"{iteration - 1:03d}" / "tests")
        if reports is not None and reports.is_dir():
            _copy_reports(reports, beside / "reports", _NEVER | set(exclude))
        for name, text in (feedback or {}).items():
            place = beside / "feedback" / PurePosixPath(name).name
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(to_bytes(text))
        _write_json(beside / "figures.json", figures or {})
        _write_json(beside / "suite.json", {"test_root": suite.root})
        _swap_in(beside, target)
        return target

    def mark(self, name: str, iteration: int) -> Path:
        """Copy the suite of an iteration to ``.lift/<name>/`` (``first-sufficient``, ...)."""
        beside = self.root / f".{name}.tmp"
        shutil.rmtree(beside, ignore_errors=True)
        shutil.copytree(self.folder / f"{iteration:03d}" / "tests", beside)
        _swap_in(beside, self.root / name)
        return self.root / name

    def suite_at(self, iteration: int) -> dict[str, str]:
        """path -> text of the suite; raises UsageError when that iteration was not stored."""
        folder = self.folder / f"{iteration:03d}"
        return stored_texts(folder / "tests", PurePosixPath(self.test_root(iteration)))

    def test_root(self, iteration: int) -> str:
        """Relative to the project root; raises UsageError when the iteration was not stored."""
        folder = self.folder / f"{iteration:03d}"
        try:
            return str(json.loads((folder / "suite.json").read_bytes())["test_root"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UsageError(
                f"iteration {iteration} of run {self.id} is not stored",
                where=str(folder),
                todo="name another run",
            ) from error

    def figures_at(self, iteration: int) -> dict[str, object]:
        """What was stored as `figures`."""
        data = json.loads((self.folder / f"{iteration:03d}" / "figures.json").read_bytes())
        return dict(data)

    def feedback_at(self, iteration: int) -> dict[str, str]:
        """Name -> text; empty if there is none."""
        return stored_texts(self.folder / f"{iteration:03d}" / "feedback", PurePosixPath("."))

    def _store_suite(self, folder: Path, suite: Suite, previous: Path) -> None:
        """Files that did not change since the iteration before are linked, not stored again."""
        folder.mkdir()
        for path, text in suite.texts().items():
            inside = PurePosixPath(path).relative_to(suite.root)
            place, data = folder / inside, to_bytes(text)
            place.parent.mkdir(parents=True, exist_ok=True)
            if not _link_if_same(previous / inside, place, data):
                place.write_bytes(data)


def _write_json(path: Path, data: Mapping[str, object]) -> None:
    text = json.dumps(dict(data), indent=1, sort_keys=True, default=str)
    path.write_text(text + "\n", encoding="utf-8")


def _link_if_same(known: Path, place: Path, data: bytes) -> bool:
    try:
        if known.stat().st_size == len(data) and known.read_bytes() == data:
            os.link(known, place)
            return True
    except OSError:
        return False
    return False


def _copy_reports(source: Path, target: Path, exclude: Collection[str]) -> None:
    for folder, folders, names in os.walk(source):
        folders[:] = [f for f in folders if f not in exclude]
        place = target / Path(folder).relative_to(source)
        place.mkdir(parents=True, exist_ok=True)
        for name in names:
            file = Path(folder) / name
            if name in exclude or not file.is_file():
                continue
            if file.stat().st_size > LARGEST_PLAIN and file.suffix != ".gz":
                with file.open("rb") as plain, gzip.open(place / f"{name}.gz", "wb", 3) as packed:
                    shutil.copyfileobj(plain, packed)
            else:
                shutil.copyfile(file, place / name)


def _swap_in(beside: Path, target: Path) -> None:
    """Put a finished folder in place; what stood there goes aside first, then away."""
    aside = target.with_name(f".{target.name}.old")
    shutil.rmtree(aside, ignore_errors=True)
    if target.exists():
        target.rename(aside)
    beside.rename(target)
    shutil.rmtree(aside, ignore_errors=True)


def settle_swaps(root: Path) -> None:
    """Finish or undo swaps that a crash cut short."""
    for folder in (root, *(p for p in (root / "history").iterdir() if p.is_dir())):
        for aside in folder.glob(".*.old"):
            target = aside.with_name(aside.name[1:-4])
            if target.exists():
                shutil.rmtree(aside, ignore_errors=True)
            else:
                aside.rename(target)
        for beside in folder.glob(".*.tmp"):
            shutil.rmtree(beside, ignore_errors=True)


def stored_texts(folder: Path, root: PurePosixPath) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        (root / path.relative_to(folder).as_posix()).as_posix(): from_bytes(path.read_bytes())
        for path in files
    }
