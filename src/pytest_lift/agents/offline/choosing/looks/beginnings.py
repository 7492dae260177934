"""Tells the values with which attributes begin, as the classes of a program set them: a test of an
object that was just made says nothing by them."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from functools import lru_cache

from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode

Attribute = tuple[str, str]
"""Name of an attribute, and the source of its value."""


@lru_cache(maxsize=1)
def beginnings_of(program: Program) -> frozenset[Attribute]:
    """Returns the attributes with the values that the code of a class spells out for them: those of
    the class itself, and what its constructor sets to a constant or to a parameter that has a
    default; cached over iterations."""
    trees = (file.tree for file in program.files.values())
    classes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return frozenset(pair for node in classes for pair in _begun(node))


def _begun(owner: ast.ClassDef) -> Iterator[Attribute]:
    for node in owner.body:
        yield from _assigned(node, "", {})
        if isinstance(node, FunctionNode) and node.name == "__init__":
            defaults = _defaults(node.args)
            for line in ast.walk(node):
                yield from _assigned(line, "self", defaults)


def _assigned(node: ast.AST, owner: str, defaults: dict[str, str]) -> Iterator[Attribute]:
    """Yields the attributes of an `owner`, or names where there is none, that a statement sets to
    what is spelt out."""
    match node:
        case ast.Assign(targets=targets, value=value):
            pass
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            targets = [target]
        case _:
            return
    source = _spelt_out(value, defaults)
    for one in targets if source is not None else ():
        match one:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == owner:
                yield attribute.lstrip("_"), source or ""
            case ast.Name(id=attribute) if not owner:
                yield attribute.lstrip("_"), source or ""


def _spelt_out(value: ast.expr, defaults: dict[str, str]) -> str | None:
    """Returns the source of a constant, of a class, or of the default of a parameter; None for all
    else."""
    if isinstance(value, ast.Name):
        built_in = isinstance(getattr(builtins, value.id, None), type)
        is_class = value.id[:1].isupper() or built_in
        return defaults.get(value.id, value.id if is_class else None)
    try:
        return repr(ast.literal_eval(value))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _defaults(taken: ast.arguments) -> dict[str, str]:
    """Returns the defaults of parameters that are spelt out."""
    positional = [*taken.posonlyargs, *taken.args]
    given = zip(reversed(positional), reversed(taken.defaults), strict=False)
    named = zip(taken.kwonlyargs, taken.kw_defaults, strict=True)
    pairs = ((one.arg, value) for one, value in (*given, *named) if value is not None)
    known = ((name, _spelt_out(value, {})) for name, value in pairs)
    return {name: source for name, source in known if source is not None}
