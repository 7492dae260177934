"""Names that code binds, by imports and in blocks, and the qualified names that they stand for.

Which of several bindings counts is decided by when the name is used, and only running tells that.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeGuard

from pytest_lift.source.syntax import FunctionNode, leaf, texts

ImportNode = ast.Import | ast.ImportFrom
EXCEPTIONS = frozenset(
    name for name, one in vars(builtins).items()
    if isinstance(one, type) and issubclass(one, BaseException)
)  # fmt: skip
"""Names of Python's own exceptions, which are bound everywhere."""


class Import(NamedTuple):
    """One name that an import statement binds; a star import binds the name ``*``."""

    module: str
    """Module of a ``from`` import, with its leading dots; "" for ``import a.b``."""
    name: str
    """Name in the module, or the module that ``import a.b`` names."""
    bound: str
    origin: str
    """Qualified name of what is bound: ``a`` for ``import a.b``, ``a.b`` for ``import a.b as c``.
    That of a relative import begins with its dots."""

    @property
    def source(self) -> str:
        """The module that is imported."""
        return self.module or self.name

    @property
    def top(self) -> str:
        """First part of the module's name; "" for a relative import."""
        return self.source.partition(".")[0]

    @property
    def line(self) -> str:
        """Statement that imports this name alone."""
        plain = self.name if self.module else self.origin
        renamed = "" if self.bound == plain else f" as {self.bound}"
        return f"{f'from {self.module} ' if self.module else ''}import {self.name}{renamed}"


def import_bindings(node: ImportNode) -> Iterator[Import]:
    """Yields the names that a statement binds, in order."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            origin = f"{module}{'' if module.endswith('.') else '.'}{alias.name}"
            yield Import(module, alias.name, alias.asname or alias.name, origin)
        else:
            origin = alias.name if alias.asname else alias.name.partition(".")[0]
            yield Import("", alias.name, alias.asname or origin, origin)


def is_import(node: ast.AST) -> TypeGuard[ImportNode]:
    return isinstance(node, ast.Import | ast.ImportFrom)


def is_future(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def imports_in(nodes: Iterable[ast.AST]) -> Iterator[Import]:
    """Yields what those of `nodes` bind that are import statements."""
    return (found for node in nodes if is_import(node) for found in import_bindings(node))


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
    """Returns names that a block itself binds; functions and classes in it are other blocks."""
    found: dict[str, list[ast.expr | None]] = {}
    for name, value in _with_values(body):
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


def _with_values(body: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.expr | None]]:
    """Yields (name, value of a plain assignment or None for any other binding), in the order of the
    text. A value that is taken apart goes to no name as a whole."""
    for node in body:
        parts: list[ast.AST] = [node]
        value = None
        if isinstance(node, ast.Assign):
            parts, value = [*node.targets, node.value], node.value
        elif isinstance(node, ast.AnnAssign):
            value = node.value
            parts = [node.target, value] if value else []
        for part in parts:
            whole = value if isinstance(part, ast.Name) else None
            yield from ((name, whole) for name in bound_names(part))


def bound_names(node: ast.AST) -> Iterator[str]:
    """Yields the names that a piece of code binds or deletes in its own scope, in the order of the
    text; a star import binds ``*``."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield from _bound_by(part)
        if isinstance(part, ast.comprehension):  # its target is a name of the comprehension alone
            waiting += [*part.ifs, part.iter]
        elif not isinstance(part, FunctionNode | ast.ClassDef | ast.Lambda):
            waiting += reversed([*ast.iter_child_nodes(part)])


