"""Public names by which users have classes, and their objects, that are made by calls."""

from __future__ import annotations

import ast

from pytest_lift.source.exits import returned
from pytest_lift.source.program import SourceFile
from pytest_lift.source.symbols import Symbol
from pytest_lift.source.syntax import leaf


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
