"""Reads the state of a project at a commit or in the working tree, without running anything."""

from __future__ import annotations

import os
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from pytest_lift.check.reading import read_file, test_paths
from pytest_lift.commands.diff.states import ComparedState, stated
from pytest_lift.errors import UsageError
from pytest_lift.files.git import Git, complaint
from pytest_lift.project.ini_files import find_ini_file
from pytest_lift.project.option_values import StaticConfig, read_static_config
from pytest_lift.requirements.reader import load
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.suite.test_file import with_inherited

_NAMES = ("pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg")
_SUFFIXES = (".py", ".toml", ".yml", ".yaml", ".md", ".markdown", ".csv", ".tsv", ".json")
_REGULAR = ("100644", "100755")
"""Git modes of regular files; symbolic links are left out, because they may lead anywhere."""


@dataclass(frozen=True)
class _Checkout:
    """Relevant files of a commit in a private folder that stands for the root of the disk.

    A path that leaves the repository stays in this folder and can be reported.
    """

    disk: Path
    top: Path
    """Root of the real repository."""
    project: Path
    """Folder of the real project."""

    def place(self, real: Path) -> Path:
        return self.disk / real.relative_to(real.anchor)

    def requirements(self, path: Path) -> Path:
        """Returns the place of a requirement file. Raises UsageError if it is outside of the
        repository."""
        inside = path.is_relative_to(self.disk)
        real = Path(self.top.anchor) / path.relative_to(self.disk) if inside else path
        if real.is_relative_to(self.top):
            return self.place(real)
        raise UsageError(
            f"{real} is outside the repository {self.top}: its content at that commit is unknown",
            where="lift_requirements",
            todo="keep the requirements in the repository, or compare runs or reports",
        )


def is_commit(project: Path, name: str) -> bool:
    """Whether git can resolve `name` to a commit."""
    try:
        _commit(_git(project), project, name)
    except UsageError:
        return False
    return True


def state_at(project: Path, name: str) -> ComparedState:
    """Returns the tests and requirements at a commit. Raises UsageError."""
    git = _git(project)
    commit = _commit(git, project, name)
    inner = os.fsdecode(git.told("rev-parse", "--show-prefix")).rstrip("\n").rstrip("/")
    top = project.parents[inner.count("/")] if inner else project
    with tempfile.TemporaryDirectory(prefix="pytest-lift-") as made:
        checkout = _Checkout(Path(made).resolve(), top, project)
        _unpack(git, commit, checkout.place(top))
        try:
            return _state(_config(checkout), name)
        except UsageError as error:
            raise _told_of(checkout, error, name) from None


def state_of_files(project: Path, label: str) -> ComparedState:
    """Returns the tests and requirements in a folder. Raises UsageError."""
    return _state(read_static_config(project), label)


def _git(project: Path) -> Git:
    return Git(project, str(project), "compare runs or reports")


def _commit(git: Git, project: Path, name: str) -> str:
    """Returns the hash of the commit `name`. Raises UsageError."""
    asked = f"{name}^{{commit}}"
    done = git("rev-parse", "--verify", "--quiet", "--end-of-options", asked)
    if done.returncode == 0:
        return done.stdout.decode("ascii").split()[-1]
    said = f"; git says: {complaint(done)}" if done.stderr.strip() else ""
    raise UsageError(
        f"{name!r} is neither a run, nor a report, nor a commit{said}",
        where=str(project),
        todo="name a run (pytest-lift restore --list), a report.json, or what git can resolve",
    )


def _told_of(checkout: _Checkout, error: UsageError, name: str) -> UsageError:
    """Returns the error about a file of the commit, without the path of the private folder."""
    what, where = (text.replace(str(checkout.disk), "") for text in (error.what, error.where))
    return UsageError(what, where=f"{name}: {where}", todo=error.todo)


def _config(checkout: _Checkout) -> StaticConfig:
    """Returns the settings at the commit. An empty file ends the search for settings, so that
    none outside are found."""
    folder = checkout.place(checkout.project)
    folder.mkdir(parents=True, exist_ok=True)
    (checkout.disk / "pytest.ini").touch()
    if not find_ini_file(folder)[0].is_relative_to(checkout.place(checkout.top)):
        (folder / "pytest.ini").touch()
    config = read_static_config(folder)
    return replace(config, requirements=tuple(map(checkout.requirements, config.requirements)))


def _state(config: StaticConfig, label: str) -> ComparedState:
    there = [path for path in config.requirements if path.exists()]
    requirements = load(there) if there else Requirements()
    files = with_inherited(read_file(config, path) for path in test_paths(config))
    links: dict[str, set[str]] = defaultdict(set)
    for file in files:
        for test in file.tests:
            for name in test.requirements:
                links[name].add(test.node)
    return ComparedState(
        label,
        {item.id: stated(item, frozenset(links.get(item.id, ()))) for item in requirements},
        frozenset(test.node for file in files for test in file.tests),
        frozenset(links.keys() - requirements.by_id.keys()) if there else frozenset(),
    )


def _unpack(git: Git, commit: str, folder: Path) -> None:
    """Writes the files as they were committed; attributes such as `export-ignore` are ignored."""
    files: Mapping[str, bytes] = git.contents(_listed(git, commit))
    try:
        for path, content in files.items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("xb") as stream:
                stream.write(content)
    except OSError as error:
        what = f"{path} of {commit[:12]} cannot be stored temporarily: {error.strerror}"
        todo = "make the folder for temporary files writable, or compare runs or reports"
        raise UsageError(what, where=str(folder), todo=todo) from None


def _listed(git: Git, commit: str) -> Iterator[tuple[str, str]]:
    for entry in git.told("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0"):
        head, _, raw = entry.partition(b"\t")
        path = PurePosixPath(name := os.fsdecode(raw))
        matters = path.suffix.lower() in _SUFFIXES or path.name in _NAMES
        inside = ".." not in path.parts and not path.is_absolute()
        if matters and inside and head.decode("ascii").split(" ")[0] in _REGULAR:
            yield name, head.decode("ascii").split(" ")[2]
