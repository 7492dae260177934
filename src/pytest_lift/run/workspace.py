"""The private copy of the project outside the user's tree, kept in step by content.

Inside the jail the copy is read-only, and a compiled file that a test could leave would be run
instead of its source later on. Without any, every run would compile every file again.
"""

from __future__ import annotations

import importlib.util
import io
import os
import py_compile
import shutil
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import IO, BinaryIO

import pytest

from pytest_lift.files.disk import Fingerprint, Mark, mark_of
from pytest_lift.files.locks import try_lock
from pytest_lift.project.project_files import (
    MAX_BYTES,
    MAX_FILES,
    FileToCopy,
    ProjectFiles,
    project_files,
)
from pytest_lift.source.syntax import to_bytes
from pytest_lift.suite.collection import Naming
from pytest_lift.suite.suite import Suite, is_suite_path

PREFIX, ALIVE = "pytest-lift-", "alive"
"""How the folders of workspaces begin, and the file in them that says whose process lives."""

_RACY_NS = 100_000_000
"""A file changed within this time before it was looked at may change again unseen."""

_CHUNK = 1024 * 1024


class Workspace:
    """A copy of a project in which candidates are run; the project itself is only read."""

    def __init__(self, project: Path, base: Path, listed: Callable[[], ProjectFiles]) -> None:
        self.project = project
        self.root = base / (project.resolve().name or "project")
        """The copy; its last component is the name of the project's folder."""
        self.scratch = base / "scratch"
        """For the temporary files and the home of children."""
        self.warnings: tuple[str, ...] = ()
        """What could not be copied, from the last `sync`."""
        self._base = base
        self._listed = listed
        self._suite: Suite | None = None
        self.uncompiled: set[str] = set()
        """Python files that were written since this was last emptied."""
        self._seen: dict[str, tuple[FileToCopy, Mark]] = {}
        self._copied: dict[str, FileToCopy] = {}

    @classmethod
    @contextmanager
    def create(
        cls,
        project_root: Path,
        program_paths: tuple[str, ...] = (),
        *,
        tests: str | None = None,
        allow_read: tuple[Path, ...] = (),
        max_bytes: int = MAX_BYTES,
        max_files: int = MAX_FILES,
    ) -> Iterator[Workspace]:
        """Yields a workspace, in step with the project, and removes it at the end.

        Workspaces of killed processes are removed by the next one. Files that look like secrets
        stay out, except those below `tests` (relative to the project) and those of `allow_read`.
        Raises UsageError when the project is too large to copy.
        """
        _sweep(Path(tempfile.gettempdir()))
        base = Path(os.path.realpath(tempfile.mkdtemp(prefix=PREFIX)))
        alive = _alive(base)
        try:
            listed = partial(
                project_files,
                Path(project_root),
                tuple(program_paths),
                apart=base,
                tests=tests,
                allow_read=allow_read,
                max_bytes=max_bytes,
                max_files=max_files,
            )
            made = cls(Path(project_root), base, listed)
            made.root.mkdir()
            made.scratch.mkdir()
            made.sync()
            yield made
        finally:
            alive.close()
            _remove_tree(base)

    def sync(self) -> tuple[str, ...]:
        """Brings the copy up to date with the project; returns the changed paths, sorted.

        Files that vanished from the project are deleted, and files that were changed in the copy
        are restored. The suite's own files are left to `write_suite` once it was called.
        """
        listing = self._listed()
        entries = {p: e for p, e in listing.entries.items() if not self._is_suites(p)}
        gone = [p for p in self._copied if p not in entries and not self._is_suites(p)]
        changed = [path for path in gone if self._delete(path)]
        self._copied = entries
        for path, entry in entries.items():
            try:
                if self._bring(entry):
                    changed.append(path)
            except OSError as error:
                listing.warnings.append(f"{path} is left out: {error.strerror or error}")
        self.warnings = tuple(listing.warnings)
        return tuple(sorted(changed))

    def write_suite(self, suite: Suite) -> None:
        """Makes the Python files under the test root exactly those of `suite`."""
        self._suite = suite
        texts = suite.texts()
        for path in self._suite_files(suite.root):
            if path not in texts:
                self._delete(path)
        for path, text in texts.items():
            self._write(path, io.BytesIO(to_bytes(text)), 0o644)

    @contextmanager
    def guarded(self, apart: Collection[Path] = ()) -> Iterator[list[str]]:
        """Undoes every change to the copy at the end of the block; the list then names the files of
        the project and the suite whose content or rights were changed.

        Files below `apart` may be written.
        """
        touched: list[str] = []
        before = Fingerprint.of(self.root, apart)
        try:
            yield touched
        finally:
            after = Fingerprint.of(self.root, apart)
            for path in before.appeared(after):
                _clear(self.root / path)
            touched += [p for p in before.changed(after) if self._put_back(p)]

    @contextmanager
    def replaced(self, texts: Mapping[str, str]) -> Iterator[None]:
        """Replaces files of the copy (path -> text) during the block.

        The old content is put back, not what the project has by then: `sync` has to notice that.
        Raises OSError for a path that is not a file.
        """
        places = {path: self.root / path for path in texts}
        before = {p: (at.read_bytes(), at.lstat().st_mode & 0o777) for p, at in places.items()}
        links = {path: os.readlink(at) for path, at in places.items() if at.is_symlink()}
        try:
            for path, text in texts.items():
                self._write(path, io.BytesIO(to_bytes(text)), before[path][1])
            yield
        finally:
            for path, (data, mode) in before.items():
                if path in links:
                    self._link(path, links[path])
                else:
                    self._write(path, io.BytesIO(data), mode)

    def _put_back(self, path: str) -> bool:
        """Restores a file; returns whether it was another one."""
        if self._suite is not None and path in (texts := self._suite.texts()):
            return self._write(path, io.BytesIO(to_bytes(texts[path])), 0o644)
        entry = self._copied.get(path)
        if entry is None:
            _clear(self.root / path)  # a compiled file
            return False
        self._seen.pop(path, None)
        try:
            return self._bring(entry)
        except OSError:
            return False  # gone from the project as well

    def _is_suites(self, path: str) -> bool:
        return self._suite is not None and is_suite_path(self._suite.root, path)

    def _suite_files(self, test_root: str) -> list[str]:
        found = []
        for folder, folders, names in os.walk(self.root / test_root):
            here = Path(folder).relative_to(self.root)
            links = [f for f in folders if (Path(folder) / f).is_symlink()]
            paths = [(here / name).as_posix() for name in [*names, *links]]
            found += [path for path in paths if is_suite_path(test_root, path)]
        return found

    def _bring(self, entry: FileToCopy) -> bool:
        """Copies one file unless the copy has it already; returns whether something changed."""
        target = self.root / entry.path
        if self._seen.get(entry.path) == (entry, _mark(target)):
            return False
        if entry.link is not None:
            changed = self._link(entry.path, entry.link)
        else:
            with (self.project / entry.path).open("rb") as source:
                changed = self._write(entry.path, source, entry.mode)
        mark = _mark(target)
        if time.time_ns() - max(entry.ctime_ns, entry.mtime_ns, *mark[1:3]) > _RACY_NS:
            self._seen[entry.path] = (entry, mark)
        return changed

    def _link(self, path: str, text: str) -> bool:
        target = self._place(path)
        if target.is_symlink() and os.readlink(target) == text:
            return False
        _clear(target)
        target.symlink_to(text)
        return True

    def _write(self, path: str, source: BinaryIO, mode: int) -> bool:
        """Writes a file, never through a link, which a child may have put there."""
        target = self._place(path)
        mode = (mode | 0o600) & 0o777
        if _holds(target, source, mode):
            return False
        _clear(target)
        source.seek(0)
        with target.open("xb") as file:
            shutil.copyfileobj(source, file)
        target.chmod(mode)
        if target.suffix == ".py":
            _forget_bytecode(target)
            self.uncompiled.add(path)
        return True

    def _delete(self, path: str) -> bool:
        target = self._place(path)
        if not os.path.lexists(target):
            return False
        _clear(target)
        _forget_bytecode(target)
        self.uncompiled.discard(path)
        self._remove_empty_folders(target)
        return True

    def _remove_empty_folders(self, target: Path) -> None:
        """Removes empty folders, which would still be importable as packages."""
        for folder in target.parents:
            if folder == self.root or {entry.name for entry in folder.iterdir()} - {"__pycache__"}:
                return
            _remove_tree(folder)

    def _place(self, path: str) -> Path:
        """Returns the path in the copy, each folder on the way a real one and writable."""
        folder = self._base
        for part in (self.root.name, *Path(path).parts[:-1]):
            folder = folder / part
            if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
                folder.unlink()
            if not folder.exists():
                folder.mkdir()
            elif not os.access(folder, os.W_OK | os.X_OK):
                folder.chmod(0o755)
        return self.root / path