def listed_names(tree: ast.Module) -> frozenset[str] | None:
    """Returns the names that ``__all__`` lists, all that a star import may bind; None where there
    is none, or what is added to it is no literal."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case (
                ast.Assign(targets=[ast.Name("__all__")], value=value)
                | ast.AugAssign(target=ast.Name("__all__"), value=value)
                | ast.AnnAssign(target=ast.Name("__all__"), value=value)
            ):
                listed = value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
                names = [getattr(one, "value", None) for one in listed]
                if not all(isinstance(name, str) for name in names):
                    return None
                found.update(map(str, names))
            case ast.Attribute(ast.Name("__all__"), "append" | "extend" | "insert"):
                return None
    return frozenset(found) if found else None


def all_bound_names(node: ast.AST) -> Iterator[str]:
    """Yields the names that a piece of code binds in any scope, parameters included."""
    return (name for part in ast.walk(node) for name in _bound_by(part))


_NAMING: dict[type[ast.AST], str] = {
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef), "name"),
    **dict.fromkeys((ast.ExceptHandler, ast.MatchAs, ast.MatchStar), "name"),
    ast.MatchMapping: "rest",
    ast.arg: "arg",
}
"""Kinds of nodes that bind a name -> their field with it, which may be empty."""


def _bound_by(node: ast.AST) -> Iterator[str]:
    """Yields the names that a node itself binds, apart from what is inside it."""
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            yield node.id
    elif is_import(node):
        yield from (found.bound for found in import_bindings(node))
    elif name := getattr(node, _NAMING.get(type(node), ""), None):
        yield name


REPLACING = frozenset({"setattr", "delattr", "patch", "object", "multiple"})
"""Last parts of the calls that put something else in the place of what they name."""
READING = frozenset({"getattr", "hasattr", "attrgetter"})
"""Last parts of the calls that reach what they name."""


class QualifiedNames:
    """One tree, with the qualified names that its names stand for."""

    def __init__(self, tree: ast.AST, known: Mapping[str, str] | None = None) -> None:
        found = imports_in(ast.walk(tree))
        imported = {one.bound: one.origin for one in found if not one.origin.startswith(".")}
        self.names = {**(known or {}), **imported}
        for node in ast.walk(tree):  # os_ = os; leave = os_._exit
            if isinstance(node, ast.Assign) and (meant := self.of(node.value)):
                targets = (t for t in node.targets if isinstance(t, ast.Name))
                self.names.update((target.id, meant) for target in targets)

    def of(self, node: ast.expr) -> str:
        """Returns the qualified name that a name or an attribute stands for, "" when it is
        unknown."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, "")
        if isinstance(node, ast.Attribute):
            owner = self.of(node.value)
            return f"{owner}.{node.attr}" if owner else ""
        if isinstance(node, ast.Call) and leaf(node.func) in ("__import__", "import_module"):
            return next(texts(node.args[:1]), "")
        if isinstance(node, ast.Subscript) and self.of(node.value) == "sys.modules":
            return next(texts([node.slice]), "")
        return ""

    def named(self, call: ast.Call, callees: frozenset[str] = REPLACING) -> Iterator[str]:
        """Yields the qualified names of what `call` replaces or reaches by a text.

        ``patch("a.b")``, ``setattr("a.b", 1)`` and ``setattr(a, "b", 1)`` name ``a.b``; where the
        owner is unknown, the name begins with a dot.
        """
        if leaf(call.func) not in callees or not call.args:
            return
        first = call.args[0]
        direct = list(texts([first]))
        owner = direct[0] if direct else self.of(first)
        if leaf(call.func) == "multiple":
            yield from (f"{owner}.{word.arg}" for word in call.keywords if word.arg)
        elif direct and ("." in owner or leaf(call.func) == "attrgetter"):
            yield owner
        else:
            yield from (f"{owner}.{name}" for name in texts(call.args[1:2]))


def used_names(node: ast.AST) -> set[str]:
    """Returns names that a piece of code uses: also those of parameters, attributes and
    fixtures."""
    found: set[str] = set()
    for inner in ast.walk(node):
        match inner:
            case ast.Name(id=name) | ast.arg(arg=name):
                found.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                found.add(name)
            case ast.Call(func=function) if leaf(function) in ("usefixtures", "getfixturevalue"):
                found.update(texts(inner.args))
    return found
