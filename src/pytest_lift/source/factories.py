"""What calls make: objects of classes without a public name, classes, and functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.source.exits import own_functions, returned
from pytest_lift.source.program import SourceFile
from pytest_lift.source.symbols import Parameter, Symbol, parameters_of
from pytest_lift.source.syntax import FunctionNode, leaf


def factories_of(file: SourceFile) -> dict[str, Symbol]:
    """Returns private class of a module -> its first public function that returns nothing but
    objects of the class."""
    private = {s.name for s in file.symbols if s.kind == "class" and s.name.startswith("_")}
    plain = {s.name: s for s in file.symbols if s.kind == "function" and not s.decorators}
    found: dict[str, Symbol] = {}
    for node in file.tree.body if private else ():
        if isinstance(node, ast.FunctionDef) and node.name in plain and node.name[:1] != "_":
            results = returned(node)
            made = {leaf(one.func) if isinstance(one, ast.Call) else "" for one in results}
            if len(made) == 1 and made <= private:
                found.setdefault(made.pop(), plain[node.name])
    return found


def derived_by_calls(file: SourceFile) -> dict[str, str]:
    """Returns class of a module -> the public name of the class that a call derives from it alone:
    ``Validator = Meta("Validator", (BareValidator,), {})``."""
    own = {s.name for s in file.symbols if s.kind == "class"}
    found: dict[str, str] = {}
    for node in file.tree.body:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(args=[ast.Constant(value=str(said)), ast.Tuple(elts=[base]), _]),
            ) if said == name and not name.startswith("_") and leaf(base) in own:
                found[leaf(base)] = name
    return found


def made_functions(node: ast.AST | None) -> tuple[tuple[Parameter, ...], ...]:
    """Returns the parameters of the function that a function defines and returns, then of the one
    that this returns, and so on."""
    return tuple(tuple(parameters_of(made.args)) for made in returned_functions(node))


def returned_functions(node: ast.AST | None) -> Iterator[FunctionNode | ast.Lambda]:
    """Yields the function that a function defines and returns, then the one that this returns."""
    inner = {one.name: one for one in own_functions(node)} if isinstance(node, FunctionNode) else {}
    for value in returned(node) if isinstance(node, FunctionNode) else ():
        made = inner.get(value.id) if isinstance(value, ast.Name) else value
        if isinstance(made, ast.FunctionDef | ast.Lambda):
            yield made
            yield from returned_functions(made)
            return
