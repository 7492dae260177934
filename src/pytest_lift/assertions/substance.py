"""Whether a test asserts what can fail and touches the program, as far as its text tells."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from textwrap import dedent

from pytest_lift.assertions.checks import Check, cannot_fail, checks, live_blocks, reachable
from pytest_lift.source.bindings import bound_names, imports_in, used_names
from pytest_lift.source.syntax import FunctionNode, chain, column_names, leaf, statements, texts
from pytest_lift.suite.collection import Definition, Naming, definitions

_REACHING = frozenset(
    {"subprocess", "runpy", "importlib", "multiprocessing", "concurrent", "pkgutil", "doctest"}
    | {"codecs", "pickle", "copyreg", "socket", "http", "urllib", "ctypes"}
)
"""Modules of the standard library by which a test can get at a program without naming it."""
_FRAMEWORKS = frozenset({"pytest", "unittest", "hypothesis", "_pytest"})
_REACHING_NAMES = frozenset({"__import__", "exec", "eval", "globals", "system", "popen", "modules"})
IDLE_FIXTURES = frozenset(
    {"tmp_path", "tmp_path_factory", "tmpdir", "tmpdir_factory", "monkeypatch", "recwarn"}
    | {"capsys", "capfd", "capsysbinary", "capfdbinary", "caplog", "record_property", "subtests"}
)
"""pytest's own fixtures that bring nothing of the program."""
_PLAIN_BASES = frozenset({"object", "TestCase", "IsolatedAsyncioTestCase"})
_XUNIT = frozenset({"setUp", "setUpClass", "setUpModule", "asyncSetUp"})
_TWO_WORDS = re.compile(r"[^\W\d_]{2,} [^\W\d_]{2,}")


def tells_an_error(words: str) -> bool:
    """Whether what the message of an exception has to match tells it from any other: two words of
    letters, one after the other, do."""
    return _TWO_WORDS.search(words) is not None


