"""Functions and tests that can reach a place, by their texts or by what earlier runs entered.

Nothing is run: a test counts if it names the place, or names something that names it. So there may
be too many tests, and a call that does not use the name is not found.
"""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.files.atomic import replace_file
from pytest_lift.files.codec import decode, read
from pytest_lift.files.disk import needed_for
from pytest_lift.scope.scope import Scope
from pytest_lift.source.bindings import Import, bound_names, import_bindings, is_import
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, chain, first_line, parse
from pytest_lift.suite.suite import Suite, path_of
from pytest_lift.suite.test_file import TestFunction

Definition = tuple[str, str]
"""(path, qualified name)"""

COMMON = frozenset(
    name
    for kind in (str, bytes, int, float, list, dict, set, tuple, frozenset, BaseException)
    for name in dir(kind)
) | {"read", "write", "close", "open", "run", "name", "path", "value", "args", "kwargs"}
"""Attributes of so many kinds of objects that the name alone does not tell the class."""

PREPARING = frozenset(
    "setUp tearDown setUpClass tearDownClass setup_method teardown_method setup_class "
    "teardown_class setup_module teardown_module setup_function teardown_function "
    "setUpModule tearDownModule".split()
)
"""Functions that run before or after the tests of their class or file."""


NAME = "entered.json"
VERSION = 1
MOST_PAIRS = 1_000_000
"""Largest number of (test, function) pairs that is stored; with more, nothing is stored."""
LARGEST = 64 * 1024 * 1024
"""Largest file in bytes that is read: anybody may have written it."""


class _Uses(NamedTuple):
    """Names that a piece of code uses."""

    names: frozenset[str] = frozenset()
    """Without a dot before them."""
    attributes: frozenset[str] = frozenset()
    """After a dot."""
    of_modules: frozenset[str] = frozenset()
    """Members of `attributes` that follow a module of the program or the suite."""


_NOTHING = _Uses()


@dataclass(frozen=True)
class _Defined:
    """A function, a class without its methods, or a statement of a module."""

    path: str
    name: str
    """Qualified name; empty for a statement."""
    called: tuple[str, ...]
    """Names by which other code uses it."""
    line: int
    end_line: int
    owner: str = ""
    uses: _Uses = _NOTHING
    fixture: bool = False
    everywhere: bool = False
    """Whether it runs with every test of its file or class, or of the folder of its conftest
    file."""


@dataclass
class _File:
    """Names that one module binds at its top level, and their origins."""

    path: str
    is_test: bool
    bound: set[str] = field(default_factory=set)
    aliases: dict[str, str] = field(default_factory=dict)
    """Alias in this module -> original name."""
    own: set[str] = field(default_factory=set)
    """Names in this module that are imported from the program or the suite."""
    star: bool = False
    defined: list[_Defined] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    """Every name that the module uses."""


class Reaching:
    """Index of the names that a program and its suite use, for questions of reachability."""

    def __init__(self, program: Program, suite: Suite | None = None) -> None:
        texts = [(path, file.tree, False) for path, file in program.files.items()]
        for path, test_file in (suite.files if suite else {}).items():
            if test_file.error is None and path.endswith(".py"):
                texts.append((path, parse(test_file.text), True))
        tops = {
            *program.names,
            *(PurePosixPath(path).stem for path, _, is_test in texts if is_test),
        }
        self._files = {path: _read(path, tree, is_test, tops) for path, tree, is_test in texts}
        self._users: dict[str, list[_Defined]] = defaultdict(list)
        for file in self._files.values():
            for one in file.defined:
                for name in one.uses.names | one.uses.attributes:
                    self._users[name].append(one)

    def reaching(self, scope: Scope, gone: Iterable[Definition] = ()) -> frozenset[Definition]:
        """Returns the functions and classes of program and suite that can reach a place of
        `scope`, or that name a removed definition (`gone`)."""
        waiting = [one for one in self._all() if _is_in(one, scope)]
        waiting += [_missing(path, name) for path, name in gone]
        found = set(waiting)
        while waiting:
            one = waiting.pop()
            fresh = {user for user in self._users_of(one) if user not in found}
            found |= fresh
            waiting += fresh
        return frozenset((one.path, one.name) for one in found)

    def tests(self, scope: Scope, suite: Suite, gone: Iterable[Definition] = ()) -> frozenset[str]:
        """Returns the tests of `suite` that can reach `scope` or a name in `gone`, or that name
        a requirement of `scope`."""
        found = self.reaching(scope, gone)
        around = [one for one in self._all() if one.everywhere and (one.path, one.name) in found]
        return frozenset(
            test.node
            for test in suite.tests()
            if scope.requirements.intersection(test.requirements)
            or _definition(test) in found
            or any(_surrounds(one, test) for one in around)
        )

    def _all(self) -> Iterator[_Defined]:
        return (one for file in self._files.values() for one in file.defined)

    def _users_of(self, one: _Defined) -> Iterator[_Defined]:
        for name in one.called:
            for user in self._users[name]:
                if self._means(user, name, one):
                    yield user

    def _means(self, user: _Defined, name: str, one: _Defined) -> bool:
        """Whether `user`, which uses `name`, may refer to `one` by it."""
        there = self._files[user.path]
        if user.path == one.path and (name in user.uses.names or one.owner or "." in one.name):
            return True
        if name in user.uses.names:
            if one.fixture:
                return there.is_test
            if name in there.bound or there.star or name in there.aliases.values():
                return True
        if name not in user.uses.attributes:
            return False
        if not one.owner and "." not in one.name:
            return name in user.uses.of_modules
        return name not in COMMON or one.owner.rpartition(".")[2] in there.words


