"""Key tokens of a function: the names that decide which of its branches are taken, by their roles.

After LspRag (Go et al., ICSE 2026): what guards a branch, what feeds a guard, the types of the
parameters, and what a result is made of. Local names are none: what they are assigned is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from pytest_lift.source.bindings import all_bound_names
from pytest_lift.source.syntax import FunctionNode, chain, leaf, parsed_expression

Role = Literal["guard", "flow", "type", "result", "call"]
ROLES: tuple[Role, ...] = ("guard", "type", "flow", "result", "call")
"""The most telling first."""
MODULE_NAMES = frozenset({"__file__", "__name__", "__doc__", "__spec__", "__package__", "__path__"})
"""Names of every module, which nothing defines."""
DEEPEST = 4
"""Steps from a guard back to what its names are assigned."""


@dataclass(frozen=True)
class KeyToken:
    """One dotted name of a function, at the first place where it has its most telling role."""

    text: str
    """As it is written: ``leaf.parent.type``."""
    role: Role
    line: int
    column: int
    """Bytes of its line before its last part."""

    @property
    def leaf(self) -> str:
        return self.text.rpartition(".")[2]


def key_tokens(function: FunctionNode) -> tuple[KeyToken, ...]:
    """Returns the key tokens of a function in the order of the text, each dotted name once."""
    local = {*all_bound_names(function), *MODULE_NAMES} - {function.name}
    found: dict[str, KeyToken] = {}
    for role, nodes in _by_role(function):
        for node in nodes:
            for token in _tokens(node, role):
                if token.text not in local:
                    found.setdefault(token.text, token)
    return tuple(sorted(found.values(), key=lambda token: (token.line, token.column)))


def _by_role(function: FunctionNode) -> Iterator[tuple[Role, list[ast.AST]]]:
    inside = [node for statement in function.body for node in ast.walk(statement)]
    guards = [part for node in inside for part in _guards(node)]
    yield "guard", guards
    yield "type", [*_annotations(function)]
    yield "flow", _feeding(guards, inside)
    yield "result", [part for node in inside for part in _results(node)]
    yield "call", [node.func for node in inside if isinstance(node, ast.Call)]


def _guards(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the expressions that a node decides by."""
    match node:
        case ast.If() | ast.While() | ast.IfExp() | ast.Assert():
            yield node.test
        case ast.BoolOp():
            yield from node.values
        case ast.comprehension():
            yield from node.ifs
        case ast.ExceptHandler(type=ast.expr() as kind):
            yield kind
        case ast.Match():
            yield node.subject
        case ast.match_case():
            yield node.pattern
            if node.guard is not None:
                yield node.guard


def _annotations(function: FunctionNode) -> Iterator[ast.AST]:
    for node in ast.walk(function.args):
        if isinstance(node, ast.arg) and node.annotation is not None:
            yield node.annotation
    if function.returns is not None:
        yield function.returns


def _feeding(guards: Iterable[ast.AST], inside: Iterable[ast.AST]) -> list[ast.AST]:
    """Returns what the names in `guards` are assigned, and so on for the names therein."""
    sources: dict[str, list[ast.AST]] = {}
    for node in inside:
        for target, value in _assigned(node):
            for part in ast.walk(target):
                if isinstance(part, ast.Name):
                    sources.setdefault(part.id, []).append(value)
    found: list[ast.AST] = []
    waiting, seen = [*guards], set[str]()
    for _ in range(DEEPEST):
        names = {n.id for node in waiting for n in ast.walk(node) if isinstance(n, ast.Name)}
        waiting = [value for name in sorted(names - seen) for value in sources.get(name, ())]
        seen |= names
        found += waiting
    return found


def _assigned(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yields (target, value) of whatever binds names to a value."""
    match node:
        case ast.Assign():
            yield from ((target, node.value) for target in node.targets)
        case ast.AnnAssign(value=ast.expr() as value) | ast.NamedExpr(value=value):
            yield node.target, value
        case ast.AugAssign():
            yield node.target, node.value
        case ast.For() | ast.AsyncFor() | ast.comprehension():
            yield node.target, node.iter
        case ast.withitem(optional_vars=ast.expr() as target):
            yield target, node.context_expr


def _results(node: ast.AST) -> Iterator[ast.AST]:
    """Yields what oracles are made of: constants that are returned, exceptions that are raised."""
    if isinstance(node, ast.Raise):
        yield from (part for part in (node.exc, node.cause) if part is not None)
    elif isinstance(node, ast.Return) and node.value is not None:
        for part in ast.walk(node.value):
            if isinstance(part, ast.Name | ast.Attribute) and leaf(part).isupper():
                yield part


def _tokens(node: ast.AST, role: Role) -> Iterator[KeyToken]:
    """Yields each name and attribute of an expression; of an attribute its owner too."""
    for part in _walk(node):
        if isinstance(part, ast.Name):
            yield KeyToken(part.id, role, part.lineno, part.col_offset)
        elif isinstance(part, ast.Attribute):
            end, column = part.end_lineno or part.lineno, part.end_col_offset or 0
            text = ".".join(chain(part)) or f"{_shortened(part.value)}.{part.attr}"
            yield KeyToken(text, role, end, column - len(part.attr.encode()))
        elif isinstance(part, ast.Constant) and isinstance(part.value, str) and role == "type":
            yield from _quoted(part, part.value)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the parts of an expression, without the values of a ``Literal[...]``, which are no
    names."""
    yield node
    if isinstance(node, ast.Subscript) and leaf(node.value) == "Literal":
        yield from _walk(node.value)
        return
    for part in ast.iter_child_nodes(node):
        yield from _walk(part)


def _shortened(node: ast.expr) -> str:
    """Returns an owner that is no plain name, with its arguments left out: ``f(...)``."""
    match node:
        case ast.Call():
            return f"{_shortened(node.func)}(...)"
        case ast.Subscript():
            return f"{_shortened(node.value)}[...]"
        case ast.Attribute():
            return f"{_shortened(node.value)}.{node.attr}"
        case ast.Name():
            return node.id
    return "(...)"


def _quoted(node: ast.Constant, text: str) -> Iterator[KeyToken]:
    """Yields the names in an annotation that is a string on one line: ``"Leaf"``."""
    tree = parsed_expression(text)
    inside = node.col_offset + 1
    plain = (
        node.end_lineno == node.lineno and node.end_col_offset == inside + len(text.encode()) + 1
    )
    for token in _tokens(tree, "type") if tree is not None and plain else ():
        yield KeyToken(token.text, token.role, node.lineno, token.column + inside)
