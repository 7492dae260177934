"""Whether something else asserts for a test: a helper, a fixture, an inherited method."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence

from pytest_lift.assertions.checks import Check, checks
from pytest_lift.assertions.missing_oracle import CHECKING
from pytest_lift.assertions.name_resolution import used_names
from pytest_lift.assertions.value_origin import root_of
from pytest_lift.source.bindings import imports_in
from pytest_lift.source.syntax import FunctionNode, leaf, statements

_TEST_CASE = frozenset(
    {"subTest", "addCleanup", "addClassCleanup", "enterContext", "doCleanups", "id"}
)
"""Methods of unittest.TestCase that do not assert."""


class Helpers:
    """The functions of a file by name, and which of them assert something."""

    def __init__(self, tree: ast.Module, names: tuple[str, ...]) -> None:
        self._functions: dict[str, list[FunctionNode]] = {}
        self._used: dict[int, set[str]] = {}
        self._asserting: dict[str, bool] = {}
        self._known = frozenset({*names, *sys.stdlib_module_names, "pytest"})
        self._imported = self._imports(tree)
        for node in _functions(tree.body):
            self._functions.setdefault(node.name, []).append(node)

    def defines(self, name: str) -> bool:
        return name in self._functions

    def used_by(self, function: FunctionNode) -> bool:
        """Whether `function` uses one that asserts, directly or through others."""
        pending, seen = [function], {function.name}
        while pending:
            names = self._names_in(pending.pop()) & self._functions.keys() - seen
            seen |= names
            for name in names:
                if self.asserts(name):
                    return True
                pending += self._functions[name]
        return False

    def may_be_used_by(self, function: FunctionNode) -> bool:
        """Whether something from elsewhere is called for its effect, not for its result."""
        imported = self._imported | self._imports(function)
        for node in ast.walk(function):
            call = node.value if isinstance(node, ast.Expr) else None
            call = node.context_expr if isinstance(node, ast.withitem) else call
            if not isinstance(call, ast.Call):
                continue
            name = leaf(call.func)
            inherited = root_of(call.func) == "self" and not self.defines(name)
            inherited &= name not in _TEST_CASE
            if name.startswith("assert"):
                continue  # known, and found to be unable to fail
            if inherited or root_of(call.func) in imported:
                return True
        return False

    def _imports(self, tree: ast.AST) -> frozenset[str]:
        """Returns names that come from neither the program nor what is known not to assert."""
        return frozenset(
            found.bound for found in imports_in(ast.walk(tree)) if found.top not in self._known
        )

    def _names_in(self, function: FunctionNode) -> set[str]:
        """Returns the names that a function of the file uses; they are computed once, because tests
        share helpers."""
        if function not in self._functions.get(function.name, ()):
            return used_names(function)
        if id(function) not in self._used:
            self._used[id(function)] = used_names(function)
        return self._used[id(function)]

    def asserts(self, name: str) -> bool:
        """Whether the function of that name does, by itself."""
        if name not in self._asserting:
            self._asserting[name] = self._has_check(name)
        return self._asserting[name]

    def _has_check(self, name: str) -> bool:
        return any(
            not isinstance(check.node, ast.Call) or leaf(check.node.func) not in self._functions
            for node in self._functions.get(name, ())
            for check in checks(node)
            if name.startswith(CHECKING) or not simulates(check)
        )


def _functions(body: Sequence[ast.stmt]) -> Iterator[FunctionNode]:
    """Yields functions of a module and of its classes; inner ones belong to what they are in."""
    for node in statements(body):
        if isinstance(node, FunctionNode):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body)


def simulates(check: Check) -> bool:
    """Whether a check only raises what a program would raise."""
    return isinstance(check.node, ast.Raise) and "AssertionError" not in check.text
