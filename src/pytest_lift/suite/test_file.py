"""One test file read by `ast`: which tests stand in it, where, what each claims, and its hash."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from pytest_lift.marks.fields import EMERGENT, TextSpan, docstring_of, without_fields
from pytest_lift.marks.marks import Mark, MarkReader
from pytest_lift.source import hashes
from pytest_lift.source.syntax import (
    FunctionNode,
    bare_leaf,
    collection_paused,
    digest,
    parse,
    split_lines,
    statements,
)
from pytest_lift.suite.collection import (
    DEFAULT_NAMING,
    Definition,
    Naming,
    definitions,
    inheritable,
)
from pytest_lift.suite.never_run import NeverRun, Stray, stray_links


@dataclass(frozen=True)
class TestFunction:
    """One test function or method as it is written (a parametrized one counts once)."""

    __test__ = False

    node: str
    """``tests/test_x.py::TestClass::test_f``, relative to the project root, without parameters."""
    line: int
    """First line, decorators included (1-based)."""
    end_line: int
    place: TextSpan
    """The name after `def`."""
    docstring: str
    marks: tuple[Mark, ...]
    """Marks, properties and fields: its own, those of its classes inside out, its module's."""
    never: str
    """Reason why it never runs; empty if the file gives none."""
    text: str = field(repr=False)
    """The whole file."""

    @property
    def name(self) -> str:
        return self.node.rpartition("::")[2]

    @property
    def inner_node(self) -> str:
        """Node id without the path: ``TestClass::test_f``."""
        return self.node.partition("::")[2]

    @cached_property
    def requirements(self) -> tuple[str, ...]:
        """Ids named by marks and fields of the function, its classes and the module."""
        linked = (mark.ids for mark in self.marks if mark.name != EMERGENT)
        return tuple({each.value: None for ids in linked for each in ids})

    @cached_property
    def emergent(self) -> str | None:
        """Reason why no requirement asks for it, as its closest mark or field says."""
        reasons = (mark.ids for mark in self.marks if mark.name == EMERGENT)
        return next((" ".join(reason.value for reason in ids) for ids in reasons), None)

    @cached_property
    def doc(self) -> str:
        """Its docstring without the fields: the intent of the test."""
        return without_fields(self.docstring)

    @property
    def source(self) -> str:
        """The test as written, decorators included, without the indentation of its class."""
        lines = self.lines
        first = lines[0].removeprefix("\ufeff")
        indent = first[: len(first) - len(first.lstrip())]
        return "".join(line.removeprefix(indent) for line in [first, *lines[1:]])

    @cached_property
    def digest(self) -> str:
        """Hash of the source as written, decorators included, dedented."""
        return digest("".join(self.lines))

    @property
    def meaning(self) -> str:
        """Hash that its owner is recorded with: formatting does not change it."""
        return hashes.of_functions(self.text).get(self.line, self.digest)

    def is_recorded_as(self, recorded: str | None) -> bool:
        """Whether a hash of the ownership file is that of the test, but for formatting."""
        return recorded is not None and (self.digest == recorded or self.meaning == recorded)

    @property
    def lines(self) -> list[str]:
        """Its lines as written, decorators included."""
        return _lines_of(self.text)[self.line - 1 : self.end_line]


@lru_cache(maxsize=16)
def _lines_of(text: str) -> list[str]:
    return split_lines(text)


class Unparsable(NamedTuple):
    """Reason why a file cannot be read."""

    what: str
    place: TextSpan | None = None
    """Place of the fault; None if no line is at fault."""


@dataclass(frozen=True)
class TestFile:
    """One Python file under the test root; all but `path` and `text` follows from these."""

    __test__ = False

    path: str
    """POSIX path relative to the project root."""
    text: str
    """The whole file; bytes that are no UTF-8 are kept as surrogates (see `to_bytes`)."""
    tests: tuple[TestFunction, ...] = field(default=(), compare=False)
    broken: Unparsable | None = field(default=None, compare=False)
    marks: Mapping[Mark, str] = field(default_factory=dict, compare=False)
    """Each mark that holds for a test -> what bears it: ``TestA::test_b``, ``TestA``, or nothing
    for the module."""
    mixins: tuple[TestFunction, ...] = field(default=(), compare=False)
    """Linked tests of classes that pytest does not collect: classes elsewhere may inherit them."""
    shadowed: tuple[TestFunction, ...] = field(default=(), compare=False)
    """Tests that are defined again: others of their names take their places."""
    strays: tuple[Stray, ...] = field(default=(), compare=False)
    bases: frozenset[str] = field(default=frozenset(), compare=False)
    """Names of the classes that its classes are derived from."""

    @property
    def error(self) -> str | None:
        """Reason why the file could not be parsed, with the line, or None."""
        if self.broken is None or self.broken.place is None:
            return self.broken and self.broken.what
        return f"{self.broken.what} (line {self.broken.place.line})"

    def node(self, inner: str) -> str:
        """Returns the node id of a test or a class of the file, or of the file itself."""
        return f"{self.path}::{inner}" if inner else self.path


