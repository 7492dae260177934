"""Ways out of a function: whether it returns something on one of them and None on another."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pytest_lift.source.syntax import FunctionNode, is_none, leaf

NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
STREAMS = (ast.Yield, ast.YieldFrom)


def returns_now_and_then(node: ast.AST | None) -> bool:
    """Whether a function returns something in one place, and ends otherwise in another: by another
    ``return``, or after its last statement. A getter has one way out."""
    if not isinstance(node, FunctionNode):
        return False
    results = returned(node)
    return len(results) > 1 and any(not _is_none(value) for value in results)


def returned(node: FunctionNode) -> list[ast.expr | None]:
    """Returns what a function gives on each way out of it; nothing for a generator."""
    if is_generator(node):
        return []
    results = [one.value for one in _inner(node.body) if isinstance(one, ast.Return)]
    return results if _ends(node.body) else [*results, None]


@lru_cache(maxsize=4096)
def is_generator(node: FunctionNode) -> bool:
    """Whether calls of a function give what it yields."""
    return any(isinstance(one, STREAMS) for one in _inner(node.body))


def own_functions(node: FunctionNode) -> Iterator[FunctionNode]:
    """Yields the functions that a function itself defines."""
    return (one for one in _inner(node.body) if isinstance(one, FunctionNode))


def refuses(node: ast.AST | None) -> bool:
    """Whether a function raises an exception by a statement of its own, and never returns
    anything."""
    if not isinstance(node, FunctionNode):
        return False
    if is_generator(node) or _ends(node.body):
        return False
    inner = list(_inner(node.body))
    returns = (one.value for one in inner if isinstance(one, ast.Return))
    raises = (one for one in inner if isinstance(one, ast.Raise) and one.exc is not None)
    return any(raises) and all(map(_is_none, returns))


def acts(node: ast.AST | None, but: re.Pattern[str]) -> bool:
    """Whether a function does something by the way: calls something for what that does, `but` for
    functions of such names, sets what others hold, or opens something."""
    if not isinstance(node, FunctionNode):
        return False
    for one in _inner(node.body):
        if isinstance(one, ast.With | ast.AsyncWith | ast.Delete | ast.Global):
            return True
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call | ast.Await):
            called = one.value.value if isinstance(one.value, ast.Await) else one.value
            name = leaf(called.func) if isinstance(called, ast.Call) else ""
            if but.search(name) is None:
                return True
        if isinstance(one, ast.Attribute | ast.Subscript) and isinstance(one.ctx, ast.Store):
            return True
    return False


def only_raises(node: ast.AST | None) -> bool:
    """Whether a function does nothing but raise an exception."""
    if not isinstance(node, FunctionNode):
        return False
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    return len(body) == 1 and isinstance(body[0], ast.Raise)


def returns_itself(node: ast.AST) -> bool:
    """Whether a method returns its object, and nothing else."""
    if not isinstance(node, FunctionNode) or not node.args.args:
        return False
    results = returned(node)
    own = node.args.args[0].arg
    return bool(results) and all(isinstance(r, ast.Name) and r.id == own for r in results)


@lru_cache(maxsize=4096)
def inner_nodes(node: FunctionNode) -> tuple[ast.AST, ...]:
    """Returns the nodes of a function without those of functions and classes in it."""
    return tuple(_inner(node.body))


def _inner(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yields the nodes of a function without those of functions and classes in it."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, NESTED):
            waiting += ast.iter_child_nodes(node)


def _is_none(value: ast.expr | None) -> bool:
    return value is None or is_none(value)


def _ends(body: Sequence[ast.stmt]) -> bool:
    """Whether what follows a block is never reached."""
    last = body[-1] if body else None
    match last:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(body=then, orelse=other):
            return _ends(then) and _ends(other)
        case ast.With(body=inside) | ast.AsyncWith(body=inside):
            return _ends(inside)
        case ast.Try(body=tried, handlers=handlers, orelse=other, finalbody=final):
            handled = all(_ends(one.body) for one in handlers)
            return _ends(final) or (handled and (_ends(tried) or _ends(other)))
        case ast.While(test=ast.Constant(value=true)):
            return bool(true) and not any(isinstance(n, ast.Break) for n in ast.walk(last))
    return False
