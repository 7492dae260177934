"""Can this line run here at all? Platform gates, type checking and defensive code, by `ast`."""

from __future__ import annotations

import ast
import os
import platform
import re
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Literal

from pytest_lift.source.bindings import is_import
from pytest_lift.source.syntax import FunctionNode, is_for_type_checkers, runs_as_script

Reach = Literal["testable", "platform", "missing-library", "defensive", "excluded"]

OLD_PYTHON = re.compile(r"(?:IS_)?PY_?(2|3)(?:\d*)?$|IS_?PYTHON_?(2|3)$", re.IGNORECASE)
NEVER_ON_PURPOSE = {"AssertionError", "NotImplementedError", "SystemError", "assert_never"}
KNOWN: Mapping[str, object] = {
    "sys.version_info": tuple(sys.version_info),
    "sys.platform": sys.platform,
    "sys.maxsize": sys.maxsize,
    "os.name": os.name,
    "platform.system()": platform.system(),
    "platform.python_implementation()": platform.python_implementation(),
    "TYPE_CHECKING": False,
    "typing.TYPE_CHECKING": False,
}
"""Names with a fixed value for this interpreter; what is unknown counts as testable."""


class Unknown(Exception):
    """The value of an expression is not fixed for this interpreter."""


def gates(tree: ast.Module) -> dict[int, Reach]:
    """Returns line -> why it is not an ordinary testable line, without those that are."""
    found: dict[int, Reach] = {}
    for node, reach in _gated(tree):
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
            found.setdefault(line, reach)
    return found


def _gated(tree: ast.AST) -> Iterator[tuple[ast.stmt, Reach]]:
    """Yields the statements that are not ordinary testable ones, with the reason. In a function a
    test can make an import fail; at module level the machine has decided before any test runs. A
    call that imports a module by a name that it is given can be tested with another name."""
    waiting = deque([(tree, False)])
    while waiting:
        node, called = waiting.popleft()
        if isinstance(node, ast.If):
            yield from _dead_side(node)
        elif isinstance(node, ast.Try) and any(map(is_import, node.body)) and not called:
            fallbacks = filter(is_import_fallback, node.handlers)
            yield from ((statement, "platform") for one in fallbacks for statement in one.body)
        elif isinstance(node, ast.stmt) and _is_defensive(node):
            yield node, "defensive"
        called = called or isinstance(node, FunctionNode)
        waiting.extend((child, called) for child in ast.iter_child_nodes(node))


def _dead_side(node: ast.If) -> Iterator[tuple[ast.stmt, Reach]]:
    """Yields the side of an `if` that cannot run here."""
    if runs_as_script(node.test):
        yield from ((statement, "excluded") for statement in node.body)
        return
    try:
        alive = bool(fixed_value(node.test))
    except Unknown:
        return
    reach: Reach = "excluded" if is_for_type_checkers(node.test) else "platform"
    yield from ((statement, reach) for statement in (node.orelse if alive else node.body))


def is_import_fallback(node: ast.ExceptHandler) -> bool:
    """Whether a handler takes the place of an import that fails."""
    caught = ast.unparse(node.type) if node.type else ""
    return "ImportError" in caught or "ModuleNotFoundError" in caught


def _is_defensive(node: ast.stmt) -> bool:
    """Whether a statement is defensive: `raise AssertionError(...)`, `raise NotImplementedError`,
    `assert_never(x)`."""
    target: ast.expr | None = None
    if isinstance(node, ast.Raise):
        target = node.exc
    elif isinstance(node, ast.Expr):
        target = node.value
    if isinstance(target, ast.Call):
        target = target.func
    return target is not None and ast.unparse(target).rpartition(".")[2] in NEVER_ON_PURPOSE


def fixed_value(node: ast.expr, known: Mapping[str, object] = KNOWN) -> object:
    """Returns the value of `node` where `known` names fix it; raises `Unknown` elsewhere."""
    text = ast.unparse(node)
    if text in known:
        return known[text]
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name | ast.Attribute):
        return _named(text)
    if isinstance(node, ast.Tuple):
        return tuple(fixed_value(element, known) for element in node.elts)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return not fixed_value(node.operand, known)
    if isinstance(node, ast.BoolOp):
        return _boolean(node, known)
    if isinstance(node, ast.Subscript):
        return _item(node, known)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _compared(node, known)
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "sys.platform.startswith":
        return sys.platform.startswith(ast.literal_eval(node.args[0]))
    raise Unknown


def _named(text: str) -> object:
    if text.startswith("sys.version_info."):
        return getattr(sys.version_info, text.rpartition(".")[2], None)
    old = OLD_PYTHON.fullmatch(text.rpartition(".")[2])
    if old:
        return "2" not in (old.group(1), old.group(2))
    raise Unknown


def _boolean(node: ast.BoolOp, known: Mapping[str, object]) -> object:
    """Returns the value of `and` and `or`, which is fixed as soon as one side decides alone."""
    decisive = isinstance(node.op, ast.Or)
    unknown = False
    for value in node.values:
        try:
            if bool(fixed_value(value, known)) is decisive:
                return decisive
        except Unknown:
            unknown = True
    if unknown:
        raise Unknown
    return not decisive


def _item(node: ast.Subscript, known: Mapping[str, object]) -> object:
    value = fixed_value(node.value, known)
    if not isinstance(value, tuple):
        raise Unknown
    if isinstance(node.slice, ast.Slice):
        return value[_bound(node.slice.lower) : _bound(node.slice.upper)]
    index = fixed_value(node.slice)
    if isinstance(index, int) and -len(value) <= index < len(value):
        return value[index]
    raise Unknown


def _bound(node: ast.expr | None) -> int | None:
    value = fixed_value(node) if node is not None else None
    if value is None or isinstance(value, int):
        return value
    raise Unknown


def _compared(node: ast.Compare, known: Mapping[str, object]) -> bool:
    left, right = fixed_value(node.left, known), fixed_value(node.comparators[0], known)
    try:
        match node.ops[0]:
            case ast.Lt():
                return bool(left < right)  # type: ignore[operator]
            case ast.LtE():
                return bool(left <= right)  # type: ignore[operator]
            case ast.Gt():
                return bool(left > right)  # type: ignore[operator]
            case ast.GtE():
                return bool(left >= right)  # type: ignore[operator]
            case ast.Eq():
                return bool(left == right)
            case ast.NotEq():
                return bool(left != right)
            case ast.Is():
                return left is right
            case ast.IsNot():
                return left is not right
    except TypeError:
        raise Unknown from None
    raise Unknown
