"""Finds classes of a program whose objects collect what is written to them and give it back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from pytest_lift.source.bindings import bound_names
from pytest_lift.source.exits import returned
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import leaf

WRITING = re.compile(r"(write|print|emit|echo|append|put|push|send)(_?(line|lines|row|rows|ln))?")
"""Names of methods that take what is written."""
READING = re.compile(
    r"getvalue|fetch|((get|fetch|read|take|dump)_?)?"
    r"(output|written|text|contents?|lines|messages|records|buffer)"
)
"""Names of methods without arguments that give back what was written."""
DEEPEST = 4
"""Most classes above one of which methods are taken."""
Members = Mapping[str, ast.FunctionDef | None]
"""Name that a class binds -> its method; None for what is no plain one."""


def readers_of(program: Program) -> dict[str, str]:
    """Returns class -> its method that gives back what was written, of the classes with one name
    in the program that have both kinds of methods, can be made of nothing, and begin empty; methods
    of other classes of the program that they derive from are theirs, too."""
    found: dict[str, list[ast.ClassDef]] = {}
    for file in program.files.values():
        for node in file.tree.body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(node)
    classes = {name: several[0] for name, several in found.items() if len(several) == 1}
    readers = {}
    for name in classes:
        members: Members = {}
        for above in _line(name, classes):
            members = {**_members(classes[above]), **members}
        reader = next((method for method in members.values() if method and _reads(method)), None)
        if reader and any(map(WRITING.fullmatch, members)) and _begins_empty(members, reader):
            readers[name] = reader.name
    return readers


def _line(name: str, classes: Mapping[str, ast.ClassDef], deepest: int = DEEPEST) -> Iterator[str]:
    """Yields a class and those of the program above it."""
    yield name
    for base in map(leaf, classes[name].bases if deepest else ()):
        if base in classes and base != name:
            yield from _line(base, classes, deepest - 1)


def _members(node: ast.ClassDef) -> Members:
    return {
        name: one if isinstance(one, ast.FunctionDef) else None
        for one in node.body
        for name in bound_names(one)
    }


def _reads(method: ast.FunctionDef) -> bool:
    """Whether a method gives back what was written: it takes nothing but its object, not even how
    long to wait, and returns at once."""
    if not READING.fullmatch(method.name) or method.decorator_list:
        return False
    own = len([*_parameters(method.args)]) == 1
    return own and any(value is not None for value in returned(method))


def _begins_empty(members: Members, reader: ast.FunctionDef) -> bool:
    """Whether an object can be made without an argument, and has nothing then in what the reader
    looks at."""
    made = members.get("__init__")
    if made is None:
        return "__init__" not in members
    defaults = [one for one in (*made.args.defaults, *made.args.kw_defaults) if one is not None]
    positional = len([*made.args.posonlyargs, *made.args.args]) - 1
    if len(made.args.defaults) < positional or None in made.args.kw_defaults:
        return False
    read = {one.attr for one in ast.walk(reader) if isinstance(one, ast.Attribute)}
    set_to = [
        one.value
        for one in ast.walk(made)
        if isinstance(one, ast.Assign | ast.AnnAssign)
        and one.value is not None
        and read.intersection(map(leaf, _targets(one)))
    ]
    return not any(map(_is_filled, (*defaults, *set_to)))


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _is_filled(node: ast.expr) -> bool:
    """Whether an expression is a text or a container with something in it."""
    match node:
        case ast.Constant(value=str() | bytes() as value):
            return bool(value)
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return bool(items)
        case ast.Dict(keys=items):
            return bool(items)
    return False


def _parameters(arguments: ast.arguments) -> Iterator[ast.arg]:
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from (one for one in (arguments.vararg, arguments.kwarg) if one is not None)
