"""Test files on disk -> which tests stand in each, and which marks and fields hold for each."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from glob import glob, has_magic
from pathlib import Path
from typing import NamedTuple

from pytest_lift.check.never_run import NeverRun, uncollected
from pytest_lift.errors import UsageError
from pytest_lift.marks.docstrings import TextSpan
from pytest_lift.marks.fields import EMERGENT, may_have_fields
from pytest_lift.marks.marks import Mark, MarkReader
from pytest_lift.project.static_config import StaticConfig
from pytest_lift.source.syntax import (
    digest,
    first_line,
    from_bytes,
    leaf,
    parse,
    split_lines,
    statements,
)
from pytest_lift.suite import hashes
from pytest_lift.suite.ownership import OWNERSHIP_FILE, Ownership, parse_ownership
from pytest_lift.suite.test_file import Definition, definitions, inheritable, is_foreign

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
    place: TextSpan
    """The name after `def`."""
    marks: tuple[int, ...]
    """Numbers of its marks among those of the file."""
    mixin: bool = False
    """It stands in a class that pytest does not collect: it is a test where it is inherited."""
    never: str = ""
    """Why it never runs; empty where nothing in the file says so."""


class Stray(NamedTuple):
    """A link on what is no test."""

    name: str
    """Of the function or class, with those around it."""
    what: str
    """What it is instead."""
    place: TextSpan
    """Of the mark."""
    base: str = ""
    """The class, where it would be tests of classes that are derived from it."""


class Unparsable(NamedTuple):
    """Why a file cannot be parsed, and where."""

    what: str
    place: TextSpan


@dataclass(frozen=True)
class LinkedFile:
    """One test file with the marks in it, each listed once."""

    path: str
    """POSIX, relative to the project root."""
    text: str = field(repr=False)
    tests: tuple[LinkedTest, ...] = ()
    marks: tuple[MarkOn, ...] = ()
    bases: frozenset[str] = frozenset()
    """Names of what its classes are derived from."""
    broken: Unparsable | None = None
    strays: tuple[Stray, ...] = ()
    shadowed: tuple[LinkedTest, ...] = ()
    """Tests that are defined again: others of their names take their places."""

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
        """The tool wrote it and nobody changed it since, but by formatting it."""
        recorded = ownership.tests.get(self.node(test.name))
        if recorded is None:
            return False
        return recorded in (digest(self.source(test)), self.meant(test))

    def meant(self, test: LinkedTest) -> str:
        """The hash that the owner of the test is known by."""
        known = hashes.of_functions(self.text).get(test.first_line)
        return known or digest(self.source(test))


def read_file(path: str, text: str, config: StaticConfig) -> LinkedFile:
    """The tests and marks of one file; never raises for what stands in it.

    Of a file that pytest does not collect only the marked tests of mixins count.
    """
    collected = config.naming.is_test_file(path)
    marked = "mark" in text and config.naming.links.may_occur_in(text)
    if not (collected or marked or may_have_fields(text)):
        return LinkedFile(path, text)
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return LinkedFile(path, text, broken=_broken(error) if collected else None)
    lines = split_lines(text) if "\r" in text else text.split("\n")
    names = config.naming.links
    reader = MarkReader(tree, lines, names) if names.may_occur_in(text) else None
    marks, tests = _Marks(), {}
    own = [*definitions(tree, config.naming)] if collected else []
    mixins = [*inheritable(tree, config.naming)] if reader else []
    linked = [found for found in mixins if reader and _is_marked(found, reader)]
    never, shadowed = NeverRun(tree), list[LinkedTest]()
    for found in (*own, *linked):
        node = found.function
        numbers = marks.of(reader, found.name, node, found.classes) if reader else ()
        start, end = first_line(node), node.end_lineno or node.lineno
        place, mixin = _name_place(node, lines), found in linked
        test = LinkedTest(found.name, start, end, place, numbers, mixin, never.why(found))
        if never.is_shadowed(found):
            shadowed.append(test)
        else:
            tests[found.name] = test
    strays = tuple(_strays(tree, reader, own, mixins)) if reader and collected else ()
    ordered = sorted(tests.values(), key=lambda test: test.first_line)
    return LinkedFile(
        path,
        text,
        tuple(ordered),
        tuple(marks.found),
        _bases(tree),
        strays=strays,
        shadowed=tuple(shadowed),
    )


def _strays(
    tree: ast.Module, reader: MarkReader, own: Iterable[Definition], mixins: Iterable[Definition]
) -> Iterator[Stray]:
    """Links that pytest never sees, on what it does not collect."""
    for node, what, base in uncollected(tree, own, mixins):
        if isinstance(node, ast.ClassDef):
            marks = reader.on_class(node)
        else:
            marks = reader.of_function(node)
        yield from (
            Stray(node.name, what, mark.place, base) for mark in marks if mark.ids and not mark.row
        )


def _bases(tree: ast.Module) -> frozenset[str]:
    classes = (node for node in statements(tree.body) if isinstance(node, ast.ClassDef))
    return frozenset(name for node in classes for base in node.bases if (name := leaf(base)))


def without_idle_mixins(files: Iterable[LinkedFile]) -> tuple[LinkedFile, ...]:
    """Tests of classes that nothing in `files` is derived from never run."""
    read = tuple(files)
    used = frozenset().union(*(file.bases for file in read))
    return tuple(
        replace(file, tests=tuple(test for test in file.tests if _runs(test, used)))
        if any(test.mixin for test in file.tests)
        else file
        for file in read
    )


def _runs(test: LinkedTest, used: frozenset[str]) -> bool:
    return not test.mixin or test.name.partition("::")[0] in used


def _is_marked(found: Definition, reader: MarkReader) -> bool:
    return bool(reader.of_function(found.function) or reader.of_class(found.classes[-1]))


def read_content(place: Path) -> str:
    """Raises OSError, also for what is too large to be meant as a test."""
    with place.open("rb") as stream:
        data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise OSError(0, "is too large for a test file")
    return from_bytes(data)


def test_paths(config: StaticConfig) -> list[str]:
    """All files below the tests, sorted: what pytest collects, and what that may import."""
    found: set[str] = set()
    for pattern in config.tests:
        tops = [pattern]
        if has_magic(pattern):
            tops = glob(pattern, root_dir=config.root, recursive=True)
        for top in tops:
            found.update(_below(config, config.root / top))
    return sorted(found)


def named_paths(config: StaticConfig, cwd: Path, names: Iterable[str]) -> list[str]:
    """Those of the files and folders `names` that are test files of the project, sorted.

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
    """What the ownership files of all folders of tests say together."""
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


class _Marks:
    """The marks of a file, each once, however many tests it holds for."""

    def __init__(self) -> None:
        self.found: list[MarkOn] = []
        self._numbers: dict[tuple[str, TextSpan, bool], int] = {}

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
            if name.endswith(".py"):
                yield path


def _name_place(node: ast.AST, lines: Sequence[str]) -> TextSpan:
    """Of the name after `def`; where that is not on the same line, of `def`."""
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    line = lines[node.lineno - 1] if node.lineno <= len(lines) else ""
    at = line.find(node.name, node.col_offset) if line.isascii() else line.find(node.name)
    start = max(at, 0) + 1
    return TextSpan(node.lineno, start, node.lineno, start + len(node.name))


def _broken(error: BaseException) -> Unparsable:
    if not isinstance(error, SyntaxError):
        return Unparsable(f"{type(error).__name__}: {error}", TextSpan(1, 1, 1, 1))
    line, column = max(error.lineno or 1, 1), max(error.offset or 1, 1)
    return Unparsable(f"{type(error).__name__}: {error.msg}", TextSpan(line, column, line, column))
