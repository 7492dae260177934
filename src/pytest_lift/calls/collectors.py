"""Finds classes of a program whose objects collect what is written to them and give it back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

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
Methods = Mapping[str, ast.FunctionDef]


def readers_of(program: Program) -> dict[str, str]:
    """Returns class -> its method that gives back what was written, of the classes with one name
    in the program that have both kinds of methods and begin empty; methods of other classes of the
    program that they derive from are theirs, too."""
    found: dict[str, list[ast.ClassDef]] = {}
    for file in program.files.values():
        for node in file.tree.body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(node)
    classes = {name: several[0] for name, several in found.items() if len(several) == 1}
    readers = {}
    for name in classes:
        methods: dict[str, ast.FunctionDef] = {}
        for above in _line(name, classes):
            methods = {**_methods(classes[above]), **methods}
        reader = next((own for own, method in methods.items() if _reads(method)), "")
        if reader and any(map(WRITING.fullmatch, methods)) and _begins_empty(methods):
            readers[name] = reader
    return readers


def _line(name: str, classes: Mapping[str, ast.ClassDef], deepest: int = DEEPEST) -> Iterator[str]:
    """Yields a class and those of the program above it."""
    yield name
    for base in map(leaf, classes[name].bases if deepest else ()):
        if base in classes and base != name:
            yield from _line(base, classes, deepest - 1)


def _methods(node: ast.ClassDef) -> Methods:
    return {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}


def _reads(method: ast.FunctionDef) -> bool:
    """Whether a method gives back what was written: it takes nothing but its object, not even how
    long to wait, and returns at once."""
    parts = [*ast.walk(method)]
    whole = any(isinstance(one, ast.Return) and one.value is not None for one in parts)
    partly = any(isinstance(one, ast.Yield | ast.YieldFrom) for one in parts)
    own = len([*_parameters(method)]) == 1 and not method.decorator_list
    return own and whole and not partly and READING.fullmatch(method.name) is not None


def _begins_empty(methods: Methods) -> bool:
    """Whether a class has nothing to give back when it is made without an argument."""
    made = methods.get("__init__")
    defaults = [*made.args.defaults, *made.args.kw_defaults] if made is not None else []
    return not any(
        isinstance(one, ast.Constant) and isinstance(one.value, str | bytes) and one.value
        for one in defaults
    )


def _parameters(method: ast.FunctionDef) -> Iterator[ast.arg]:
    arguments = method.args
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from (one for one in (arguments.vararg, arguments.kwarg) if one is not None)
