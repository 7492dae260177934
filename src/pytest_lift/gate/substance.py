"""Whether a test asserts something and touches the program, by what it uses of its own file."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cached_property

from pytest_lift.gate.checks import checks
from pytest_lift.gate.names_meant import leaf, texts, used_names
from pytest_lift.testfile import Definition, FunctionNode, Naming, definitions, statements

_REACHING = frozenset(
    {"subprocess", "runpy", "importlib", "multiprocessing", "concurrent", "pkgutil", "doctest"}
    | {"codecs", "pickle", "copyreg", "socket", "http", "urllib", "ctypes"}
)
"""Modules of the standard library by which a test can get at a program without naming it."""
_FRAMEWORKS = frozenset({"pytest", "unittest", "hypothesis", "_pytest"})
_REACHING_NAMES = frozenset({"__import__", "exec", "eval", "globals", "system", "popen", "modules"})
_IDLE_FIXTURES = frozenset(
    {"tmp_path", "tmp_path_factory", "tmpdir", "tmpdir_factory", "monkeypatch", "recwarn"}
    | {"capsys", "capfd", "capsysbinary", "capfdbinary", "caplog", "record_property", "subtests"}
)
"""pytest's own fixtures that bring nothing of the program."""
_PLAIN_BASES = frozenset({"object", "TestCase", "IsolatedAsyncioTestCase"})
_XUNIT = frozenset({"setUp", "setUpClass", "setUpModule", "asyncSetUp"})


