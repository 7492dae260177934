"""Tests without an assertion: whether something else asserts, what shows that one is missing."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence

from pytest_lift.assertions.checks import Check, checks
from pytest_lift.assertions.value_origin import root_of
from pytest_lift.source.bindings import imports_in, used_names
from pytest_lift.source.syntax import FunctionNode, column_names, leaf, statements

CHECKING = ("assert", "check", "verify", "expect", "ensure", "validate", "compare", "must")
"""How the names of functions begin that are there to assert."""
_QUESTIONS = frozenset(
    {"len", "isinstance", "issubclass", "hasattr", "callable", "type", "id", "bool"}
    | {"sorted", "all", "any", "sum", "min", "max", "set", "frozenset"}
)
"""Builtins that are called for their answer alone."""
_MOST_DROPPED = 4
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def remnant_of(function: FunctionNode) -> str:
    """Returns the trace of an assertion that was here once, in words; "" if there is none."""
    looks: tuple[Callable[[FunctionNode], Iterator[str]], ...] = (
        _unread_names, _unread_columns, _empty_blocks, _idle_checks, _dropped_answers,
        _same_calls, _many_calls, _only_written,
    )  # fmt: skip
    return next((said for look in looks for said in look(function)), "")


def _unread_names(function: FunctionNode) -> Iterator[str]:
    """Yields variables that a call is assigned to and that are not read afterwards."""
    loads = [(n.id, n.lineno) for n in ast.walk(function)
             if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Store)]  # fmt: skip
    outside = {name for node in ast.walk(function)
               if isinstance(node, ast.Nonlocal | ast.Global) for name in node.names}  # fmt: skip
    for node, looped in _statements(function.body):
        read = {
            name for name, line in loads if looped or line > (node.end_lineno or node.lineno)
        } | outside
        names = [name for name in _bound(node) if not name.startswith("_")]
        if names and read.isdisjoint(names):
            yield f"{' or '.join(map(repr, names))} is assigned and never read"


def _bound(node: ast.stmt) -> Iterator[str]:
    """Yields the names that a statement binds to something that should be read: results of calls,
    expected values, functions."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) if name.startswith(("expect", "want")):
            yield name
        case ast.Assign(targets=[ast.Name() | ast.Tuple() as target], value=value):
            items = target.elts if isinstance(target, ast.Tuple) else [target]
            if _is_made(value):
                yield from (item.id for item in items if isinstance(item, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield from [name] if _is_made(value) else []
        case ast.FunctionDef(name=name, decorator_list=[]):
            yield name


def _is_made(value: ast.expr) -> bool:
    return any(isinstance(n, ast.Call | ast.Subscript | ast.Attribute) for n in ast.walk(value))


def _statements(body: list[ast.stmt], looped: bool = False) -> Iterator[tuple[ast.stmt, bool]]:
    """Yields the statements of a function itself, each with whether it stands in a loop."""
    for node in body:
        yield node, looped
        if isinstance(node, FunctionNode | ast.ClassDef):
            continue
        for name in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(node, name, []), looped or isinstance(node, _LOOPS))
        for handler in getattr(node, "handlers", []):
            yield from _statements(handler.body, looped)


def _unread_columns(function: FunctionNode) -> Iterator[str]:
    """Yields parametrized columns that the test declares and does not use."""
    read = {n.id for statement in function.body for n in ast.walk(statement)
            if isinstance(n, ast.Name)}  # fmt: skip
    asked = {one.arg for one in (*function.args.args, *function.args.kwonlyargs)}
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and leaf(decorator.func) == "parametrize":
            for name in column_names(decorator.args[:1]):
                if name in asked - read and not name.startswith("_"):
                    yield f"nothing reads {name!r}, a column of its table"


def _empty_blocks(function: FunctionNode) -> Iterator[str]:
    """Yields empty loops, branches and subtests. An empty `with` calls something, and an exhausted
    iterator is assigned to ``_``: both are left out."""
    for node, _ in _statements(function.body):
        match node:
            case ast.For(target=target, body=body) if _is_empty(body):
                names = {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
                if not all(name.startswith("_") for name in names):
                    yield "a loop over values does nothing with them"
            case ast.If(body=body) if _is_empty(body):
                yield "a branch does nothing"
            case ast.With(items=[ast.withitem(context_expr=ast.Call(func=called))], body=body):
                if leaf(called) in ("subTest", "test") and _is_empty(body):
                    yield "a subtest does nothing"


def _is_empty(body: list[ast.stmt]) -> bool:
    return all(isinstance(node, ast.Pass) for node in body)


def _idle_checks(function: FunctionNode) -> Iterator[str]:
    """Yields helpers defined in the test whose names say that they assert, although none of them
    does."""
    inner = {n.name for n in ast.walk(function) if isinstance(n, FunctionNode)} - {function.name}
    for name in sorted(inner):
        if name.lstrip("_").startswith(CHECKING):
            yield f"{name} asserts nothing"


def _dropped(function: FunctionNode) -> list[ast.expr]:
    return [node.value for node, _ in _statements(function.body)
            if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)]  # fmt: skip


def _dropped_answers(function: FunctionNode) -> Iterator[str]:
    for value in _dropped(function):
        match value:
            case ast.Compare() | ast.BoolOp() | ast.Name() | ast.UnaryOp():
                yield f"the result of {_shown(value)} is discarded"
            case ast.Call(func=ast.Name(id=name)) if name in _QUESTIONS:
                yield f"the result of {_shown(value)} is discarded"
            case ast.Call(func=ast.Attribute(attr=name)) if name.startswith(("is_", "has_")):
                yield f"the result of {_shown(value)} is discarded"


def _same_calls(function: FunctionNode) -> Iterator[str]:
    """Yields calls that are made more than once and whose results are discarded: the results were
    probably to be compared."""
    said = [ast.unparse(value) for value in _dropped(function) if _asks(value)]
    for value in _dropped(function):
        if _asks(value) and said.count(ast.unparse(value)) > 1:
            yield f"{_shown(value)} is called repeatedly, and its result is discarded"


def _many_calls(function: FunctionNode) -> Iterator[str]:
    dropped = [value for value in _dropped(function) if _asks(value)]
    if len(dropped) >= _MOST_DROPPED:
        yield f"the results of {len(dropped)} calls are discarded"


def _asks(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and root_of(value) != "self"


def _only_written(function: FunctionNode) -> Iterator[str]:
    """Yields objects that are filled and never read."""
    made = {name for node, _ in _statements(function.body) for name in _bound(node)}
    filled = {
        root_of(n) for n in ast.walk(function)
        if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store | ast.Del)
        and isinstance(n.value, ast.Name)
    }  # fmt: skip
    for name in sorted(made & filled):
        loads = sum(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)
                    for n in ast.walk(function))  # fmt: skip
        writes = sum(isinstance(n, ast.Subscript) and not isinstance(n.ctx, ast.Load)
                     and isinstance(n.value, ast.Name) and n.value.id == name
                     for n in ast.walk(function))  # fmt: skip
        if loads == writes:
            yield f"{name!r} is filled and never read"


def _shown(value: ast.expr) -> str:
    text = ast.unparse(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


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
