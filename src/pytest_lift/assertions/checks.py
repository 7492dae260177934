"""Checks of a test, statement by statement, as far as they can be reached and can fail."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from pytest_lift.source.syntax import FunctionNode, blocks, leaf

EXPECTING = frozenset({"raises", "warns", "deprecated_call"})
"""Calls of pytest's that fail when the block below them, or the callable given, behaves."""
UNITTEST = frozenset(
    {"assertRaises", "assertRaisesRegex", "assertWarns", "assertWarnsRegex"}
    | {"assertLogs", "assertNoLogs"}
)
"""Names of assertions of unittest.TestCase that are used in a `with`."""
_ENDS = frozenset({"skip", "xfail", "fail", "exit", "_exit", "skipTest"})
"""Calls after which nothing of their block is reached, made as a statement on pytest or self."""
_SWALLOWS = frozenset({"AssertionError", "Exception", "BaseException", ""})
_EQUALITIES = ast.Eq | ast.Is | ast.LtE | ast.GtE


@dataclass(frozen=True)
class Check:
    """One statement or call that can make its test fail."""

    node: ast.AST
    text: str
    within: tuple[str, ...] = ()
    """The heads of the compound statements around it, outermost first."""


def checks(function: FunctionNode) -> Iterator[Check]:
    """Yields the checks of a test in order; those that cannot be reached or cannot fail are left
    out."""
    uses = {leaf(n) for n in ast.walk(function) if isinstance(n, ast.Name | ast.Attribute)}
    yield from _in_block(function.body, (), uses)
    for decorator in function.decorator_list:
        yield from (Check(n, ast.unparse(n)) for n in ast.walk(decorator) if _expects(n))


def reachable(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields the statements of one block up to the first that ends it."""
    for node in body:
        yield node
        if isinstance(node, ast.Return | ast.Raise | ast.Break | ast.Continue) or _ends(node):
            return


def checked_values(
    function: FunctionNode, around: Mapping[str, Sequence[str]] | None = None
) -> Counter[str]:
    """Returns the checks as texts, each with what its names were assigned: to be told from weaker
    ones.

    `around` holds what the module assigns to its names.
    """
    assigned = {**(around or {}), **_assigned(function)}
    return Counter(_told(check, assigned) for check in checks(function))


def cannot_fail(test: ast.expr) -> bool:
    """Whether an asserted expression is true whatever the program does, for sure."""
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if not any(isinstance(n, ast.Name | ast.Call | ast.Yield) for n in ast.walk(test)):
        return True
    match test:
        case ast.Tuple(elts=elts) | ast.List(elts=elts) | ast.Set(elts=elts):
            return any(not isinstance(item, ast.Starred) for item in elts)
        case ast.Dict(keys=[*keys]):
            return any(key is not None for key in keys)
        case ast.Lambda():
            return True
        case ast.BoolOp(op=ast.Or(), values=values):
            return any(_is_true(value) for value in values) or _is_either_way(values)
        case ast.BoolOp(values=values):
            return all(cannot_fail(value) for value in values)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _is_reflexive(left, op, right) or _is_length(left, op, right)
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kind]):
            return _names_object(kind)
        case ast.NamedExpr(value=value):
            return cannot_fail(value)
    return False


def _in_block(
    body: Sequence[ast.stmt], within: tuple[str, ...], uses: Collection[str]
) -> Iterator[Check]:
    for node in reachable(body):
        if isinstance(node, ast.Assert):
            if not cannot_fail(node.test):
                yield Check(node, ast.unparse(node.test), within)
            continue
        if isinstance(node, ast.Raise) and node.exc is not None:
            yield Check(node, ast.unparse(node), within)
        if isinstance(node, FunctionNode):
            if node.name in uses or node.decorator_list:
                yield from _in_block(node.body, (*within, f"def {node.name}"), uses)
            continue
        if isinstance(node, ast.ClassDef):
            methods = {n.name for n in node.body if isinstance(n, FunctionNode)}
            yield from _in_block(node.body, (*within, f"class {node.name}"), {*uses, *methods})
            continue
        head = _head(node)
        inner = (*within, head) if head else within
        yield from _called(node, within)
        for block in live_blocks(node):
            yield from _in_block(block, inner, uses)


def live_blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yields the blocks of a compound statement in which a failing check fails the test."""
    if isinstance(node, ast.If | ast.While) and isinstance(node.test, ast.Constant):
        yield from [node.body] if node.test.value else [node.orelse]
    elif isinstance(node, ast.Try | ast.TryStar):
        swallowed = any(_swallows(handler) for handler in node.handlers)
        yield from [node.orelse, node.finalbody] if swallowed else [node.body, node.orelse]
        yield from [] if swallowed else [node.finalbody]
        yield from (_without_failing(handler.body) for handler in node.handlers)
    elif not (isinstance(node, ast.With) and any(_suppresses(i) for i in node.items)):
        yield from blocks(node)


def _without_failing(body: list[ast.stmt]) -> list[ast.stmt]:
    """Returns the statements of a handler without those that fail: they only rename an exception
    that would fail the test anyway."""
    return [node for node in body if not isinstance(node, ast.Raise) and not _is_fail(node)]


def _is_fail(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assert):
        return isinstance(node.test, ast.Constant)
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and leaf(node.value.func) == "fail"
    )


