"""Which names a block of code binds, and to what: only a name that is bound once can be followed.

Which of several bindings counts is decided by when the name is used, and only running tells that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPOUND = (*_LOOPS, ast.If, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)


@dataclass(frozen=True)
class Bindings:
    """The names of one block."""

    once: dict[str, ast.expr]
    """Name -> value, of those that one plain assignment binds and nothing else does."""
    unclear: dict[str, tuple[ast.expr, ...]]
    """Name -> values of its plain assignments, of those that are bound more than once or otherwise
    than by a plain assignment too."""
    last: dict[str, ast.expr]
    """Name -> value, where the last thing that binds it at all is a plain assignment."""


def bindings(body: Iterable[ast.stmt]) -> Bindings:
    """Names that a block itself binds; bodies of functions and classes in it are blocks of their
    own."""
    found: dict[str, list[ast.expr | None]] = {}
    for name, value in _bound(body):
        found.setdefault(name, []).append(value)
    return Bindings(
        {name: only for name, (only, *more) in found.items() if only is not None and not more},
        {
            name: plain
            for name, values in found.items()
            if len(values) > 1 and (plain := tuple(v for v in values if v is not None))
        },
        {name: values[-1] for name, values in found.items() if values[-1] is not None},
    )


def _bound(body: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.expr | None]]:
    """(name, value of a plain assignment or None for any other binding), in the order of the
    text."""
    for node in body:
        if isinstance(node, _DEFINITIONS):
            yield node.name, None
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _targeted(target, node.value)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                yield from _targeted(node.target, node.value)
        elif isinstance(node, ast.AugAssign):
            yield from _targeted(node.target, None)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            # A star import may bind any name, and hardly ever binds that of a mark.
            yield from ((a.asname or a.name.partition(".")[0], None) for a in node.names)
        elif isinstance(node, ast.Delete):
            yield from ((name, None) for target in node.targets for name, _ in _targeted(target))
        elif isinstance(node, _COMPOUND):
            yield from ((name, None) for name in _inside(node))


def _targeted(
    target: ast.AST, value: ast.expr | None = None
) -> Iterator[tuple[str, ast.expr | None]]:
    """A value that is taken apart goes to no name as a whole."""
    if isinstance(target, ast.Name):
        yield target.id, value
    else:
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                yield node.id, None


def _inside(node: ast.AST) -> Iterator[str]:
    """Names that a compound statement binds; a block of it may run never, once, or often."""
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt) and not isinstance(child, _COMPOUND):
            yield from (name for name, _ in _bound([child]))
        else:
            yield from _inside(child)


Import = tuple[str, str, str]
"""(module with its leading dots or "", name, bound as)."""


def import_bindings(node: ast.Import | ast.ImportFrom) -> Iterator[Import]:
    """``from a import b as c`` -> ("a", "b", "c"); ``import a.b`` -> ("", "a.b", "a")."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield module, alias.name, alias.asname or alias.name
        else:
            yield "", alias.name, alias.asname or alias.name.partition(".")[0]
