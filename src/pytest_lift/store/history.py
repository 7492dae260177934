"""`.lift/history`: lists the runs, and restores the tests as they were before one."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from pytest_lift.errors import LandingError, UsageError
from pytest_lift.files import untrusted
from pytest_lift.files.atomic import make_lift_folder
from pytest_lift.files.locks import lift_lock, require_own
from pytest_lift.project.option_values import read_static_config
from pytest_lift.source.syntax import from_bytes, to_bytes
from pytest_lift.store.archive import GONE, HistoryRun, rename_bare, settle_swaps
from pytest_lift.store.journal import content_hash
from pytest_lift.store.landing import land, land_settings, landed_hashes, recover
from pytest_lift.suite.suite import Suite, path_of, read_suite, suite_of

STANDARD_ROOT = "tests"
"""Test folder that needs no setting."""
KEPT_RUNS = 20
_RUN = re.compile(r"[0-9]{8}-[0-9]{6}(-[0-9]{3,9})?\Z")
"""Id of a run; folders with other names are not touched."""


@dataclass(frozen=True)
class History:
    """The folder `.lift/` of a project."""

    root: Path

    @classmethod
    def open(cls, project: Path, *, settle: bool = True) -> History:
        """Creates `.lift/` with its own `.gitignore` if needed. Raises UsageError if it cannot.

        `settle` repairs the folder after a crash; it requires the lock (`lift_lock`).
        """
        root = project / ".lift"
        try:
            make_lift_folder(root, root / "history")
        except OSError as error:
            raise _unkept(root, error) from error
        if settle:
            settle_swaps(root)
            rename_bare(root)
        return cls(root)

    def start_run(self, now: datetime | None = None, keep: int = KEPT_RUNS) -> HistoryRun:
        """Starts a new run and removes the oldest runs beyond `keep`. Ids sort by time. Raises
        UsageError."""
        wanted = (now or datetime.now()).strftime("%Y%m%d-%H%M%S")
        latest = max(self.runs(), default="")
        number = 1
        if wanted <= latest[:15]:
            wanted, number = latest[:15], int(latest[16:] or "1") + 1
        while True:
            name = wanted if number == 1 else f"{wanted}-{number:03d}"
            try:
                (self.root / "history" / name).mkdir()
                break
            except FileExistsError:
                number += 1
            except OSError as error:
                raise _unkept(self.root / "history", error) from error
        self._prune(keep)
        return HistoryRun(self.root, name)

    def _prune(self, keep: int) -> None:
        """Removes runs that stored nothing, then the oldest ones.

        Each folder is renamed first, so that a run is never half removed if this is interrupted.
        """
        *before, newest = self.runs()
        empty = [name for name in before if not any((self.root / "history" / name).iterdir())]
        stored = [name for name in (*before, newest) if name not in empty]
        for name in (*empty, *stored[:-keep]):
            folder = self.root / "history" / name
            gone = folder.with_name(f".{name}{GONE}")
            try:
                folder.rename(gone)
            except OSError:
                continue  # kept for longer than it has to be
            shutil.rmtree(gone, ignore_errors=True)

    def runs(self) -> tuple[str, ...]:
        """Returns the ids of the stored runs, oldest first."""
        found = (self.root / "history").iterdir()
        real = (p for p in found if p.is_dir() and not p.is_symlink())
        return tuple(sorted(p.name for p in real if _RUN.match(p.name)))

    def run_named(self, run_id: str) -> HistoryRun:
        """Returns the run `run_id`. Raises UsageError if there is no such run."""
        if run_id not in self.runs():
            known = ", ".join(self.runs()[-3:]) or "none"
            raise UsageError(
                f"there is no run {run_id!r}",
                where=str(self.root / "history"),
                todo=f"name one that is stored (the latest: {known})",
            )
        return HistoryRun(self.root, run_id)


def lifted_project() -> Path:
    """Returns the nearest folder upwards that has a `.lift` folder. Raises UsageError."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / ".lift").is_dir():
            return folder
    what = "no .lift folder here or above"
    raise UsageError(what, where=str(here), todo="name the project: --project DIR")


def _unkept(place: Path, error: OSError) -> UsageError:
    return UsageError(
        f"the history cannot be kept: {error.strerror}",
        where=str(place),
        todo="make the project's folder writable, or remove what has its place",
    )


@dataclass(frozen=True)
class Restored:
    """Result of `restore`."""

    run: str
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: Mapping[str, str] = field(default_factory=dict)
    """path -> reason why the file was not restored."""
    landed: bool = True
    """Whether this run or a later one changed the tests."""
    earlier: str = ""
    """If `landed` is false: the newest earlier run that changed the tests; empty if there is
    none."""

    def lines(self) -> tuple[str, ...]:
        """Returns a description of the result for users."""
        done = [f"wrote {path}" for path in self.written]
        done += [f"removed {path}" for path in self.removed]
        done += [f"kept {path}: {why}" for path, why in sorted(self.kept.items())]
        if self.kept:
            rest = f"the rest is as it was before run {self.run}; --force overwrites what stayed"
            return (*done, rest)
        if done:
            return (*done, f"the tests are as they were before run {self.run}")
        if self.landed:
            return (f"nothing to undo: the tests are already as they were before run {self.run}",)
        told = [f"nothing to undo: run {self.run} changed no test"]
        if self.earlier:
            told.append(f"the newest run that did: pytest-lift restore {self.earlier}")
        return tuple(told)


