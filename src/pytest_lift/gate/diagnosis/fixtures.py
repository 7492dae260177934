"""Fixtures that a test can ask for: of pytest, of plugins, of conftest files, of its own file.

Everything is read as text; no plugin and no conftest file is run.
"""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import entry_points
from pathlib import Path

from pytest_lift.source.bindings import bound_names, imports_in
from pytest_lift.source.syntax import (
    FunctionNode,
    bare_leaf,
    column_names,
    is_fixture,
    leaf,
    parse_readable,
    statements,
    texts,
    walked,
)
from pytest_lift.suite.suite import Suite

_DYNAMIC = frozenset({"pytest_generate_tests", "globals", "setattr", "exec"})
"""Names by which a file may bring fixtures, or arguments, that its text does not show."""
MAY_DEFINE = re.compile(r"@[\w. \t]*fixture\b|\bfixture[ \t]*\(")
"""Text without which a file defines no fixture; it is found sooner than a file is parsed."""
LARGEST = 2_000_000
"""Bytes of a file of a plugin that is read."""


def fixtures_in(tree: ast.Module) -> Iterator[str]:
    """Yields the names of fixtures that a file defines, in classes too."""
    for node in walked(tree):
        if isinstance(node, FunctionNode) and is_fixture(node):
            yield from fixture_names(node)
        elif isinstance(node, ast.Assign) and _is_made_fixture(node.value):
            yield from filter(None, map(leaf, node.targets))


def _is_made_fixture(node: ast.expr) -> bool:
    """Whether a fixture is made by a call: ``fixture(scope="module")(function)``."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Call)
        and bare_leaf(node.func) == "fixture"
    )


def fixture_names(node: FunctionNode) -> Iterator[str]:
    """Yields the name by which tests ask for a fixture, and that of its function."""
    yield node.name
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and bare_leaf(decorator) == "fixture":
            named = [word.value for word in decorator.keywords if word.arg == "name"]
            yield from texts(named)


def requested(node: FunctionNode) -> list[ast.arg]:
    """Returns the parameters by which a function asks for fixtures: those without a default."""
    plain = [*node.args.posonlyargs, *node.args.args]
    required = plain[: len(plain) - len(node.args.defaults)]
    only = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    return [*required, *(arg for arg, default in only if default is None)]


def parametrized(decorators: list[ast.expr]) -> set[str]:
    """Returns the names that decorators give arguments to, as far as their text tells."""
    calls = [one for one in decorators if isinstance(one, ast.Call)]
    given = [
        value
        for call in calls
        if bare_leaf(call) == "parametrize"
        for value in (*call.args[:1], *(w.value for w in call.keywords if w.arg == "argnames"))
    ]
    return {*column_names(given)}


@dataclass(frozen=True)
class VisibleFixtures(Collection[str]):
    """Fixtures that tests of a file can ask for.

    Those of plugins take longest to be read: they are where one is asked for that the project
    itself does not have.
    """

    own: frozenset[str]

    def __contains__(self, name: object) -> bool:
        return name in self.own or name in installed_fixtures()

    def __iter__(self) -> Iterator[str]:
        return iter(self.own | installed_fixtures())

    def __len__(self) -> int:
        return len(self.own | installed_fixtures())


@dataclass(frozen=True, eq=False)
class KnownFixtures:
    """Fixtures of one suite."""

    suite: Suite
    root: Path

    def visible(self, path: str, tree: ast.Module) -> VisibleFixtures | None:
        """Returns the fixtures that tests of a file can ask for; None where that cannot be told."""
        found = {*self._in_use}
        for each in [tree, *self._above(path)]:
            names = _provided(each)
            if names is None:
                return None
            found |= names
        return VisibleFixtures(frozenset(found))

    @cached_property
    def elsewhere(self) -> Mapping[str, tuple[str, ...]]:
        """Fixture -> files of the suite that define it, conftest files aside."""
        found: dict[str, list[str]] = {}
        for path, file in self.suite.files.items():
            if not path.endswith("conftest.py"):
                for name in fixtures_in(parse_readable(file.text)):
                    found.setdefault(name, []).append(path)
        return {name: tuple(dict.fromkeys(paths)) for name, paths in found.items()}

    @cached_property
    def _in_use(self) -> frozenset[str]:
        """Fixtures that tests of the suite ask for and no test file defines: something brings
        them."""
        asked = set()
        for file in self.suite.files.values():
            for node in ast.walk(parse_readable(file.text)):
                if isinstance(node, FunctionNode) and self.suite.naming.is_test_function(node.name):
                    given = parametrized(node.decorator_list)
                    asked |= {arg.arg for arg in requested(node)} - given
        return frozenset(asked - {"self", "cls"} - self.elsewhere.keys())

    def _above(self, path: str) -> Iterator[ast.Module]:
        parts = path.split("/")[:-1]
        for depth in range(len(parts) + 1):
            place = "/".join([*parts[:depth], "conftest.py"])
            if place in self.suite.files:
                yield parse_readable(self.suite.files[place].text)
            elif (text := _text(self.root / place)) is not None:
                yield parse_readable(text)


def _provided(tree: ast.Module) -> set[str] | None:
    """Returns the fixtures that a file brings, imported ones included; None where that cannot be
    told."""
    found = {*fixtures_in(tree)}
    for node in statements(tree.body):
        names = {*bound_names(node)}
        if "pytest_plugins" in names or "*" in names:
            return None
        found |= names
    for part in walked(tree):
        name = part.name if isinstance(part, FunctionNode) else getattr(part, "id", "")
        if name in _DYNAMIC:
            return None
    if any(one.top == "pytest_factoryboy" for one in imports_in(walked(tree))):
        return None
    return found | {one.bound for one in imports_in(walked(tree))}


@cache
def installed_fixtures() -> frozenset[str]:
    """Returns the fixtures of pytest and of the plugins that are installed beside it."""
    found = {"request"}
    modules = {"_pytest", *(one.module for one in entry_points(group="pytest11"))}
    for place in {place for module in modules for place in _places(module)}:
        text = _text(place)
        if text is not None and MAY_DEFINE.search(text):
            found.update(fixtures_in(parse_readable(text)))
    return frozenset(found)


def _places(module: str) -> Iterator[Path]:
    """Yields the files of a plugin: of its package as a whole, without importing it."""
    top, _, rest = module.partition(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return
    if spec is None:
        return
    if not spec.submodule_search_locations:
        yield Path(spec.origin or "")
        return
    for folder in map(Path, spec.submodule_search_locations):
        inner = folder.joinpath(*rest.split(".")[:1]) if rest else folder
        if rest and not inner.is_dir():
            yield from folder.glob("*.py")
        else:
            yield from inner.rglob("*.py")


def _text(place: Path) -> str | None:
    try:
        if place.stat().st_size > LARGEST:
            return None
        return place.read_text("utf-8", "replace")
    except OSError:
        return None
