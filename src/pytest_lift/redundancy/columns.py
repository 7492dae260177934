"""Computes the columns of the parameter table for test functions that differ in literals only."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from pytest_lift.assertions.spelling import Speller
from pytest_lift.redundancy.shapes import body_of
from pytest_lift.source.syntax import FunctionNode

MOST_COLUMNS = 6
"""Most columns of a table; wider tables are hard to read."""
_BUILTINS = frozenset(dir(builtins))


@dataclass(frozen=True)
class Column:
    """Column of the table: a value in which the rows differ."""

    name: str
    values: tuple[str, ...]
    """Source of the literal, one for each row."""
    places: tuple[ast.expr, ...]
    """Nodes in the first function where the literal stands."""
    assignments: tuple[ast.stmt, ...] = ()
    """Statements of the first function that only assign the literal to the column's own name."""


def columns_of(functions: Sequence[FunctionNode], used: Collection[str]) -> tuple[Column, ...]:
    """Returns the columns; empty if the functions cannot form one table or do not differ.

    `used` are names that are taken.
    """
    literals = [_literals(function) for function in functions]
    names = _names(functions[0])
    fixed = {id(node) for function in functions for node in _fixed(function)}
    found: dict[tuple[str, ...], list[ast.expr]] = {}
    for nodes in zip(*literals, strict=True):
        values = tuple(ast.unparse(node) for node in nodes)
        if len(set(values)) == 1:
            continue
        if any(id(node) in fixed for node in nodes):
            return ()
        found.setdefault(values, []).append(nodes[0])
    if not 0 < len(found) <= MOST_COLUMNS:
        return ()
    taken = set(used) | _BUILTINS
    assigned = _assigned(functions[0])
    columns = []
    for values, places in found.items():
        own = next((assigned[id(p)] for p in places if id(p) in assigned), None)
        if own is not None:
            columns.append(Column(own.name, values, tuple(places), (own.statement,)))
            continue
        name = _free(next((names[id(p)] for p in places if id(p) in names), "value"), taken)
        taken.add(name)
        columns.append(Column(name, values, tuple(places)))
    return tuple(sorted(columns, key=lambda column: column.name.startswith("expected")))


@dataclass(frozen=True)
class _Assigned:
    name: str
    statement: ast.stmt


def _assigned(function: FunctionNode) -> dict[int, _Assigned]:
    """Returns literal -> its plain assignment to a variable that is bound nowhere else.

    The column replaces the variable. The last statement is never replaced, so that the body is not
    empty.
    """
    stored = Counter(
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    )
    bound = {n.arg for n in ast.walk(function) if isinstance(n, ast.arg)}
    starts = Counter(node.lineno for node in function.body)
    body = body_of(function)
    found: dict[int, _Assigned] = {}
    for node in body[:-1]:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and starts[node.lineno] == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name) and stored[target.id] == 1 and target.id not in bound:
                found[id(node.value)] = _Assigned(target.id, node)
    return found


def _literals(function: FunctionNode) -> list[ast.expr]:
    """Returns the literals, in an order that is equal for equal shapes."""
    speller = Speller({}, frozenset())
    for node in body_of(function):
        speller.spell(node)
    return speller.literals


def _fixed(function: FunctionNode) -> Iterator[ast.AST]:
    """Yields literals that no name can replace: in formatted strings and patterns, and inside
    nested functions and classes, which may keep or hide names."""
    inner = (ast.JoinedStr, ast.match_case, FunctionNode, ast.ClassDef, ast.Lambda)
    for node in body_of(function):
        for part in ast.walk(node):
            if isinstance(part, inner):
                yield from ast.walk(part)
            elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
                yield part.value


def _names(function: FunctionNode) -> dict[int, str]:
    """Returns literal -> name suggested by its place: the keyword, ``expected`` on the right side
    of a comparison, or the variable that it is assigned to."""
    found: dict[int, str] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.keyword) and node.arg:
            found[id(node.value)] = node.arg
        elif isinstance(node, ast.Compare) and len(node.comparators) == 1:
            found[id(node.comparators[0])] = "expected"
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            found[id(node.value)] = name if name == "expected" else f"given_{name}"
    return found


def _free(name: str, taken: Collection[str]) -> str:
    number = 1
    free = name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free
