"""The state of a project at a commit, or as it is: by reading, with nothing run."""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from collections import defaultdict
from pathlib import Path, PurePosixPath

from pytest_lift.check.reading import (
    LinkedFile,
    read_content,
    read_file,
    test_paths,
    without_idle_mixins,
)
from pytest_lift.compare.states import State, stated
from pytest_lift.errors import UsageError
from pytest_lift.loading import load
from pytest_lift.requirements import Requirements
from pytest_lift.static_config import StaticConfig, read_static_config

LONGEST = 300.0
"""Seconds that git may take."""


def state_at(project: Path, commit: str) -> State:
    """What tests and requirements said then. Raises UsageError."""
    number = _git(project, "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")
    if number is None:
        raise UsageError(
            f"{commit!r} is neither a run, nor a report, nor a commit",
            where=str(project),
            todo="name a run (pytest-lift restore --list), a report.json, or what git can resolve",
        )
    archive = _git(project, "archive", "--format=tar", number.decode("ascii").strip())
    if archive is None:
        raise UsageError(f"git cannot give the files of {commit}", where=str(project))
    with tempfile.TemporaryDirectory(prefix="pytest-lift-") as made:
        folder = Path(made).resolve()
        _unpack(archive, folder)
        return state_of_files(folder, commit)


def state_of_files(project: Path, label: str) -> State:
    """What tests and requirements of a folder say. Raises UsageError."""
    config = read_static_config(project)
    there = [path for path in config.requirements if path.exists()]
    requirements = load(there) if there else Requirements()
    files = without_idle_mixins(_read(config, path) for path in test_paths(config))
    links: dict[str, set[str]] = defaultdict(set)
    for file in files:
        for test in file.tests:
            for name in file.ids_of(test):
                links[name].add(file.node(test.name))
    return State(
        label,
        {item.id: stated(item, frozenset(links.get(item.id, ()))) for item in requirements},
        frozenset(file.node(test.name) for file in files for test in file.tests),
        frozenset(links.keys() - requirements.by_id.keys()) if there else frozenset(),
    )


def _read(config: StaticConfig, path: str) -> LinkedFile:
    try:
        return read_file(path, read_content(config.root / path), config)
    except OSError:
        return LinkedFile(path, "")


def _unpack(archive: bytes, folder: Path) -> None:
    """Regular files only: links of a repository may lead anywhere, and none is needed here."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        for member in packed:
            path = PurePosixPath(member.name)
            content = packed.extractfile(member) if member.isreg() else None
            if content is not None and ".." not in path.parts and not path.is_absolute():
                place = folder / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content.read())


def _git(project: Path, *arguments: str) -> bytes | None:
    """What git prints; None where it fails. Raises UsageError where there is none."""
    command = ["git", "-C", str(project), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, timeout=LONGEST, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(
            f"git cannot be run: {error}",
            where=str(project),
            todo="install git, or compare runs or reports",
        ) from error
    return done.stdout if done.returncode == 0 else None
