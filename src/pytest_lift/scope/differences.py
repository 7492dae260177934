"""Two versions of a module -> the changed places of the new version."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from pytest_lift.scope.scope import STATEMENT, ScopePlace
from pytest_lift.source.program import FunctionNode

Versions = Mapping[str, Sequence[str]]
"""Qualified name -> dumps of its definitions in order; a property has several."""


def changed_places(path: str, before: str | None, now: str) -> tuple[ScopePlace, ...]:
    """Returns new and changed functions, classes and module-level statements. Changes of comments,
    formatting and docstrings are ignored.

    `before` is None for a new file. A new file, or one of which a version cannot be parsed, is one
    single place.
    """
    everything = ScopePlace(path, "", 1, max(now.count("\n") + 1, 1))
    try:
        old, new = ast.parse(before or ""), ast.parse(now)
    except (SyntaxError, ValueError, RecursionError):
        return () if before == now else (everything,)
    if before is None:
        return (everything,)
    known = _versions(_definitions(old.body, ""))
    found = [*_definitions(new.body, "")]
    later = _versions(iter(found))
    places = [
        ScopePlace(path, name, _first_line(node), node.end_lineno or node.lineno)
        for name, node in found
        if later[name] != known.get(name)
    ]
    return (*dict.fromkeys(places), *_statements(path, old, new))


def gone_names(before: str, now: str) -> tuple[str, ...]:
    """Returns the names of functions, classes and values that only the old version defines."""
    try:
        old, new = ast.parse(before), ast.parse(now)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    return tuple(sorted(_all_names(old) - _all_names(new)))


def _all_names(tree: ast.Module) -> set[str]:
    names = {name for name, _ in _definitions(tree.body, "")}
    for node in _simple(tree.body):
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                names.add(part.id)
    return names


Node = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _versions(found: Iterator[tuple[str, Node]]) -> dict[str, list[str]]:
    said: dict[str, list[str]] = defaultdict(list)
    for name, node in found:
        said[name].append(_said(node))
    return said


def _definitions(body: Sequence[ast.stmt], prefix: str) -> Iterator[tuple[str, Node]]:
    """Yields functions, methods and classes with their qualified names, but no definitions
    inside functions."""
    for node in body:
        if isinstance(node, FunctionNode):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield prefix + node.name, node
            yield from _definitions(node.body, f"{prefix}{node.name}.")
        else:
            yield from _definitions(_inner(node), prefix)


def _inner(node: ast.AST) -> list[ast.stmt]:
    """Returns the statements of an `if`, `try` or `with`."""
    found = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.stmt)]
    for handler in getattr(node, "handlers", ()):
        found += handler.body
    return found


def _said(node: Node) -> str:
    """Returns the dump of a definition; a class is dumped without its methods and inner classes."""
    if not isinstance(node, ast.ClassDef):
        return ast.dump(_without_doc(node))
    head = [*node.decorator_list, *node.bases, *(word.value for word in node.keywords)]
    own = [part for part in node.body if not isinstance(part, Node) and not _is_text(part)]
    return "\n".join(ast.dump(part) for part in (*head, *own) if not isinstance(part, ast.Pass))


def _without_doc(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
    body = node.body[1:] if _is_text(node.body[0]) else node.body
    fields = {name: value for name, value in ast.iter_fields(node) if name != "body"}
    return type(node)(**fields, body=body or [ast.Pass()])


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _first_line(node: Node) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _statements(path: str, old: ast.Module, new: ast.Module) -> Iterator[ScopePlace]:
    """Yields the statements that the old version does not have. Imports are ignored: a new
    import has an effect only where it is used."""
    there = Counter(ast.dump(node) for node in _simple(old.body))
    for node in _simple(new.body):
        said = ast.dump(node)
        if there[said]:
            there[said] -= 1
        else:
            yield ScopePlace(path, STATEMENT, node.lineno, node.end_lineno or node.lineno)


def _simple(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        if isinstance(node, Node | ast.Import | ast.ImportFrom) or _is_text(node):
            continue
        if inner := _inner(node):
            yield from _simple(inner)
        else:
            yield node