def _missing(path: str, name: str) -> _Defined:
    owner, _, leaf = name.rpartition(".")
    return _Defined(path, name, (leaf,), 0, 0, owner.rpartition(".")[2])


def _definition(test: TestFunction) -> Definition:
    return path_of(test.node), test.inner_node.replace("::", ".")


def _surrounds(one: _Defined, test: TestFunction) -> bool:
    path = PurePosixPath(path_of(test.node))
    if one.owner:
        return (one.path, one.owner) == (str(path), _definition(test)[1].rpartition(".")[0])
    own = PurePosixPath(one.path)
    return own == path or (own.name == "conftest.py" and path.is_relative_to(own.parent))


def _is_in(one: _Defined, scope: Scope) -> bool:
    if one.name:
        return scope.has_symbol(one.path, one.name) or scope.has_line(one.path, one.line)
    return any(
        place.path == one.path and place.line <= one.end_line and one.line <= place.end_line
        for place in scope.places
    )


def _read(path: str, tree: ast.Module, is_test: bool, tops: Set[str]) -> _File:
    file = _File(path, is_test)
    for node in ast.walk(tree):
        for found in import_bindings(node) if is_import(node) else ():
            _note_import(found, file, tops)
        file.words |= _word(node)
    _define(tree.body, file)
    return file


def _word(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.Attribute):
        return {node.attr}
    if isinstance(node, ast.alias):
        return {node.name.rpartition(".")[2]}
    return {node.name} if isinstance(node, ast.ClassDef) else set()


def _note_import(found: Import, file: _File, tops: Set[str]) -> None:
    if found.name == "*":
        file.star = True
        return
    file.bound.add(found.bound)
    if {"", *tops} & {*found.source.split(".")}:  # a dot at the beginning parts off an empty name
        file.own.add(found.bound)
    if found.module and found.bound != found.name:
        file.aliases[found.bound] = found.name


def _define(body: Sequence[ast.stmt], file: _File) -> None:
    for node in body:
        if isinstance(node, FunctionNode):
            file.bound.add(node.name)
            file.defined.append(_function(node, file))
        elif isinstance(node, ast.ClassDef):
            file.bound.add(node.name)
            _define_class(node, file, "")
        elif isinstance(node, ast.If | ast.Try | ast.With):
            _define(
                [inner for inner in ast.iter_child_nodes(node) if isinstance(inner, ast.stmt)], file
            )
            for handler in getattr(node, "handlers", ()):
                _define(handler.body, file)
            head = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
            file.defined += [_statement(part, (), file) for part in head]
        elif not is_import(node):
            bound = tuple(sorted(bound_names(node)))
            file.bound.update(bound)
            file.defined.append(_statement(node, bound, file))


def _define_class(node: ast.ClassDef, file: _File, prefix: str) -> None:
    name = prefix + node.name
    methods = [item for item in node.body if isinstance(item, FunctionNode)]
    nested = [item for item in node.body if isinstance(item, ast.ClassDef)]
    rest = [item for item in node.body if item not in methods and item not in nested]
    own = [*node.decorator_list, *node.bases, *(word.value for word in node.keywords), *rest]
    end = node.end_lineno or node.lineno
    # A class is in a scope when all of it is, and not when a method is.
    uses = _used(own, file)
    file.defined.append(_Defined(file.path, name, (node.name,), node.lineno, end, uses=uses))
    for method in methods:
        file.defined.append(_function(method, file, name))
    for inner in nested:
        _define_class(inner, file, f"{name}.")


