"""One test file read by `ast`: which tests stand in it, where, what each claims, and its hash."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import lru_cache
from pathlib import PurePosixPath

from pytest_lift.marks.fields import EMERGENT, without_fields
from pytest_lift.marks.marks import (
    DEFAULT_LINK_NAMES,
    NO_LINK_NAMES,
    LinkNames,
    Mark,
    MarkReader,
)
from pytest_lift.source.garbage import collection_paused
from pytest_lift.source.syntax import (
    FunctionNode,
    digest,
    first_line,
    leaf,
    parse,
    split_lines,
    statements,
)

_FOREIGN_FOLDERS = {"__pycache__", "node_modules", "venv", "build", "dist", "site-packages"}
_UNCOLLECTED = {"__init__", "__new__"}


@dataclass(frozen=True)
class TestFunction:
    """One test function or method, found by `ast` (a parametrized one counts once)."""

    __test__ = False

    node: str
    """``tests/test_x.py::TestClass::test_f``, relative to the project root, without parameters."""
    name: str
    line: int
    """First line, decorators included (1-based)."""
    end_line: int
    doc: str
    """Its docstring without the fields: what it intends."""
    requirements: tuple[str, ...]
    """Ids named by marks and fields of the function, its classes and the module."""
    emergent: str | None
    digest: str
    """Hash of the source of the function as written, decorators included, dedented."""


@dataclass(frozen=True)
class TestFile:
    """One file under the test root."""

    __test__ = False

    path: str
    """POSIX path relative to the project root."""
    text: str
    """The whole file; bytes that are no UTF-8 are kept as surrogates (see `to_bytes`)."""
    tests: tuple[TestFunction, ...] = ()
    error: str | None = None
    """Why the file could not be parsed (``SyntaxError`` text with line), or None."""


@dataclass(frozen=True)
class Naming:
    """Names that a project gives its tests, for pytest, and the links to its requirements."""

    files: tuple[str, ...] = ("test_*.py", "*_test.py")
    functions: tuple[str, ...] = ("test",)
    classes: tuple[str, ...] = ("Test",)
    marks: str = ""
    """The ``-m`` of the ini file's addopts (``not slow``); empty: whatever the marks are."""
    links: LinkNames = DEFAULT_LINK_NAMES

    def is_test_file(self, path: str) -> bool:
        name = PurePosixPath(path).name
        return any(fnmatch(path if "/" in p else name, p.lstrip("/")) for p in self.files)

    def is_test_function(self, name: str) -> bool:
        return _matches(name, self.functions)

    def is_test_class(self, name: str) -> bool:
        return _matches(name, self.classes)


DEFAULT_NAMING = Naming()


def is_foreign(folder: str) -> bool:
    """Whether a folder of that name is hidden, built or an environment: where pytest does not look
    for tests either."""
    return folder.startswith(".") or folder in _FOREIGN_FOLDERS


@dataclass(frozen=True)
class Definition:
    """One test as `ast` sees it."""

    name: str
    """``TestClass::test_f``: the node without the path."""
    function: FunctionNode
    classes: tuple[ast.ClassDef, ...] = ()

    @property
    def first_line(self) -> int:
        return first_line(self.function)


@lru_cache(maxsize=2048)
@collection_paused()
def parse_test_file(path: str, text: str, naming: Naming = DEFAULT_NAMING) -> TestFile:
    """The tests of one file; an unparsable file has none and says why in `error`.

    Where a name is defined twice, the last definition is the test, as at run time. Tests that a
    class inherits are not listed. A file that pytest would not collect has no tests.
    """
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return TestFile(path, text, error=_describe(error))
    if not naming.is_test_file(path):
        return TestFile(path, text)
    lines = split_lines(text)
    reader = None if naming.links == NO_LINK_NAMES else MarkReader(tree, lines, naming.links)
    tests = {}
    for found in definitions(tree, naming):
        marks = reader.of_test(found.function, found.classes) if reader else ()
        tests[found.name] = _test_function(path, found, lines, marks)
    return TestFile(path, text, tuple(sorted(tests.values(), key=lambda test: test.line)))


def definitions(tree: ast.Module, naming: Naming) -> Iterator[Definition]:
    """Every test that pytest would collect, shadowed definitions included, in source order."""
    cases: set[str] = set()
    for node in statements(tree.body):
        if isinstance(node, FunctionNode):
            if naming.is_test_function(node.name) and not _is_fixture(node):
                yield Definition(node.name, node)
        elif isinstance(node, ast.ClassDef):
            if _is_test_case(node, cases):
                cases.add(node.name)
            yield from _methods(node, (), cases, naming)