class Substance:
    """One file of tests, as a whole: which test of it says something about the program."""

    def __init__(self, tree: ast.Module, naming: Naming, names: tuple[str, ...]) -> None:
        self.tree = tree
        self.tests = {found.name: found for found in definitions(tree, naming)}
        self.names = names
        """Top-level names of the program; without any, every test touches it."""
        self._used: dict[int, frozenset[str]] = {}
        self._said: dict[int, bool] = {}
        self._checked: dict[int, tuple[Check, ...]] = {}
        self._classes: dict[int, list[ast.stmt]] = {}
        """Facts about nodes of the tree, by `id`: tests share their helpers."""
        word = "|".join(map(re.escape, names))
        self._word = re.compile(rf"\b(?:{word})\b")
        self._idle = (sys.stdlib_module_names - _REACHING | _FRAMEWORKS) - set(names)

    def faults(self, name: str) -> Iterator[str]:
        """Faults of the test `name` (``TestClass::test_f``)."""
        found = self.tests[name]
        if not self._asserts(found):
            yield "asserts nothing that can fail"
        elif self.names and not self._touches(found):
            yield f"does not touch the program ({', '.join(self.names)}): call it and assert on it"

    def touches(self, name: str) -> bool:
        """Whether the test `name` is about the program."""
        return self._touches(self.tests[name])

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
            for name in bound_names(node):
                found.setdefault(name, []).append(node)
        return found

    def _asserts(self, found: Definition) -> bool:
        return any(self._checking(found.function, {found.function.name})) or self._hands_on(found)

    def _hands_on(self, found: Definition) -> bool:
        """Whether a function of another test module, or a method from elsewhere, may check."""
        bases = {leaf(base) for cls in found.classes for base in cls.bases}
        for call in ast.walk(found.function):
            match call:
                case ast.Call(func=ast.Name() | ast.Attribute() as function) if any(
                    self._is_support(node)
                    for name in chain(function)[:1]
                    for node in self._bound.get(name, ())
                ):
                    return True
                case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                    if bases - _PLAIN_BASES and name not in self._functions:
                        return True
        return False

    def _is_support(self, node: ast.stmt) -> bool:
        """Whether an import is of test support: neither the program nor a module known not to
        check."""
        known = {*self.names, *sys.stdlib_module_names, *_FRAMEWORKS}
        return any(found.top not in known for found in imports_in([node]))

    def _checking(self, function: FunctionNode, seen: set[str]) -> Iterator[bool]:
        """Yields True for each check of the function and of the functions that it uses."""
        if id(function) not in self._checked:
            self._checked[id(function)] = tuple(checks(function))
        for check in self._checked[id(function)]:
            name = leaf(check.node.func) if isinstance(check.node, ast.Call) else ""
            if name not in self._functions:
                yield True
        for name in sorted(self._names_in(function) & self._functions.keys() - seen):
            seen.add(name)
            for inner in self._functions[name]:
                yield from self._checking(inner, seen)

    def _touches(self, found: Definition) -> bool:
        return self._unasked_touches or self._reaches([found.function, *self._around(found)])

    @cached_property
    def _unasked_touches(self) -> bool:
        """Whether code that acts on every test of the file touches the program."""
        return self._reaches([*self._unasked(), *self._bound.get("*", ())], asked=False)

    def _names_in(self, node: ast.AST) -> frozenset[str]:
        if id(node) not in self._used:
            self._used[id(node)] = frozenset(used_names(node))
        return self._used[id(node)]

    def _shows_it(self, node: ast.AST) -> bool:
        if id(node) not in self._said:
            self._said[id(node)] = self._is_import_of_it(node) or self._speaks_of_it(node)
        return self._said[id(node)]

    def _reaches(self, begin: Sequence[ast.AST], *, asked: bool = True) -> bool:
        """Whether what stands in `begin`, or in what it uses, is about the program; the first is a
        test where it was `asked`, and what its fixtures from elsewhere give is not to be seen."""
        first = begin[0] if begin and asked else None
        pending = [*begin]
        seen: set[str] = set()
        while pending:
            node = pending.pop()
            if self._shows_it(node):
                return True
            names = self._names_in(node) - seen
            seen |= names
            for name in names:
                pending += self._bound.get(name, ())
                pending += self._functions.get(name, ())
            if (
                isinstance(node, FunctionNode)
                and (node is first or _is_fixture(node))
                and any(self._from_elsewhere(node))
            ):
                return True
        return False

    def _around(self, found: Definition) -> Iterator[ast.AST]:
        """Yields the classes of a test, without their tests."""
        for cls in found.classes:
            yield from (*cls.bases, *cls.decorator_list)
            yield from self._besides(cls)

    @cached_property
    def _tests(self) -> frozenset[int]:
        return frozenset(id(test.function) for test in self.tests.values())

    def _besides(self, cls: ast.ClassDef) -> list[ast.stmt]:
        """Returns statements of a class of tests apart from these."""
        if id(cls) not in self._classes:
            self._classes[id(cls)] = [node for node in cls.body if id(node) not in self._tests]
        return self._classes[id(cls)]

    def _unasked(self) -> Iterator[ast.AST]:
        """Yields code that acts on every test of the file: autouse fixtures, and methods that set
        up."""
        for functions in self._functions.values():
            for node in functions:
                told = " ".join(map(ast.unparse, node.decorator_list))
                if "autouse" in told or node.name in _XUNIT or node.name.startswith("setup_"):
                    yield node

    def _is_import_of_it(self, node: ast.AST) -> bool:
        """Whether an import is of the program or of a module that may contain it; only the standard
        library and test frameworks do not."""
        return any(found.top not in self._idle for found in imports_in(ast.walk(node)))

    def _speaks_of_it(self, node: ast.AST) -> bool:
        """Texts that name the program, and names by which anything can be reached."""
        doc = node.body[0] if isinstance(node, FunctionNode) else None
        skipped = {id(doc.value)} if isinstance(doc, ast.Expr) else set()
        for decorator in node.decorator_list if isinstance(node, FunctionNode) else ():
            if leaf(getattr(decorator, "func", decorator)) in ("req", "emergent"):
                skipped |= {id(inner) for inner in ast.walk(decorator)}
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name | ast.Attribute) and leaf(inner) in _REACHING_NAMES:
                return True
            said = (
                texts([inner]) if isinstance(inner, ast.expr) and id(inner) not in skipped else ()
            )
            if any(self._word.search(text) for text in said):
                return True
        return False

    def _from_elsewhere(self, function: FunctionNode) -> Iterator[bool]:
        """Fixtures of a conftest or a plugin: what they give is not to be seen here."""
        rows = {*column_names(function.decorator_list)}
        for argument in (*function.args.args, *function.args.kwonlyargs):
            known = argument.arg in rows | IDLE_FIXTURES | self._functions.keys()
            yield not known and argument.arg not in ("self", "cls")