def _alive(base: Path) -> IO[bytes]:
    """Returns a file in `base` that stays locked as long as the process lives."""
    place = base / f"{ALIVE}.new"
    file = place.open("ab")
    if try_lock(file):
        place.rename(base / ALIVE)  # never to be seen unlocked
    return file


def _sweep(temporary: Path) -> None:
    """Removes the workspaces of processes that are no more; whatever else is there stays."""
    if sys.platform == "win32":
        return  # no locks there that would tell who lives
    for base in temporary.glob(f"{PREFIX}*"):
        try:
            if base.is_symlink() or base.stat().st_uid != os.getuid():
                continue
            with (base / ALIVE).open("rb") as file:
                dead = try_lock(file)
        except OSError:
            continue
        if dead:
            _remove_tree(base)


def _mark(path: Path) -> Mark:
    try:
        found = path.lstat()
    except OSError:
        return ()
    return mark_of(found)


def _holds(target: Path, source: BinaryIO, mode: int) -> bool:
    """Whether there is a regular file with this content and these rights."""
    try:
        found = target.lstat()
    except OSError:
        return False
    if not stat.S_ISREG(found.st_mode) or stat.S_IMODE(found.st_mode) != mode:
        return False
    with target.open("rb") as file:
        while True:
            ours, theirs = file.read(_CHUNK), source.read(_CHUNK)
            if ours != theirs or not ours:
                return ours == theirs