class Substance:
    """One file of tests, as a whole: which test of it says something about the program."""

    def __init__(self, tree: ast.Module, naming: Naming, names: tuple[str, ...]) -> None:
        self.tree = tree
        self.tests = {found.name: found for found in definitions(tree, naming)}
        self.names = names
        """Top-level names of the program; without any, every test touches it."""

    def faults(self, name: str) -> Iterator[str]:
        """What is wrong with the test `name` (``TestClass::test_f``)."""
        found = self.tests[name]
        if not self._asserts(found):
            yield "asserts nothing that can fail"
        elif self.names and not self._touches(found):
            yield f"does not touch the program ({', '.join(self.names)}): call it and assert on it"

    @cached_property
    def _functions(self) -> dict[str, list[FunctionNode]]:
        """Functions of the file by name, those of its classes included."""
        found: dict[str, list[FunctionNode]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, FunctionNode):
                found.setdefault(node.name, []).append(node)
        return found

    @cached_property
    def _bound(self) -> dict[str, list[ast.stmt]]:
        """Names of the module -> the statements that bind them."""
        found: dict[str, list[ast.stmt]] = {}
        for node in statements(self.tree.body):
            for name in _binds(node):
                found.setdefault(name, []).append(node)
        return found

    def _asserts(self, found: Definition) -> bool:
        return any(self._checking(found.function, {found.function.name})) or self._hands_on(found)

    def _hands_on(self, found: Definition) -> bool:
        """Whether a function of another test module, or a method from elsewhere, may check."""
        bases = {leaf(base) for cls in found.classes for base in cls.bases}
        for call in ast.walk(found.function):
            match call:
                case (
                    ast.Call(func=ast.Name(id=name))
                    | ast.Call(func=ast.Attribute(value=ast.Name(id=name)))
                ) if any(self._is_support(node) for node in self._bound.get(name, ())):
                    return True
                case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                    if bases - _PLAIN_BASES and name not in self._functions:
                        return True
        return False

    def _is_support(self, node: ast.stmt) -> bool:
        """An import of what is neither the program nor known not to check."""
        if isinstance(node, ast.ImportFrom) and node.level:
            return True
        known = {*self.names, *sys.stdlib_module_names, *_FRAMEWORKS}
        return isinstance(node, ast.Import | ast.ImportFrom) and not _tops(node) <= known

    def _checking(self, function: FunctionNode, seen: set[str]) -> Iterator[bool]:
        """True for each check of the function's and of those that it uses."""
        for check in checks(function):
            name = leaf(check.node.func) if isinstance(check.node, ast.Call) else ""
            if name not in self._functions:
                yield True
        for name in sorted(used_names(function) & self._functions.keys() - seen):
            seen.add(name)
            for inner in self._functions[name]:
                yield from self._checking(inner, seen)

    def _touches(self, found: Definition) -> bool:
        everything = self._bound.get("*", ())
        pending: list[ast.AST] = [found.function, *self._around(found), *everything]
        seen: set[str] = set()
        while pending:
            node = pending.pop()
            if self._is_import_of_it(node) or self._speaks_of_it(node):
                return True
            names = used_names(node) - seen
            seen |= names
            for name in names:
                pending += self._bound.get(name, ())
                pending += self._functions.get(name, ())
            asked = node is found.function or (isinstance(node, FunctionNode) and _is_fixture(node))
            if asked and isinstance(node, FunctionNode) and any(self._from_elsewhere(node)):
                return True
        return False

    def _around(self, found: Definition) -> Iterator[ast.AST]:
        """What acts on a test unasked: its classes without their tests, and autouse fixtures."""
        tests = {id(test.function) for test in self.tests.values()}
        for cls in found.classes:
            yield from (*cls.bases, *cls.decorator_list)
            yield from (node for node in cls.body if id(node) not in tests)
        for functions in self._functions.values():
            for node in functions:
                told = " ".join(map(ast.unparse, node.decorator_list))
                if "autouse" in told or node.name in _XUNIT or node.name.startswith("setup_"):
                    yield node

    def _is_import_of_it(self, node: ast.AST) -> bool:
        """Or of what may hold it: only the standard library and test frameworks do not."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.ImportFrom) and inner.level:
                return True
            idle = (sys.stdlib_module_names - _REACHING) | _FRAMEWORKS
            if not isinstance(inner, ast.Import | ast.ImportFrom):
                continue
            if not _tops(inner) <= idle - set(self.names):
                return True
        return False

    def _speaks_of_it(self, node: ast.AST) -> bool:
        """Texts that name the program, and names by which anything can be reached."""
        doc = node.body[0] if isinstance(node, FunctionNode) else None
        skipped = {id(doc.value)} if isinstance(doc, ast.Expr) else set()
        for decorator in node.decorator_list if isinstance(node, FunctionNode) else ():
            if leaf(getattr(decorator, "func", decorator)) in ("req", "emergent"):
                skipped |= {id(inner) for inner in ast.walk(decorator)}
        word = re.compile(rf"\b(?:{'|'.join(map(re.escape, self.names))})\b")
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name | ast.Attribute) and leaf(inner) in _REACHING_NAMES:
                return True
            said = (
                texts([inner]) if isinstance(inner, ast.expr) and id(inner) not in skipped else ()
            )
            if any(word.search(text) for text in said):
                return True
        return False

    def _from_elsewhere(self, function: FunctionNode) -> Iterator[bool]:
        """Fixtures of a conftest or a plugin: what they give is not to be seen here."""
        told = {n.value for d in function.decorator_list for n in ast.walk(d)
                if isinstance(n, ast.Constant) and isinstance(n.value, str)}  # fmt: skip
        rows = {word.strip() for text in told for word in text.split(",")}
        for argument in (*function.args.args, *function.args.kwonlyargs):
            known = argument.arg in rows | _IDLE_FIXTURES | self._functions.keys()
            yield not known and argument.arg not in ("self", "cls")


def _tops(node: ast.Import | ast.ImportFrom) -> set[str]:
    """Top-level names of the modules that an import is from."""
    if isinstance(node, ast.ImportFrom):
        return {(node.module or "").partition(".")[0]}
    return {alias.name.partition(".")[0] for alias in node.names}


def _is_fixture(node: FunctionNode) -> bool:
    return any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list)


def _binds(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, FunctionNode | ast.ClassDef):
        yield node.name
    else:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                yield inner.id