@lru_cache(maxsize=2048)
def is_for_unittest(
    text: str, naming: Naming = DEFAULT_NAMING, others: frozenset[str] = frozenset()
) -> bool:
    """Whether all tests of a file are those of unittest's test cases, and it does without pytest:
    ``python -m unittest`` runs it where pytest is not installed.

    `others` are test cases of other files, from which its classes may be derived.
    """
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else _named(node))
    }
    cases, own = {*others}, False
    for node in statements(tree.body):
        if not isinstance(node, ast.ClassDef):
            continue
        cases.discard(node.name)
        if _is_test_case(node, cases):
            cases.add(node.name)
            methods = (n for n in statements(node.body) if isinstance(n, FunctionNode))
            own = own or any(_is_unittest_method(method.name) for method in methods)
    tests = definitions(tree, naming)
    inside = all(found.classes and found.classes[0].name in cases for found in tests)
    return own and inside and "pytest" not in imported


def case_classes(texts: Iterable[str]) -> frozenset[str]:
    """Names of the test cases of unittest's among the classes of these files, derived from each
    other or not; what a file cannot be parsed for is left out."""
    found: set[str] = set()
    classes = [one for text in texts for one in _classes(text)]
    while new := {name for name, bases in classes if _are_cases(bases, found)} - found:
        found |= new
    return frozenset(found)


@lru_cache(maxsize=2048)
def _classes(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """(name, names of its bases) of the classes of a file."""
    try:
        nodes = [n for n in statements(parse(text).body) if isinstance(n, ast.ClassDef)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple((node.name, frozenset(map(leaf, node.bases))) for node in nodes)


def _named(node: ast.Import) -> list[str]:
    return [alias.name for alias in node.names]


def inheritable(tree: ast.Module, naming: Naming) -> Iterator[Definition]:
    """Methods named like tests in classes that pytest does not collect: mixins, which classes of
    this or another file may inherit them from."""
    collected = {found.name for found in definitions(tree, naming)}
    classes = (node for node in statements(tree.body) if isinstance(node, ast.ClassDef))
    for node in classes:
        for stmt in statements(node.body):
            if isinstance(stmt, FunctionNode) and not _is_fixture(stmt):
                name = f"{node.name}::{stmt.name}"
                fits = naming.is_test_function(stmt.name) or _is_unittest_method(stmt.name)
                if fits and name not in collected:
                    yield Definition(name, stmt, (node,))


def _methods(
    node: ast.ClassDef, outer: tuple[ast.ClassDef, ...], cases: set[str], naming: Naming
) -> Iterator[Definition]:
    unittest = node.name in cases or _is_test_case(node, cases)
    if not unittest and not naming.is_test_class(node.name):
        return
    inside = list(statements(node.body))
    if any(_switched_off(stmt, unittest) for stmt in inside):
        return
    classes = (*outer, node)
    prefix = "::".join(cls.name for cls in classes)
    fits = _is_unittest_method if unittest else naming.is_test_function
    for stmt in inside:
        if isinstance(stmt, FunctionNode) and fits(stmt.name) and not _is_fixture(stmt):
            yield Definition(f"{prefix}::{stmt.name}", stmt, classes)
        elif isinstance(stmt, ast.ClassDef) and not unittest:
            yield from _methods(stmt, classes, cases, naming)


def _is_unittest_method(name: str) -> bool:
    return name.startswith("test")


def _is_test_case(node: ast.ClassDef, cases: set[str]) -> bool:
    return _are_cases({leaf(base) for base in node.bases}, cases)


def _are_cases(bases: Iterable[str], cases: Container[str]) -> bool:
    return any(base in cases or base.endswith("TestCase") for base in bases)


def _switched_off(node: ast.stmt, unittest: bool) -> bool:
    """pytest passes over plain classes with a constructor, and over ``__test__ = False``."""
    if isinstance(node, FunctionNode):
        return not unittest and node.name in _UNCOLLECTED
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Constant):
        return False
    names = [target.id for target in node.targets if isinstance(target, ast.Name)]
    return "__test__" in names and not node.value.value


def _is_fixture(node: FunctionNode) -> bool:
    return any(leaf(d) == "fixture" for d in node.decorator_list)


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    """A pattern is a prefix or, with wildcard signs, a glob, as in pytest."""
    return any(
        name.startswith(p) or (any(c in p for c in "*?[") and fnmatch(name, p)) for p in patterns
    )


def _describe(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg} (line {error.lineno})"
    return f"{type(error).__name__}: {error}"


def _test_function(
    path: str, found: Definition, lines: list[str], marks: Sequence[Mark]
) -> TestFunction:
    node, start = found.function, found.first_line
    end = node.end_lineno or node.lineno
    reasons = [mark.ids for mark in marks if mark.name == EMERGENT]
    linked = [mark.ids for mark in marks if mark.name != EMERGENT]
    return TestFunction(
        node=f"{path}::{found.name}",
        name=node.name,
        line=start,
        end_line=end,
        doc=without_fields(ast.get_docstring(node, clean=False) or ""),
        requirements=tuple(dict.fromkeys(found.value for ids in linked for found in ids)),
        emergent=next((" ".join(reason.value for reason in ids) for ids in reasons), None),
        digest=digest("".join(lines[start - 1 : end])),
    )