def _clear(target: Path) -> None:
    if target.is_dir() and not target.is_symlink():
        _remove_tree(target)
    elif os.path.lexists(target):
        target.unlink()


def _forget_bytecode(target: Path) -> None:
    """Deletes the compiled file: Python trusts it by second and size, which a quick rewrite can
    keep."""
    if target.suffix == ".py":
        for compiled in (target.parent / "__pycache__").glob(f"{target.stem}.*.pyc"):
            compiled.unlink(missing_ok=True)


def _remove_tree(top: Path) -> None:
    """Removes a folder with whatever rights its content has; what resists is left behind."""
    shutil.rmtree(top, ignore_errors=True)
    if top.exists():
        for folder in _folders(top):
            try:
                folder.chmod(0o700)
            except OSError:
                continue
        shutil.rmtree(top, ignore_errors=True)


def _folders(top: Path) -> Iterator[Path]:
    """Yields each folder before it is looked into; links are no folders."""
    yield top
    for folder, folders, _ in os.walk(top):
        inner = (Path(folder) / name for name in folders)
        yield from (path for path in inner if not path.is_symlink())


class Compiler:
    """Compiles what was not compiled yet, as the runs' own interpreter and pytest would."""

    def __init__(self, config: pytest.Config, naming: Naming) -> None:
        self._config = config
        self.naming = naming

    def compile(self, root: Path, paths: Iterable[str]) -> None:
        """Compiles the Python files `paths` below `root`; those that cannot be are left alone."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the run itself will say them
            for path in paths:
                self._compile(root, path)

    def _compile(self, root: Path, path: str) -> None:
        source = root / path
        try:
            source.with_name("__pycache__").mkdir(exist_ok=True)
            if self.naming.is_test_file(path) or source.name == "conftest.py":
                _rewrite(source, self._config)
            else:
                py_compile.compile(str(source), doraise=True)
        except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
            return  # a run will tell what is wrong with it
        except (py_compile.PyCompileError, ImportError, AttributeError, TypeError):
            return  # another pytest works differently inside: its runs are slower, no more


def _rewrite(source: Path, config: pytest.Config) -> None:
    """Compiles a file with pytest's assertion rewriting, without importing anything of `source`."""
    from _pytest.assertion import rewrite

    place = Path(importlib.util.cache_from_source(str(source)))
    compiled = place.with_name(source.stem + rewrite.PYC_TAIL)
    if not compiled.exists():
        stamp, code = rewrite._rewrite_test(source, config)
        rewrite._write_pyc(SimpleNamespace(trace=lambda text: None), code, stamp, compiled)  # type: ignore[arg-type]