@lru_cache(maxsize=2048)
@collection_paused()
def parse_test_file(path: str, text: str, naming: Naming = DEFAULT_NAMING) -> TestFile:
    """Returns the tests of one file with their links; never raises for what stands in it.

    Where a name is defined twice, the last definition is the test, as at run time. Tests that a
    class inherits are not listed. A file that pytest would not collect has no tests.
    """
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return TestFile(path, text, broken=_unparsable(error))
    collected, linked = naming.is_test_file(path), naming.links.may_occur_in(text)
    if not (collected or linked):
        return TestFile(path, text)
    lines = split_lines(text) if "\r" in text else text.split("\n")
    reader = MarkReader(tree, lines, naming.links) if linked else None
    own = [*definitions(tree, naming)] if collected else []
    mixins = [*inheritable(tree, naming, {found.name for found in own})] if reader else []
    never, marks, shadowed = NeverRun(tree), dict[Mark, str](), []
    tests: dict[bool, dict[str, TestFunction]] = {False: {}, True: {}}
    for found in (*own, *mixins):
        bearing = [*_marks(found, reader)] if reader else []
        if found.mixin and not any(bearer for _, bearer in bearing):
            continue
        for mark, bearer in bearing:
            marks.setdefault(mark, bearer)
        own_marks = tuple(mark for mark, _ in bearing)
        test = _test_function(path, text, lines, found, own_marks, never.why(found.nodes))
        if never.is_shadowed(found.nodes):
            shadowed.append(test)
        else:
            tests[found.mixin][found.name] = test
    known = {id(node) for found in own for node in found.nodes}
    methods = {id(found.function) for found in mixins}
    stray = stray_links(tree.body, reader, known, methods) if reader and collected else ()
    return TestFile(
        path,
        text,
        tuple(sorted(tests[False].values(), key=lambda test: test.line)),
        None,
        marks,
        tuple(tests[True].values()),
        tuple(shadowed),
        tuple(stray),
        _bases(tree),
    )


def _marks(found: Definition, reader: MarkReader) -> Iterator[tuple[Mark, str]]:
    """Yields the marks that hold for a test, and what bears each."""
    for mark in reader.of_function(found.function):
        yield mark, found.name
    for depth in range(len(found.classes), 0, -1):
        owner = "::".join(cls.name for cls in found.classes[:depth])
        for mark in reader.of_class(found.classes[depth - 1]):
            yield mark, owner
    for mark in reader.of_module:
        yield mark, ""


def _bases(tree: ast.Module) -> frozenset[str]:
    classes = (node for node in statements(tree.body) if isinstance(node, ast.ClassDef))
    return frozenset(name for node in classes for base in node.bases if (name := bare_leaf(base)))


def with_inherited(files: Iterable[TestFile], *, every: bool = False) -> tuple[TestFile, ...]:
    """Returns `files` with tests of mixins that a class in any, or `every` one, inherits."""
    read = tuple(files)
    used = frozenset().union(*(file.bases for file in read))
    return tuple(
        replace(file, tests=tuple(sorted((*file.tests, *more), key=lambda test: test.line)))
        if (more := [t for t in file.mixins if every or t.inner_node.partition("::")[0] in used])
        else file
        for file in read
    )


def _unparsable(error: BaseException) -> Unparsable:
    if not isinstance(error, SyntaxError):
        return Unparsable(f"{type(error).__name__}: {error}")
    line, column = max(error.lineno or 1, 1), max(error.offset or 1, 1)
    return Unparsable(f"{type(error).__name__}: {error.msg}", TextSpan(line, column, line, column))


def _test_function(
    path: str,
    text: str,
    lines: Sequence[str],
    found: Definition,
    marks: tuple[Mark, ...],
    never: str,
) -> TestFunction:
    node = found.function
    end = node.end_lineno or node.lineno
    docstring = docstring_of(node)
    doc = docstring.text if docstring else ""
    place = _name_place(node, lines)
    nodeid = f"{path}::{found.name}"
    return TestFunction(nodeid, found.first_line, end, place, doc, marks, never, text)


def _name_place(node: FunctionNode, lines: Sequence[str]) -> TextSpan:
    """Returns the span of the name after `def`; where that is not on the same line, of `def`."""
    line = lines[node.lineno - 1] if node.lineno <= len(lines) else ""
    at = line.find(node.name, node.col_offset) if line.isascii() else line.find(node.name)
    start = max(at, 0) + 1
    return TextSpan(node.lineno, start, node.lineno, start + len(node.name))
