"""Which functions of a test file are tests: what pytest, or unittest, collects by its text."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import lru_cache

from pytest_lift.marks.marks import DEFAULT_LINK_NAMES, LinkNames
from pytest_lift.source.bindings import imports_in
from pytest_lift.source.syntax import (
    FunctionNode,
    bare_leaf,
    first_line,
    is_fixture,
    parse_readable,
    statements,
)

_FOREIGN_FOLDERS = {"__pycache__", "node_modules", "venv", "build", "dist", "site-packages"}
_UNCOLLECTED = {"__init__", "__new__"}


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
        name = path.rpartition("/")[2]
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
    mixin: bool = False
    """It stands in a class that pytest does not collect: it is a test where it is inherited."""

    @property
    def nodes(self) -> tuple[FunctionNode | ast.ClassDef, ...]:
        return (self.function, *self.classes)

    @property
    def first_line(self) -> int:
        return first_line(self.function)


def definitions(tree: ast.Module, naming: Naming) -> Iterator[Definition]:
    """Every test that pytest would collect, shadowed definitions included, in source order."""
    cases: set[str] = set()
    for node in statements(tree.body):
        if isinstance(node, FunctionNode):
            if naming.is_test_function(node.name) and not is_fixture(node):
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
    tree = parse_readable(text)
    imported = {found.top for found in imports_in(ast.walk(tree))}
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
    body = parse_readable(text).body
    nodes = [node for node in statements(body) if isinstance(node, ast.ClassDef)]
    return tuple((node.name, frozenset(map(bare_leaf, node.bases))) for node in nodes)


def inheritable(
    tree: ast.Module, naming: Naming, collected: Container[str]
) -> Iterator[Definition]:
    """Methods named like tests in classes that pytest does not collect: mixins, which classes of
    this or another file may inherit them from. The names of `collected` tests are left out."""
    classes = (node for node in statements(tree.body) if isinstance(node, ast.ClassDef))
    for node in classes:
        for stmt in statements(node.body):
            if isinstance(stmt, FunctionNode) and not is_fixture(stmt):
                name = f"{node.name}::{stmt.name}"
                fits = naming.is_test_function(stmt.name) or _is_unittest_method(stmt.name)
                if fits and name not in collected:
                    yield Definition(name, stmt, (node,), mixin=True)


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
        if isinstance(stmt, FunctionNode) and fits(stmt.name) and not is_fixture(stmt):
            yield Definition(f"{prefix}::{stmt.name}", stmt, classes)
        elif isinstance(stmt, ast.ClassDef) and not unittest:
            yield from _methods(stmt, classes, cases, naming)


def _is_unittest_method(name: str) -> bool:
    return name.startswith("test")


def _is_test_case(node: ast.ClassDef, cases: set[str]) -> bool:
    return _are_cases({bare_leaf(base) for base in node.bases}, cases)


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


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    """A pattern is a prefix or, with wildcard signs, a glob, as in pytest."""
    return any(
        name.startswith(p) or (any(c in p for c in "*?[") and fnmatch(name, p)) for p in patterns
    )
