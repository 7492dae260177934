"""Reads the classes that calls of `namedtuple` and `NamedTuple` make as class statements."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator, Mapping

from pytest_lift.source.syntax import leaf

Given = Mapping[str, tuple[str, ...]]
"""Class -> names of its attributes that statements below it assign."""


def with_tuple_classes(tree: ast.Module) -> ast.Module:
    """Returns the module with a class statement in the place of each
    ``Point = namedtuple("Point", "x y")``; what is assigned to attributes of the class below it
    stands there and in the class."""
    made = {node: name for node in tree.body if (name := _made(node))}
    if not made:
        return tree
    given = _given(tree)
    body = [_class(node, made[node], given) if node in made else node for node in tree.body]
    return ast.Module(body, tree.type_ignores)


def _made(node: ast.stmt) -> str:
    """Returns the name of the class that a statement makes; empty for any other one."""
    match node:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(func=made, args=[ast.Constant(value=str(said)), _, *_]),
        ) if said == name and leaf(made) in ("namedtuple", "NamedTuple"):
            return name
    return ""


def _given(tree: ast.Module) -> Given:
    found: dict[str, tuple[str, ...]] = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=name)]):
                found[owner] = (*found.get(owner, ()), name)
    return found


def _class(node: ast.stmt, name: str, given: Given) -> ast.stmt:
    """Returns the class statement, each part of it where the call stands."""
    assert isinstance(node, ast.Assign)
    assert isinstance(node.value, ast.Call)
    lines = [*_fields(node.value.args[1])]
    lines += [f"{one} = ..." for one in given.get(name, ()) if not one.startswith("__")]
    inside = "\n    ".join(lines or ["pass"])
    made = ast.parse(f"class {name}(NamedTuple):\n    {inside}").body[0]
    for part in ast.walk(made):
        if isinstance(part, ast.stmt | ast.expr):
            ast.copy_location(part, node)
    return made


def _fields(written: ast.expr) -> Iterator[str]:
    """Yields a statement for each field, with its hint where it has one; an import tells which of
    the others have a default."""
    match written:
        case ast.Constant(value=str(text)):
            yield from (f"{one} = ..." for one in text.replace(",", " ").split() if _is_name(one))
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            for element in elements:
                match element:
                    case ast.Constant(value=str(one)) if _is_name(one):
                        yield f"{one} = ..."
                    case ast.Tuple(elts=[ast.Constant(value=str(one)), hint]) if _is_name(one):
                        yield f"{one}: {ast.unparse(hint)}"


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text) and text[:1] != "_"
