"""Folders on ``sys.path`` below which a module has another name than its path says."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from pytest_lift.source.bindings import is_import
from pytest_lift.source.program import Program, SourceFile


def session_folders(
    root: Path, entries: Iterable[str], program: Program, tests: str
) -> tuple[str, ...]:
    """Returns the `entries` of a session's ``sys.path`` that are folders of the project, POSIX,
    relative to it; without the project itself, its tests, import roots and environments."""
    top, found = root.resolve(), dict[str, None]()
    for entry in filter(None, entries):
        place = Path(os.path.realpath(entry))
        if place == top or not place.is_relative_to(top) or not place.is_dir():
            continue
        if "site-packages" in place.parts or place.is_relative_to(sys.prefix):
            continue
        folder = place.relative_to(top).as_posix()
        if folder not in program.import_roots and not f"{folder}/".startswith(f"{tests}/"):
            found[folder] = None
    return tuple(found)


def sibling_folders(program: Program) -> tuple[str, ...]:
    """Returns the folders that must be on the path since a module in them imports another one there
    as a top-level module, which nothing else has.

    A folder that would hide modules of the standard library is left out; a module that imports its
    own name, as an adapter of a library does, means a library that is not installed.
    """
    known = {*program.names, *sys.stdlib_module_names}
    found = dict[str, None]()
    for path, file in program.files.items():
        folder = PurePosixPath(path).parent.as_posix()
        if folder in (".", *program.search_path) or folder in found:
            continue
        beside = set(_modules_in(program, folder))
        wanted = beside & set(_imported(file)) - known - {PurePosixPath(path).stem}
        if any(not _is_installed(name) for name in wanted) and not beside & known:
            found[folder] = None
    return tuple(found)


def _modules_in(program: Program, folder: str) -> Iterator[str]:
    """Yields the names that modules and packages of a folder have if it is on the path."""
    for path in program.files:
        if path.startswith(f"{folder}/"):
            name, slash, rest = path.removeprefix(f"{folder}/").partition("/")
            if rest == "__init__.py" or (not slash and name not in ("__init__.py", "__main__.py")):
                yield name.removesuffix(".py")


def _imported(file: SourceFile) -> Iterator[str]:
    """Yields the top-level names that the statements of a module import unconditionally."""
    for node in filter(is_import, file.tree.body):
        yield from (found.top for found in file.import_bindings(node))


def _is_installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False
