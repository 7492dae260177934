"""Statements of documented blocks: what each binds, reads, changes and needs of others."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from pytest_lift.agents.offline.examples.defining import without_docstrings
from pytest_lift.calls.names import BUILTINS, free_names
from pytest_lift.source.bindings import bound_names
from pytest_lift.source.syntax import FunctionNode, is_bare_literal, unannotated

COMPOUND = (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Try, ast.If, ast.While)
INNER = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class ToldStatement:
    """One statement of a block."""

    node: ast.stmt
    source: str
    binds: frozenset[str]
    reads: frozenset[str]
    changes: frozenset[str] = frozenset()
    """Variables whose objects it may change."""
    place: int = 0
    """Number of the statement in its document."""

    @property
    def defines(self) -> bool:
        """Whether it is a definition that does nothing else."""
        return isinstance(self.node, FunctionNode | ast.ClassDef) and not self.changes


def read_statement(node: ast.stmt, variables: AbstractSet[str], place: int = 0) -> ToldStatement:
    """Returns a statement; `variables` are the names that assignments of its document bind, also in
    the place of Python's own (`next = ...`), `place` is its number there. What type a variable has
    says nothing to a test."""
    node = unannotated(node)
    built_in = BUILTINS - variables
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        source = ast.unparse(without_docstrings(node))
        roots = {root_of(one) for one in node.decorator_list} & variables
        reads = free_names(source) - {node.name} - built_in
        return ToldStatement(node, source, frozenset({node.name}), reads, frozenset(roots), place)
    binds = frozenset(bound_names(node))
    reads = frozenset(_loaded(node)) - built_in
    if isinstance(node, COMPOUND):
        reads -= binds
    if isinstance(node, ast.AugAssign):
        reads |= {root_of(node.target)}
    changed = {root_of(target) for target in _changed(node)} - {""}
    changes = frozenset(changed) & variables
    return ToldStatement(node, ast.unparse(node), binds, reads, changes, place)


def _loaded(node: ast.AST) -> Iterator[str]:
    """Yields the names that a statement reads, without those of comprehensions and lambdas."""
    if isinstance(node, (*INNER, ast.Lambda)):
        yield from free_names(ast.unparse(node))
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield node.id
    for part in ast.iter_child_nodes(node):
        yield from _loaded(part)


def _changed(node: ast.stmt) -> Iterator[ast.expr]:
    """Yields what a statement changes: the objects whose methods it calls, and places it sets."""
    for one in ast.walk(node):
        if isinstance(one, ast.Call):
            yield one.func
            yield from (given for given in one.args if isinstance(given, ast.Name))
        elif isinstance(one, ast.Attribute | ast.Subscript) and not isinstance(one.ctx, ast.Load):
            yield one
        elif isinstance(one, ast.AugAssign):
            yield one.target


def root_of(node: ast.expr) -> str:
    """Returns the variable with which an expression begins: ``app`` of ``app.route('/')``."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def needed(names: AbstractSet[str], before: Sequence[ToldStatement]) -> list[ToldStatement]:
    """Returns the statements before that bind names, or change what they bind, with those that
    these need."""
    wanted, open_names = set(names), set(names)
    bound: set[str] = set()
    found: list[ToldStatement] = []
    for one in reversed(before):
        binds = one.binds & open_names
        anew = bool(one.binds) and one.binds <= bound
        if binds or (one.changes & wanted and not anew and not _only_shows(one.node)):
            found.append(one)
            bound |= one.binds
            if not isinstance(one.node, ast.AugAssign):
                open_names -= one.binds
            wanted |= one.reads
            open_names |= one.reads
    return found[::-1]


def _only_shows(node: ast.stmt) -> bool:
    """Whether a statement prints or asserts something."""
    value = node.value if isinstance(node, ast.Expr) else None
    prints = isinstance(value, ast.Call) and ast.unparse(value.func) == "print"
    return prints or isinstance(node, ast.Assert)


def _only_acts(node: ast.stmt) -> bool:
    """Whether a statement is a call of which nothing is kept or shown."""
    return isinstance(node, ast.Expr) and not _only_shows(node)


def in_place(statements: Iterable[ToldStatement]) -> list[ToldStatement]:
    """Returns statements in the order of their document: a class that a decorator of the story is
    for stands behind it."""
    return sorted(statements, key=lambda one: one.place)


def unbound(statements: Iterable[ToldStatement]) -> frozenset[str]:
    """Returns the names that statements read and none of those before binds."""
    found: set[str] = set()
    known: set[str] = set()
    for one in statements:
        found |= one.reads - known
        known |= one.binds
    return frozenset(found)


def reached_from(statements: Iterable[ToldStatement], names: AbstractSet[str]) -> frozenset[str]:
    """Returns the variables that hold what comes of the names, or what may be changed by it, also
    by functions that it is given."""
    found = set(names)
    inside: dict[str, frozenset[str]] = {}
    for one in statements:
        if isinstance(one.node, FunctionNode):
            changed = [node for node in _changed(one.node) if not isinstance(node, ast.Name)]
            inside |= dict.fromkeys(one.binds, frozenset(map(root_of, changed)))
        if one.reads & found:
            given = (inside[name] for name in one.reads | one.binds if name in inside)
            found |= one.binds.union(one.changes, *given)
    return frozenset(found - names)


def is_stub(node: ast.stmt) -> bool:
    """Whether a function is shown without what it does: ``def load(path): ...``."""
    if not isinstance(node, FunctionNode) or node.decorator_list:
        return False
    return all(isinstance(one, ast.Pass) or is_bare_literal(one) for one in node.body)


def called_in(statements: Iterable[ToldStatement], names: AbstractSet[str]) -> bool:
    """Whether statements call one of the functions."""
    nodes = (node for one in statements for node in ast.walk(one.node))
    calls = (node.func for node in nodes if isinstance(node, ast.Call))
    return any(isinstance(called, ast.Name) and called.id in names for called in calls)


def components(
    statements: Sequence[ToldStatement], assumed: AbstractSet[str] = frozenset()
) -> list[list[ToldStatement]]:
    """Returns the statements in groups between which no variable passes, definitions left out; one
    without variables belongs to the group before it. Variables that are `assumed` pass from one to
    the next where a statement is there to change them."""
    acting = [one for one in statements if not one.defines]
    through = {name: one.reads for one in statements if one.defines for name in one.binds}
    variables = {name for one in acting for name in one.binds}
    variables |= {name for one in acting if _only_acts(one.node) for name in one.changes & assumed}
    groups: list[tuple[set[str], list[int]]] = []
    last: tuple[set[str], list[int]] | None = None
    for number, one in enumerate(acting):
        read = set(one.reads)
        for name in one.reads:
            read |= through.get(name, frozenset())
        names = (read | one.binds) & variables
        # what is bound anew without being read begins something new
        touched = [group for group in groups if group[0] & (names - (one.binds - read))]
        if not names and last is not None:
            touched = [last]
        joined = (names.union(*(group[0] for group in touched)), [number])
        for group in touched:
            joined[1][:0] = group[1]
        groups = [group for group in groups if group not in touched]
        for group in groups:
            group[0].difference_update(one.binds)
        groups.append(joined)
        last = joined
    found = sorted(sorted(numbers) for _, numbers in groups)
    return [[acting[number] for number in numbers] for numbers in found]