def _swallows(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    if not any((leaf(kind) if kind else "") in _SWALLOWS for kind in kinds):
        return False
    inside = (node for statement in handler.body for node in ast.walk(statement))
    return not any(isinstance(node, ast.Raise | ast.Assert | ast.Call) for node in inside)


def _suppresses(item: ast.withitem) -> bool:
    call = item.context_expr
    if not isinstance(call, ast.Call) or leaf(call.func) != "suppress":
        return False
    return any(leaf(kind) in _SWALLOWS for kind in call.args)


def _called(node: ast.stmt, within: tuple[str, ...]) -> Iterator[Check]:
    """Yields the checking calls of one statement, those of its blocks left out."""
    if isinstance(node, ast.With | ast.AsyncWith):
        for item in node.items:
            for call in ast.walk(item.context_expr):
                if _expects(call, EXPECTING | UNITTEST):
                    body = "\n".join(map(ast.unparse, node.body))
                    yield Check(call, f"{ast.unparse(call)}:\n{body}", within)
        return
    for part in _own_expressions(node):
        for call in ast.walk(part):
            if isinstance(call, ast.Call) and _can_fail(call, node):
                yield Check(call, ast.unparse(call), within)


def _own_expressions(node: ast.stmt) -> Iterator[ast.expr]:
    return (part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))


def _can_fail(call: ast.Call, statement: ast.stmt) -> bool:
    name = leaf(call.func)
    if name in EXPECTING:  # as a bare statement, without a callable, it does nothing
        alone = isinstance(statement, ast.Expr) and statement.value is call
        return not alone or len(call.args) > 1
    if name == "fail":
        return True
    if not name.startswith("assert"):
        return False
    if name in ("assertTrue", "assertFalse", "assertIsNotNone"):
        return not all(cannot_fail(argument) for argument in call.args[:1])
    if name in ("assertEqual", "assertIs", "assertEquals") and len(call.args) > 1:
        return not _is_reflexive(call.args[0], ast.Is(), call.args[1])
    return True


def _expects(node: ast.AST, calls: frozenset[str] = EXPECTING) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and leaf(node.func) in calls


def _ends(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    function = node.value.func
    owner = leaf(function.value) if isinstance(function, ast.Attribute) else ""
    return leaf(function) in _ENDS and owner in ("pytest", "self", "sys", "os")


def _head(node: ast.stmt) -> str:
    match node:
        case ast.If(test=test) | ast.While(test=test):
            return f"if {ast.unparse(test)}"
        case ast.For(target=target, iter=values) | ast.AsyncFor(target=target, iter=values):
            return f"for {ast.unparse(target)} in {ast.unparse(values)}"
        case ast.With(items=items) | ast.AsyncWith(items=items):
            return f"with {', '.join(map(ast.unparse, items))}"
        case ast.Match(subject=subject):
            return f"match {ast.unparse(subject)}"
        case ast.Try() | ast.TryStar():
            return "try"
    return ""


def _assigned(function: FunctionNode) -> dict[str, list[str]]:
    """Texts that each local name is assigned."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                named = [n for t in targets for n in ast.walk(t)]
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                named = [target]
            case ast.NamedExpr(target=target, value=value):
                named = [target]
            case _:
                continue
        for name in named:
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                found.setdefault(name.id, []).append(ast.unparse(value))
    return found


def _told(check: Check, assigned: Mapping[str, Sequence[str]]) -> str:
    names = {n.id for n in ast.walk(check.node) if isinstance(n, ast.Name)}
    where = [f"{name} = {value}" for name in sorted(names) for value in assigned.get(name, ())]
    return "\n".join((*check.within, check.text, *where))


def _is_true(node: ast.expr) -> bool:
    return (isinstance(node, ast.Constant) and bool(node.value)) or cannot_fail(node)


def _is_either_way(values: Sequence[ast.expr]) -> bool:
    """Whether an expression is always true by its form: ``x or not x``, ``x is None or x is not
    None``."""
    said = {ast.unparse(value) for value in values}
    opposites = {ast.unparse(ast.UnaryOp(ast.Not(), value)) for value in values}
    for value in values:
        match value:
            case ast.Compare(left=left, ops=[ast.IsNot()], comparators=rest):
                opposites.add(ast.unparse(ast.Compare(left, [ast.Is()], rest)))
    return bool(said & opposites)


def _is_reflexive(left: ast.expr, op: ast.cmpop, right: ast.expr) -> bool:
    plain = isinstance(left, ast.Name | ast.Constant)
    return plain and isinstance(op, _EQUALITIES) and ast.dump(left) == ast.dump(right)


def _is_length(left: ast.expr, op: ast.cmpop, right: ast.expr) -> bool:
    """Whether an expression is ``len(x) >= 0``, which is always true."""
    counted = isinstance(left, ast.Call) and ast.unparse(left.func) == "len"
    zero = isinstance(right, ast.Constant) and right.value == 0
    return counted and isinstance(op, ast.GtE) and zero


def _names_object(kind: ast.expr) -> bool:
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(isinstance(item, ast.Name) and item.id == "object" for item in kinds)
