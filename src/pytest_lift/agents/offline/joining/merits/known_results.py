"""Tells from the source of functions what their results say: constants, and what is only read."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from pytest_lift.agents.offline.writing.readings import READINGS
from pytest_lift.source.bindings import all_bound_names
from pytest_lift.source.exits import is_generator, returned
from pytest_lift.source.syntax import FunctionNode, leaf

COMPUTING = (ast.BinOp, ast.Subscript, ast.IfExp, ast.comprehension, ast.Lambda, ast.Await)
"""Parts of an expression that does more than to read what an object has."""


def constant_names(functions: Mapping[tuple[str, str], FunctionNode]) -> frozenset[str]:
    """Returns names of methods and properties that give the same whatever was done: each of their
    definitions, by (path, qualified name), does nothing but return a constant."""
    found: dict[str, bool] = {}
    for (_, symbol), node in functions.items():
        owner, _, name = symbol.rpartition(".")
        if owner:
            found[name] = found.get(name, True) and _gives_a_constant(node)
    return frozenset(name for name, constant in found.items() if constant)


def fixed_results(functions: Mapping[tuple[str, str], FunctionNode]) -> dict[str, str]:
    """Returns name of a function -> what its code spells out, constants and names of its module,
    and what it gives whenever it ends without an error, in each of its definitions, by (path,
    qualified name)."""
    found: dict[str, set[str]] = {}
    for (_, symbol), node in functions.items():
        found.setdefault(symbol.rpartition(".")[2], set()).update(_results_of(node))
    one = {name: next(iter(results)) for name, results in found.items() if len(results) == 1}
    return {name: result for name, result in one.items() if result}


def fixed_result(node: FunctionNode) -> str:
    """Returns what the code of a function spells out, if it gives that whenever it ends without an
    error; else ""."""
    results = {*_results_of(node)}
    return next(iter(results)) if len(results) == 1 else ""


def _results_of(node: FunctionNode) -> Iterator[str]:
    """Yields what a function gives on each way out of it, "" for what its code does not spell
    out."""
    if is_generator(node):
        yield ""
    own = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
    own |= {name for line in node.body for name in all_bound_names(line)}
    for value in returned(node):
        yield ast.unparse(value) if value is not None and _is_spelt_out(value, own) else ""


def _is_spelt_out(value: ast.expr, own: AbstractSet[str]) -> bool:
    """Whether an expression has nothing but constants, and names that are not a function's `own`,
    in lists and tuples."""
    match value:
        case ast.Name(id=name):
            return name not in own
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return all(_is_spelt_out(item, own) for item in items)
    return isinstance(value, ast.Constant)


def reading_names(functions: Mapping[tuple[str, str], FunctionNode]) -> frozenset[str]:
    """Returns names of methods and properties that do nothing but read attributes, or ask others
    that do no more, in each of their definitions, by (path, qualified name)."""
    asked: dict[str, AbstractSet[str] | None] = {}
    for (_, symbol), node in functions.items():
        name, own = symbol.rpartition(".")[2], asked_by(node)
        before = asked.get(name, frozenset())
        asked[name] = None if own is None or before is None else before | own
    reading = {name: others for name, others in asked.items() if others is not None}
    while more := [name for name, others in reading.items() if others - READINGS - reading.keys()]:
        for name in more:
            del reading[name]
    return frozenset(reading)


def asked_by(node: FunctionNode) -> AbstractSet[str] | None:
    """Returns the names of what a function calls without arguments, and of `READINGS`; None where
    it does more than to return what it reads."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    match body:
        case [ast.Return(value=ast.expr() as value)]:
            parts = [*ast.walk(value)]
            calls = [part for part in parts if isinstance(part, ast.Call)]
            given = [c for c in calls if (c.args or c.keywords) and leaf(c.func) not in READINGS]
            computes = any(isinstance(part, COMPUTING) for part in parts)
            return None if given or computes else {leaf(call.func) for call in calls}
    return None


def _gives_a_constant(node: FunctionNode) -> bool:
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if len(body) != 1:
        return not body
    match body[0]:
        case ast.Return(value=ast.Constant() | ast.UnaryOp(operand=ast.Constant()) | None):
            return True
        case ast.Raise() | ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
    return False