def _is_fixture(node: FunctionNode) -> bool:
    return any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list)


_CHECKING = re.compile(r"assert|check|expect|verify|raises|warns|fail", re.IGNORECASE)
"""Names of functions that are there to find fault."""


@lru_cache(maxsize=65536)
def is_idle(source: str) -> bool:
    """Whether a test, as written, passes whatever the program does: it holds nothing but what
    cannot fail, or all that it asserts is true anyway."""
    try:
        (function,) = ast.parse(dedent(source)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if not isinstance(function, FunctionNode) or _is_helped(function):
        return False
    live = [*_live(function.body)]
    claims = [node for node in live if isinstance(node, ast.Assert)]
    if not claims:
        return not any(_does(node) for node in live)
    if not all(cannot_fail(node.test) for node in claims):
        return False
    return not any(_may_check(node) for node in live if not isinstance(node, ast.Assert))


def _is_helped(function: FunctionNode) -> bool:
    """Fixtures and decorators may check what the body does not; the values of a table do not."""
    arguments = function.args
    named = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    for decorator in function.decorator_list:
        if not ast.unparse(decorator).startswith("pytest.mark."):
            return True
        if isinstance(decorator, ast.Call) and leaf(decorator.func) == "parametrize":
            named.difference_update(column_names(decorator.args[:1]))
    return bool(named - {"self", "cls", "request", *IDLE_FIXTURES})


def _live(body: list[ast.stmt]) -> Iterable[ast.stmt]:
    """Yields the simple statements in which an error fails the test, and the heads of the
    others."""
    for node in reachable(body):
        yield node
        for block in live_blocks(node):
            yield from _live(block)


def _does(node: ast.stmt) -> bool:
    """Whether a statement that asserts nothing may end in an error; of a compound one, its head."""
    if isinstance(node, ast.Pass | ast.Global | ast.Nonlocal | ast.Try | ast.TryStar):
        return False
    if isinstance(node, FunctionNode | ast.ClassDef):
        return False
    if isinstance(node, ast.Expr | ast.Return | ast.Assign | ast.AnnAssign):
        return node.value is not None and not _is_plain(node.value)
    heads = _heads(node)
    return not heads or not all(map(_is_plain, heads))


def _heads(node: ast.stmt) -> list[ast.expr]:
    """Returns the expressions of a statement itself, without those of its blocks."""
    if isinstance(node, ast.With | ast.AsyncWith):
        return [item.context_expr for item in node.items]
    return [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]


def _is_plain(node: ast.expr) -> bool:
    """Literals and names: reading them does nothing. Nor does naming what is swallowed."""
    if isinstance(node, ast.Call) and leaf(node.func) == "suppress":
        return True
    kinds = (ast.Constant, ast.Name, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.expr_context)
    return all(isinstance(inner, kinds) for inner in ast.walk(node))


def _may_check(node: ast.stmt) -> bool:
    """Whether a statement beside assertions that cannot fail is there to check something."""
    calls = [call for part in _heads(node) for call in ast.walk(part) if isinstance(call, ast.Call)]
    return isinstance(node, ast.Raise) or any(map(_is_a_check, calls))


def _is_a_check(call: ast.Call) -> bool:
    return bool(_CHECKING.search(leaf(call.func)))