def restore(project: Path, run: str | None = None, *, force: bool = False) -> Restored:
    """Restores the suite as it was before `run` (default: the latest run).

    Changes of later runs are undone, too. Files that the user changed since then are left as they
    are and reported, unless `force` is set. Works after a crash. Raises UsageError if the run is
    unknown or a lift is running, and LandingError if a file cannot be written.
    """
    with alone(project):
        return _restore(History.open(project), project, run, force)


@contextmanager
def alone(project: Path) -> Iterator[None]:
    """Holds the lock of `project`: no lift, review or restore runs meanwhile. Raises UsageError,
    LandingError."""
    require_own(project)
    try:
        lock = lift_lock(project / ".lift")
    except OSError as error:
        raise LandingError(
            f"nothing can be changed: {error.strerror}",
            where=str(project / ".lift"),
            todo="make the folder writable, or remove what has its place",
        ) from error
    with lock:
        yield


def _restore(history: History, project: Path, run: str | None, force: bool) -> Restored:
    recover(project, history.root)
    chosen = chosen_run(history, run)
    settings = _restore_settings(history, project, chosen, force)
    stored = history.run_named(chosen)
    if not stored.iterations():
        return settings
    before, test_root = stored.suite_at(0), stored.test_root(0)
    now = read_suite(project, test_root)
    written = _written_since(history, chosen)
    kept = {
        path: "you changed it since"
        for path in {*before, *written}
        if path != now.ownership_path
        and not force
        and _is_users(now.texts().get(path), before.get(path), written.get(path, frozenset()))
    }
    target = _target(now, suite_of(test_root, before), kept, set(written))
    if target.texts() != now.texts():
        _require_tests(project, now, stored.folder)
    landed = land(project, history.root, now, target, "")
    return Restored(
        chosen,
        (*settings.written, *landed.written),
        (*settings.removed, *landed.deleted),
        {**settings.kept, **kept, **landed.kept},
        landed=bool(written),
        earlier=_earlier(history, chosen),
    )


def _require_tests(project: Path, now: Suite, run: Path) -> None:
    """Raises UsageError if the stored run is about a folder that is not the tests of this
    project: a history written by somebody else must not change other files."""
    if now.root == STANDARD_ROOT or (project / now.ownership_path).is_file():
        return
    if now.root not in read_static_config(project).tests:
        raise UsageError(
            f"it is about tests in {now.root}, where no lift has put any",
            where=str(run),
            todo="if that is the folder of your tests, name it: lift_tests in the ini file",
        )


def _restore_settings(history: History, project: Path, chosen: str, force: bool) -> Restored:
    """Restores pytest's configuration as it was before `chosen` and later runs changed it."""
    stored = (history.run_named(run).kept_settings() for run in history.runs() if run >= chosen)
    changes = [change for change in stored if change is not None]
    done = Restored(chosen)
    for name in dict.fromkeys(name for name, _, _ in changes):
        before = next(text for file, text, _ in changes if file == name)
        now = _text_of(project / name)
        if now == before:
            continue
        ours = {after for file, _, after in changes if file == name}
        why = "you changed it since" if now not in ours and not force else ""
        why = why or land_settings(project, history.root, name, now, before, "")
        if why:
            done = replace(done, kept={**done.kept, name: why})
        elif before is None:
            done = replace(done, removed=(*done.removed, name))
        else:
            done = replace(done, written=(*done.written, name))
    return done


def _text_of(place: Path) -> str | None:
    try:
        return from_bytes(untrusted.read(place, links=sys.maxsize))
    except OSError:
        return None


def chosen_run(history: History, run: str | None) -> str:
    """Returns the id of the named run, or of the newest run that stored anything. Raises
    UsageError."""
    if run is not None:
        return history.run_named(run).id
    runs = map(history.run_named, history.runs())
    stored = [one.id for one in runs if one.iterations() or one.kept_settings() is not None]
    if not stored:
        raise UsageError(
            "there is no run to undo",
            where=str(history.root),
            todo="nothing has to be done: the test root was not changed",
        )
    return stored[-1]


def _written_since(history: History, chosen: str) -> dict[str, frozenset[str | None]]:
    """Returns path -> hashes of all contents that `chosen` and later runs wrote there."""
    found: dict[str, frozenset[str | None]] = {}
    for run in history.runs():
        if run >= chosen:
            for path, hashes in landed_hashes(history.root, run).items():
                found[path] = found.get(path, frozenset()) | hashes
    return found


def _earlier(history: History, chosen: str) -> str:
    """Returns the newest run before `chosen` that changed the tests; empty if there is none."""
    before = (run for run in reversed(history.runs()) if run < chosen)
    return next((run for run in before if landed_hashes(history.root, run)), "")


def _is_users(now: str | None, before: str | None, written: frozenset[str | None]) -> bool:
    """Whether the file is neither as it was before the run nor as the tool wrote it."""
    if now == before:
        return False
    return (None if now is None else content_hash(to_bytes(now))) not in written


def _target(now: Suite, before: Suite, kept: Mapping[str, str], written: set[str]) -> Suite:
    """Returns `before` with the user's files: those in `kept`, and those that no run wrote."""
    own = {p for p in now.files if p in kept or (p not in before.files and p not in written)}
    files = {p: f for p, f in before.files.items() if p not in kept}
    files |= {path: now.files[path] for path in own}
    owned = {n: d for n, d in before.owned.items() if path_of(n) not in kept}
    owned |= {n: d for n, d in now.owned.items() if path_of(n) in own}
    whole = {p: d for p, d in before.owned_files.items() if p not in kept}
    whole |= {p: d for p, d in now.owned_files.items() if p in own}
    return replace(before, files=files, owned=owned, owned_files=whole)
