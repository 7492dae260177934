"""Checks of each test, and marks that set it aside; compared before and after an edit."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from pytest_lift.assertions.checks import checked_values
from pytest_lift.source.bindings import QualifiedNames
from pytest_lift.source.syntax import FunctionNode, chain, leaf, parse
from pytest_lift.suite.collection import Definition, Naming, definitions
from pytest_lift.suite.suite import Suite, path_of

EXPECTING = frozenset({"xfail", "expectedFailure"})


REASONED = frozenset({"skip", "skipif", "skipIf", "skipUnless", "importorskip", "SkipTest"})


_SETTING_ASIDE = EXPECTING | REASONED | {"skipTest"}


_OWNERS = frozenset({"mark", "pytest", "unittest"})


def aside(tree: ast.AST, meant: QualifiedNames) -> list[str]:
    """Parts of `tree` that set tests aside, as texts with their reasons."""
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return [ast.unparse(calls.get(id(node), node)) for node in uses_of(tree, meant)]


def uses_of(tree: ast.AST, meant: QualifiedNames) -> Iterator[ast.Name | ast.Attribute]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            name = name_of(node, meant)
            if name in _SETTING_ASIDE and _is_framework(node, meant):
                yield node


def name_of(node: ast.Name | ast.Attribute, meant: QualifiedNames) -> str:
    return (meant.of(node) or leaf(node)).rpartition(".")[2]


def _is_framework(node: ast.Name | ast.Attribute, meant: QualifiedNames) -> bool:
    """Whether a name is one of pytest, of unittest or of a test case; other things may have the
    same name."""
    if full := meant.of(node):
        return full.partition(".")[0] in _OWNERS
    owners = chain(node)[:-1]
    return bool(owners) and (owners[-1] in _OWNERS or (owners == ["self"]))


@dataclass(frozen=True)
class TestChecks:
    """Checks of one test, and what sets it aside."""

    checks: Counter[str]
    aside: Counter[str]


def held_by(suite: Suite, node: str) -> Counter[str]:
    """Checks of one test of `suite`, by node; empty for one that is not there."""
    test = suite.function(node)
    if test is None:
        return Counter()
    file = suite.files[path_of(test.node)]
    held = held_in(file.text, suite.naming).get(test.inner_node)
    return held.checks if held else Counter()


@lru_cache(maxsize=512)
def held_in(text: str, naming: Naming) -> Mapping[str, TestChecks]:
    """Returns the tests of a file by name, with what they check."""
    try:
        tree = parse(text)
        around = _Around(tree)
        return {f.name: around.held(f) for f in definitions(tree, naming)}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}


class _Around:
    """Marks and settings of a file for all of its tests."""

    def __init__(self, tree: ast.Module) -> None:
        self.meant = QualifiedNames(tree)
        self.assigned = _assigned(tree)
        self.values = {name: [ast.unparse(value)] for name, value in self.assigned.items()}
        self.aside = Counter(text for node in tree.body for text in self._file_aside(node))

    def held(self, found: Definition) -> TestChecks:
        decorators = [*found.function.decorator_list]
        for cls in found.classes:
            decorators += cls.decorator_list
        rows = Counter(row for item in decorators for row in _rows(item, self.assigned))
        checks = checked_values(found.function, self.values) + rows
        return TestChecks(checks, self.aside + self._own_aside(found, decorators))

    def _own_aside(self, found: Definition, decorators: list[ast.expr]) -> Counter[str]:
        """Counts what sets a test aside (skips, expected failures): in the test, on it by name, and
        on its classes."""
        parts: list[ast.AST] = [found.function]
        parts += [self.assigned[n.id] for d in decorators if (n := _name(d)).id in self.assigned]
        for cls in found.classes:
            parts += [*cls.decorator_list, *(n for n in cls.body if isinstance(n, ast.Assign))]
        return Counter(text for part in parts for text in aside(part, self.meant))

    def _file_aside(self, node: ast.stmt) -> list[str]:
        """Returns what sets a whole file aside: a module's `pytestmark`, and calls that skip the
        module; other marks are only named."""
        if isinstance(node, FunctionNode | ast.ClassDef):
            return []
        told = aside(node, self.meant)
        marks = isinstance(node, ast.Assign) and "pytestmark" in ast.unparse(node.targets[0])
        return told if marks else [text for text in told if "mark." not in text]


def _name(node: ast.expr) -> ast.Name:
    return node if isinstance(node, ast.Name) else ast.Name("")


def _rows(decorator: ast.expr, assigned: Mapping[str, ast.expr]) -> Iterator[str]:
    """Yields each row of a `parametrize` with its columns; what is no list is one row."""
    if not isinstance(decorator, ast.Call) or leaf(decorator.func) != "parametrize":
        return
    given = {word.arg: word.value for word in decorator.keywords}
    values = decorator.args[1] if len(decorator.args) > 1 else given.get("argvalues")
    head = ast.unparse(decorator.args[0] if decorator.args else decorator)
    if isinstance(values, ast.Name):
        values = assigned.get(values.id, values)
    for row in values.elts if isinstance(values, ast.List | ast.Tuple) else [values]:
        yield f"{head}: {ast.unparse(row) if row else ''}"


def _assigned(tree: ast.Module) -> dict[str, ast.expr]:
    return {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
