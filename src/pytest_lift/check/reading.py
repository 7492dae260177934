"""Reads test files for the check, and keeps what was read as rows of the cache."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from glob import glob, has_magic
from pathlib import Path
from typing import Any

from pytest_lift.errors import UsageError
from pytest_lift.marks.fields import TextSpan, may_have_fields
from pytest_lift.marks.marks import Fault, Id, Mark
from pytest_lift.project.option_values import StaticConfig
from pytest_lift.source.syntax import from_bytes
from pytest_lift.suite.collection import Naming, is_foreign
from pytest_lift.suite.never_run import Stray
from pytest_lift.suite.ownership import OWNERSHIP_FILE, Ownership, parse_ownership
from pytest_lift.suite.test_file import TestFile, TestFunction, Unparsable, parse_test_file

LARGEST_FILE = 64 * 1024 * 1024


ODD = (ValueError, TypeError, KeyError, IndexError, AttributeError)
"""Raised here for a row of another shape; it is as if it were not there."""


def read_text(path: str, text: str, naming: Naming) -> TestFile:
    """Returns one file as `parse_test_file` reads it; never raises for its content.

    Files that pytest does not collect matter only for the linked tests of their mixins.
    """
    collected = naming.is_test_file(path)
    marked = "mark" in text and naming.links.may_occur_in(text)
    if not (collected or marked or may_have_fields(text)):
        return TestFile(path, text)
    file = parse_test_file(path, text, naming)
    return file if collected or not file.broken else TestFile(path, text)


TextReader = Callable[[str, str, Naming], TestFile]


def read_file(config: StaticConfig, path: str, read: TextReader = read_text) -> TestFile:
    """Returns one file on disk; one that cannot be read is `broken`."""
    try:
        text = read_content(config.root / path)
    except OSError as error:
        return TestFile(path, "", broken=Unparsable(f"cannot be read: {error.strerror or error}"))
    return read(path, text, config.naming)


def read_content(place: Path) -> str:
    """Raises OSError, also for what is too large to be meant as a test."""
    with place.open("rb") as stream:
        data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise OSError(0, "is too large for a test file")
    return from_bytes(data)


def test_paths(config: StaticConfig) -> list[str]:
    """Returns all files below the tests, sorted: what pytest collects, and what that may import."""
    found: set[str] = set()
    for pattern in config.tests:
        tops = [pattern]
        if has_magic(pattern):
            tops = glob(pattern, root_dir=config.root, recursive=True)
        for top in tops:
            found.update(_below(config, config.root / top))
    return sorted(found)


def named_paths(config: StaticConfig, cwd: Path, names: Iterable[str]) -> list[str]:
    """Returns those of the files and folders `names` that are test files of the project, sorted.

    Raises `UsageError` for a name of nothing, and of what is outside of the project.
    """
    found: set[str] = set()
    for name in names:
        full = Path(os.path.normpath(cwd / name))
        if not os.path.exists(full):
            todo = "name test files or folders that are there"
            raise UsageError("there is no such file", where=name, todo=todo)
        if not full.is_relative_to(config.root):
            full = full.resolve()
        if not full.is_relative_to(config.root):
            todo = "name files of the project, or start in the other one"
            what = f"it is outside of the project {config.root}"
            raise UsageError(what, where=name, todo=todo)
        found.update(path for path in _below(config, full) if config.is_test_path(path))
    return sorted(found)


def read_ownership(config: StaticConfig) -> Ownership:
    """Returns the ownership files of all folders of tests, merged."""
    tests: dict[str, str] = {}
    files: dict[str, str] = {}
    refused_links: frozenset[str] = frozenset()
    for place in ownership_files(config):
        try:
            said = parse_ownership(from_bytes(place.read_bytes()))
        except OSError as error:
            what = f"cannot be read: {error.strerror}"
            raise UsageError(what, where=str(place), todo="check its permissions") from None
        tests.update(said.tests)
        files.update(said.files)
        refused_links |= said.refused_links
    return Ownership(tests, files, refused_links=refused_links)


def ownership_files(config: StaticConfig) -> list[Path]:
    found = []
    for pattern in config.tests:
        wild = has_magic(pattern)
        for top in glob(pattern, root_dir=config.root, recursive=True) if wild else [pattern]:
            place = config.root / top / OWNERSHIP_FILE
            if place.is_file():
                found.append(place)
    return found


def _below(config: StaticConfig, top: Path) -> Iterator[str]:
    """Yields the test files in a folder, or the file itself; not what is built or hidden."""
    if top.is_file():
        folders: Iterable[tuple[str, list[str], list[str]]] = [(str(top.parent), [], [top.name])]
    else:
        folders = os.walk(top)
    root = os.path.join(config.root, "")
    for folder, inner, names in folders:
        inner[:] = [name for name in inner if not is_foreign(name)]
        for name in names:
            path = os.path.join(folder, name)[len(root) :].replace(os.sep, "/")
            if name.endswith(".py"):
                yield path


def row_of_file(file: TestFile) -> list[Any]:
    """Returns the row of a file that can be parsed."""
    numbers = {mark: number for number, mark in enumerate(file.marks)}
    tests, mixins, shadowed = (
        [
            [
                *(t.inner_node, t.line, t.end_line, t.place, t.docstring, t.never),
                *(numbers[mark] for mark in t.marks),
            ]
            for t in group
        ]
        for group in (file.tests, file.mixins, file.shadowed)
    )
    return [tests, [*file.marks.items()], mixins, shadowed, file.strays, sorted(file.bases)]


def file_of_row(path: str, text: str, row: Sequence[Any]) -> TestFile:
    """Raises one of `ODD`."""
    tests, marks, mixins, shadowed, strays, bases = row
    known = [(_mark_of_row(*mark), owner) for mark, owner in marks]
    found = [mark for mark, _ in known]

    def test(
        name: str, line: int, end: int, place: Any, doc: str, never: str, *of: int
    ) -> TestFunction:
        held = tuple([found[number] for number in of])
        return TestFunction(f"{path}::{name}", line, end, TextSpan(*place), doc, held, never, text)

    file = TestFile(
        path,
        text,
        tuple([test(*each) for each in tests]),
        marks=dict(known),
        mixins=tuple([test(*each) for each in mixins]),
        shadowed=tuple([test(*each) for each in shadowed]),
        strays=tuple([Stray(name, what, TextSpan(*at), base) for name, what, at, base in strays]),
        bases=frozenset(bases),
    )
    _require_sense(file)
    return file


def _mark_of_row(name: str, place: Any, ids: Any, faults: Any, *more: Any) -> Mark:
    known = tuple([Id(value, TextSpan(*where)) for value, where in ids])
    wrong = tuple([Fault(what, TextSpan(*where)) for what, where in faults])
    return Mark(name, TextSpan(*place), known, wrong, *more)


def _require_sense(file: TestFile) -> None:
    """Raises for rows of another version, or planted ones: before rules stumble over them."""
    tests = (*file.tests, *file.mixins, *file.shadowed)
    texts = [text for test in tests for text in (test.docstring, test.never)]
    texts += [text for stray in file.strays for text in (stray.name, stray.what, stray.base)]
    texts += [each.value for mark in file.marks for each in mark.ids]
    places = [each.place for group in (tests, file.strays, file.marks) for each in group]
    lines = [line for test in tests for line in (test.line, test.end_line)]
    lines += [line for place in places for line in place]
    if not {*map(type, texts)} <= {str} or not {*map(type, lines)} <= {int}:
        raise TypeError("a row holds what it cannot")
