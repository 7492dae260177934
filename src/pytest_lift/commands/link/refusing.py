"""Links that a person refused: kept beside the tests, in the file that says what a lift wrote."""

from __future__ import annotations

from collections.abc import Iterable
from glob import glob, has_magic
from pathlib import Path

from pytest_lift.commands.link.candidates import Candidate
from pytest_lift.errors import UsageError
from pytest_lift.files.atomic import place_file
from pytest_lift.project.static_config import StaticConfig
from pytest_lift.source.syntax import from_bytes, to_bytes
from pytest_lift.suite.ownership import OWNERSHIP_FILE, ownership_text, parse_ownership


def keep_refused(config: StaticConfig, refused: Iterable[Candidate]) -> tuple[str, ...]:
    """Note the keys of `refused`; the files where they stand now, relative to the project.

    Raises UsageError where a file cannot be understood or written.
    """
    by_place: dict[Path, set[str]] = {}
    for one in refused:
        by_place.setdefault(_place(config, one.file.path), set()).add(one.key)
    for place, keys in by_place.items():
        _add(place, keys)
    return tuple(place.relative_to(config.root).as_posix() for place in by_place)


def _place(config: StaticConfig, path: str) -> Path:
    """In the folder of tests that `path` is in, the innermost of several."""
    tops = [
        config.root / top
        for pattern in config.tests
        for top in (glob(pattern, root_dir=config.root) if has_magic(pattern) else [pattern])
    ]
    folders = [top if top.is_dir() else top.parent for top in tops]
    holding = [folder for folder in folders if (config.root / path).is_relative_to(folder)]
    return max(holding, key=lambda folder: len(folder.parts), default=config.root) / OWNERSHIP_FILE


def _add(place: Path, keys: Iterable[str]) -> None:
    try:
        text = from_bytes(place.read_bytes()) if place.exists() else ""
        said = parse_ownership(text)
        if said.problem is None:
            links = said.refused_links.union(keys)
            new = ownership_text(said.tests, said.files, said.refused, links)
            place_file(place, to_bytes(new or ""))
            return
        why, todo = f"the file {said.problem}", "put it right or delete it"
    except OSError as error:
        why, todo = f"{error.strerror}", "make it writable"
    raise UsageError(f"what was refused cannot be kept: {why}", where=str(place), todo=todo)
