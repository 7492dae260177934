"""What calls make: objects of classes without a public name, classes, and functions."""

from __future__ import annotations

import ast
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from pytest_lift.source.bindings import bindings
from pytest_lift.source.exits import own_functions, returned
from pytest_lift.source.program import SourceFile
from pytest_lift.source.symbols import Parameter, Symbol, parameters_of
from pytest_lift.source.syntax import FunctionNode, chain, leaf, parsed_expression

OWN = frozenset({"self", "this"})
"""Names by which methods know their object."""
MOST_ASKED = 12
"""Most functions that are asked in turn for the one that a function returns."""


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


def instances_of(file: SourceFile) -> dict[str, str]:
    """Returns private class of a module -> the first public variable there that is an object of
    it."""
    private = {s.name for s in file.symbols if s.kind == "class" and s.name.startswith("_")}
    found: dict[str, str] = {}
    for name, value in bindings(file.tree.body).once.items() if private else ():
        made = _class_of(value, {})
        if made in private and not name.startswith("_"):
            found.setdefault(made, name)
    return found


def classes_given(node: FunctionNode, held: Mapping[str, str]) -> Iterator[str]:
    """Yields the name of the class of which a function gives objects, as its hint tells it, and as
    its ``return`` statements do; `held` are attributes of its object with their classes."""
    if hint := _named_class(node.returns):
        yield hint
    bound = {**dict(_bound(node.body)), **held}
    kinds = {_class_of(result, bound) for result in returned(node)}
    yield from kinds if len(kinds) == 1 else ()


@lru_cache(maxsize=64)
def attributes_held(node: ast.ClassDef) -> Mapping[str, str]:
    """Returns ``self.attribute`` -> name of the class of which a class makes the object in it, for
    what it assigns in one place."""
    found: dict[str, list[str]] = {}
    for method in node.body:
        for name, kind in _bound(method.body) if isinstance(method, ast.FunctionDef) else ():
            if name.partition(".")[0] in OWN:
                found.setdefault(name, []).append(kind)
    return {name: kinds[0] for name, kinds in found.items() if len(kinds) == 1 and kinds[0]}


def _named_class(hint: ast.expr | None) -> str:
    """Returns the name of the class that a hint is; "" for any other one."""
    if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
        hint = parsed_expression(hint.value)
    return leaf(hint) if isinstance(hint, ast.Name | ast.Attribute) else ""


def _bound(body: Sequence[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Yields (variable or attribute, name of the class of the object that it gets, or "")."""
    for node in (one for statement in body for one in ast.walk(statement)):
        match node:
            case ast.Assign(targets=targets, value=value):
                yield from ((ast.unparse(target), _class_of(value, {})) for target in targets)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield ast.unparse(target), _class_of(value, {})


def _class_of(value: ast.expr | None, bound: Mapping[str, str]) -> str:
    """Returns the name of what is called for an object, or the class that is known of a variable;
    "" for anything else."""
    match value:
        case ast.Call(func=ast.Name() | ast.Attribute() as made):
            return leaf(made)
        case ast.Name() | ast.Attribute():
            return bound.get(ast.unparse(value), "")
    return ""


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


def made_functions(
    node: ast.AST | None, beside: Mapping[str, FunctionNode]
) -> tuple[tuple[Parameter, ...], ...]:
    """Returns the parameters of the function that a function returns, then of the one that this
    returns, and so on; `beside` are those that it may call."""
    return tuple(tuple(parameters_of(made.args)) for made in returned_functions(node, beside))


def returned_functions(
    node: ast.AST | None, beside: Mapping[str, FunctionNode]
) -> Iterator[FunctionNode | ast.Lambda]:
    """Yields the function that a function defines and returns, or has from one of those `beside`
    that it calls last, then the one that this returns."""
    return _returned_functions(node, beside, set())


def _returned_functions(
    node: ast.AST | None, beside: Mapping[str, FunctionNode], asked: set[ast.AST]
) -> Iterator[FunctionNode | ast.Lambda]:
    """Yields what `returned_functions` does; none is asked twice: it gives nothing again."""
    if not isinstance(node, FunctionNode) or node in asked or len(asked) == MOST_ASKED:
        return
    asked.add(node)
    inner = {one.name: one for one in own_functions(node)}
    for value in returned(node):
        given = value.body if isinstance(value, ast.IfExp) else value
        made = inner.get(given.id) if isinstance(given, ast.Name) else given
        if isinstance(made, ast.FunctionDef | ast.Lambda):
            yield made
            yield from _returned_functions(made, beside, asked)
            return
        other = beside.get(".".join(chain(made.func))) if isinstance(made, ast.Call) else None
        if found := [*_returned_functions(other, beside, asked)]:
            yield from found
            return


def functions_beside(tree: ast.Module, symbol: str) -> ChainMap[str, FunctionNode]:
    """Returns the plain functions of a module, and ``self.name`` -> method of the class of a
    symbol, as code in it calls them."""
    owner = symbol.rpartition(".")[0]
    return ChainMap(_methods(tree).get(owner, {}), _plain(tree, ""))


@lru_cache(maxsize=64)
def _methods(tree: ast.Module) -> Mapping[str, dict[str, FunctionNode]]:
    """Returns class of a module -> ``self.name`` -> its method."""
    return {one.name: _plain(one, "self.") for one in tree.body if isinstance(one, ast.ClassDef)}


@lru_cache(maxsize=1024)
def _plain(room: ast.Module | ast.ClassDef, prefix: str) -> dict[str, FunctionNode]:
    """Returns the functions of a module or class that no decorator changes, by their names."""
    return {
        f"{prefix}{one.name}": one
        for one in room.body
        if isinstance(one, ast.FunctionDef) and not one.decorator_list
    }
