"""Qualified names that the names of a file stand for, through imports, aliases and texts."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from pytest_lift.source.bindings import imports_in
from pytest_lift.source.syntax import leaf, texts

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