def _function(node: FunctionNode, file: _File, owner: str = "") -> _Defined:
    uses = _used([node], file)
    leaf = owner.rpartition(".")[2]
    called = {node.name}
    if owner and node.name.startswith("__") and node.name.endswith("__"):
        called = {leaf}  # what calls it does not name it
    fixture = [d for d in node.decorator_list if "fixture" in ast.unparse(d)]
    called |= {
        str(word.value.value)
        for decorator in fixture
        if isinstance(decorator, ast.Call)
        for word in decorator.keywords
        if word.arg == "name" and isinstance(word.value, ast.Constant)
    }
    automatic = any("autouse=True" in ast.unparse(decorator) for decorator in fixture)
    if file.is_test and owner:
        # What its class does to its tests, it does to this one.
        uses = uses._replace(names=uses.names | {leaf})
    return _Defined(
        file.path,
        f"{owner}.{node.name}" if owner else node.name,
        tuple(sorted(called)),
        first_line(node),
        node.end_lineno or node.lineno,
        owner,
        uses,
        bool(fixture),
        automatic or node.name in PREPARING,
    )


def _statement(node: ast.AST, bound: tuple[str, ...], file: _File) -> _Defined:
    first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
    return _Defined(file.path, "", bound, first, last, uses=_used([node], file))


def _used(nodes: Iterable[ast.AST], file: _File) -> _Uses:
    names: set[str] = set()
    attributes: set[str] = set()
    of_modules: set[str] = set()
    for node in (inner for outer in nodes for inner in ast.walk(outer)):
        if isinstance(node, ast.Name):
            names.add(file.aliases.get(node.id, node.id))
        elif isinstance(node, ast.Attribute):
            attributes.add(node.attr)
            if file.own.intersection(chain(node)[:1]):
                of_modules.add(node.attr)
        elif file.is_test and isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and file.is_test:
            said = _said(node.value)
            attributes |= said
            names |= said
            of_modules |= said if "." in node.value else set()
    return _Uses(frozenset(names), frozenset(attributes), frozenset(of_modules))


def _said(text: str) -> set[str]:
    """Returns the last part of a dotted name in a string (as passed to `patch`), or the name of
    a fixture."""
    parts = text.split(".") if len(text) < 200 else []
    return {parts[-1]} if parts and all(part.isidentifier() for part in parts) else set()


@dataclass(frozen=True)
class Entered:
    """Test function -> (path, qualified name) of the functions that any of its rows entered."""

    by_test: Mapping[str, frozenset[tuple[str, str]]] = field(default_factory=dict)

    def tests(self, scope: Scope) -> frozenset[str]:
        """Returns the tests that entered a function of `scope`."""
        functions = {one for entered in self.by_test.values() for one in entered}
        inside = {one for one in functions if scope.has_symbol(*one)}
        return frozenset(test for test, found in self.by_test.items() if found & inside)


def entered(coverage: Coverage, program: Program) -> Entered:
    """Returns the functions that each test entered, from coverage by test."""
    names = {
        (path, symbol.line): (path, symbol.name)
        for path, file in program.files.items()
        for symbol in file.symbols
        if symbol.kind != "class"
    }
    found: dict[str, set[tuple[str, str]]] = {}
    for node, entries in coverage.functions_by_test.items():
        own = found.setdefault(node.partition("[")[0], set())
        own.update(names[entry] for entry in entries if entry in names)
    return Entered({test: frozenset(functions) for test, functions in found.items()})


def keep_entered(folder: Path, measured: Entered) -> None:
    """Stores `measured` in the folder of a run, each function once. Raises StorageError."""
    if not measured.by_test or sum(map(len, measured.by_test.values())) > MOST_PAIRS:
        return
    functions = sorted({one for found in measured.by_test.values() for one in found})
    number = {one: place for place, one in enumerate(functions)}
    tests = {t: sorted(number[one] for one in f) for t, f in measured.by_test.items()}
    data = {"version": VERSION, "functions": functions, "tests": tests}
    with needed_for("what the tests entered could not be stored", folder / NAME):
        replace_file(folder / NAME, json.dumps(data).encode("utf-8", "backslashreplace"))


def known_entered(folders: Iterable[Path]) -> Entered:
    """Returns the stored functions of the newest run that has any. `folders` are in order of
    time; damaged files are skipped."""
    for folder in reversed(list(folders)):
        found = _read_entered(folder / NAME)
        if found is not None:
            return found
    return Entered()


def _read_entered(place: Path) -> Entered | None:
    try:
        data = read(place, dict[str, Any], LARGEST)
        functions = decode(list[tuple[str, str]], data["functions"])
        numbers = decode(dict[str, list[int]], data["tests"])
        tests = {test: frozenset(functions[n] for n in found) for test, found in numbers.items()}
    except (OSError, ValueError, LookupError):
        return None
    return Entered(tests) if data.get("version") == VERSION else None
