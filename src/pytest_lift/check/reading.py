"""Test files on disk -> which tests stand in each, and which marks hold for each."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from glob import glob, has_magic
from pathlib import Path
from typing import NamedTuple

from pytest_lift.errors import UsageError
from pytest_lift.marks import EMERGENT, Mark, MarkReader, Place
from pytest_lift.ownership import OWNERSHIP_FILE, Ownership, parse_ownership
from pytest_lift.static_config import StaticConfig, is_foreign
from pytest_lift.testfile import definitions, digest, first_line, from_bytes, parse, split_lines

LARGEST_FILE = 64 * 1024 * 1024


class MarkOn(NamedTuple):
    """A mark, and what bears it: ``TestA::test_b``, ``TestA``, or nothing for the module."""

    mark: Mark
    owner: str


class LinkedTest(NamedTuple):
    """One test as it is written."""

    name: str
    """``TestClass::test_f``: the node without the path."""
    first_line: int
    """Decorators included."""
    end_line: int
    place: Place
    """The name after `def`."""
    marks: tuple[int, ...]
    """Numbers of its marks among those of the file."""


class Broken(NamedTuple):
    """Why a file cannot be parsed, and where."""

    what: str
    place: Place


@dataclass(frozen=True)
class LinkedFile:
    """One test file with the marks in it, each listed once."""

    path: str
    """POSIX, relative to the project root."""
    text: str = field(repr=False)
    tests: tuple[LinkedTest, ...] = ()
    marks: tuple[MarkOn, ...] = ()
    broken: Broken | None = None

    def node(self, owner: str) -> str:
        return f"{self.path}::{owner}" if owner else self.path

    def marks_of(self, test: LinkedTest) -> list[Mark]:
        return [self.marks[number].mark for number in test.marks]

    def ids_of(self, test: LinkedTest) -> dict[str, None]:
        """The requirements that the test names, in order."""
        found = (mark.ids for mark in self.marks_of(test) if mark.name != EMERGENT)
        return {each.value: None for ids in found for each in ids}

    def source(self, test: LinkedTest) -> str:
        return "".join(split_lines(self.text)[test.first_line - 1 : test.end_line])

    def is_owned(self, test: LinkedTest, ownership: Ownership) -> bool:
        """The tool wrote it and nobody changed it since."""
        recorded = ownership.tests.get(self.node(test.name))
        return recorded is not None and recorded == digest(self.source(test))


def read_file(path: str, text: str, config: StaticConfig) -> LinkedFile:
    """The tests and marks of one file; never raises for what stands in it."""
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return LinkedFile(path, text, broken=_broken(error))
    lines = split_lines(text) if "\r" in text else text.split("\n")
    names = config.link_names
    reader = MarkReader(tree, lines, names) if names.may_occur_in(text) else None
    marks, tests = _Marks(), {}
    for found in definitions(tree, config.naming):
        node = found.function
        numbers = marks.of(reader, found.name, node, found.classes) if reader else ()
        start, end = first_line(node), node.end_lineno or node.lineno
        tests[found.name] = LinkedTest(found.name, start, end, _name_place(node, lines), numbers)
    ordered = sorted(tests.values(), key=lambda test: test.first_line)
    return LinkedFile(path, text, tuple(ordered), tuple(marks.found))


def read_content(place: Path) -> str:
    """Raises OSError, also for what is too large to be meant as a test."""
    with place.open("rb") as stream:
        data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise OSError(0, "is too large for a test file")
    return from_bytes(data)


def test_paths(config: StaticConfig) -> list[str]:
    """All test files of the project, sorted."""
    found: set[str] = set()
    for pattern in config.tests:
        tops = [pattern]
        if has_magic(pattern):
            tops = glob(pattern, root_dir=config.root, recursive=True)
        for top in tops:
            found.update(_below(config, config.root / top))
    return sorted(found)


def named_paths(config: StaticConfig, cwd: Path, names: Iterable[str]) -> list[str]:
    """Those of the files and folders `names` that are test files of the project, sorted."""
    found: set[str] = set()
    for name in names:
        full = Path(os.path.normpath(cwd / name))
        if full.is_relative_to(config.root):
            found.update(path for path in _below(config, full) if config.is_test_path(path))
    return sorted(found)


def read_ownership(config: StaticConfig) -> Ownership:
    """What the ownership files of all folders of tests say together."""
    tests: dict[str, str] = {}
    files: dict[str, str] = {}
    for place in ownership_files(config):
        try:
            said = parse_ownership(from_bytes(place.read_bytes()))
        except OSError as error:
            what = f"cannot be read: {error.strerror}"
            raise UsageError(what, where=str(place), todo="check its permissions") from None
        tests.update(said.tests)
        files.update(said.files)
    return Ownership(tests, files)


def ownership_files(config: StaticConfig) -> list[Path]:
    found = []
    for pattern in config.tests:
        wild = has_magic(pattern)
        for top in glob(pattern, root_dir=config.root, recursive=True) if wild else [pattern]:
            place = config.root / top / OWNERSHIP_FILE
            if place.is_file():
                found.append(place)
    return found


class _Marks:
    """The marks of a file, each once, however many tests it holds for."""

    def __init__(self) -> None:
        self.found: list[MarkOn] = []
        self._numbers: dict[tuple[str, Place, bool], int] = {}

    def of(
        self, reader: MarkReader, name: str, node: ast.AST, classes: Sequence[ast.ClassDef]
    ) -> tuple[int, ...]:
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        numbers = [self._number(mark, name) for mark in reader.of_function(node)]
        for depth in range(len(classes), 0, -1):
            owner = "::".join(cls.name for cls in classes[:depth])
            numbers += [self._number(mark, owner) for mark in reader.of_class(classes[depth - 1])]
        return (*numbers, *(self._number(mark, "") for mark in reader.of_module))

    def _number(self, mark: Mark, owner: str) -> int:
        key = (mark.name, mark.place, mark.row)
        number = self._numbers.setdefault(key, len(self.found))
        if number == len(self.found):
            self.found.append(MarkOn(mark, owner))
        return number


def _below(config: StaticConfig, top: Path) -> Iterator[str]:
    """The test files in a folder, or the file itself; what is built or hidden is left out."""
    if top.is_file():
        folders: Iterable[tuple[str, list[str], list[str]]] = [(str(top.parent), [], [top.name])]
    else:
        folders = os.walk(top)
    root = os.path.join(config.root, "")
    for folder, inner, names in folders:
        inner[:] = [name for name in inner if not is_foreign(name)]
        for name in names:
            path = os.path.join(folder, name)[len(root) :].replace(os.sep, "/")
            if name.endswith(".py") and config.naming.is_test_file(path):
                yield path


def _name_place(node: ast.AST, lines: Sequence[str]) -> Place:
    """Of the name after `def`; where that is not on the same line, of `def`."""
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    line = lines[node.lineno - 1] if node.lineno <= len(lines) else ""
    at = line.find(node.name, node.col_offset) if line.isascii() else line.find(node.name)
    start = max(at, 0) + 1
    return Place(node.lineno, start, node.lineno, start + len(node.name))


def _broken(error: BaseException) -> Broken:
    if not isinstance(error, SyntaxError):
        return Broken(f"{type(error).__name__}: {error}", Place(1, 1, 1, 1))
    line, column = max(error.lineno or 1, 1), max(error.offset or 1, 1)
    return Broken(f"{type(error).__name__}: {error.msg}", Place(line, column, line, column))
