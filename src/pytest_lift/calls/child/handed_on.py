"""Parameters for which ``*args`` and ``**kwargs`` of the program's functions stand: those of
libraries, and what is handed on by place to other functions of the program.

Runs in the child that imports the program, with the standard library only: what a base class or
a function of a library takes is known there.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import inspect
import os
import sys
import textwrap
from collections.abc import Iterable, Iterator
from inspect import Parameter
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

DEEPEST = 8
"""Most functions through which arguments are followed."""
MOST = 400
"""Most functions of one module that are looked at."""
Definition = (ast.FunctionDef, ast.AsyncFunctionDef)
STARS = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
PLACED = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


class Taken(NamedTuple):
    """Parameter of a function to which arguments are handed on."""

    parameter: Parameter
    foreign: bool
    """Whether the function is one of a library."""


class MethodPlace(NamedTuple):
    """Where a function is found: the class of the object, and the one that defines it."""

    kind: type | None = None
    owner: type | None = None

    def above(self, name: str) -> tuple[Any, MethodPlace]:
        """Returns what ``super()`` finds, and where."""
        line = self.kind.__mro__ if self.kind is not None else ()
        following = line[line.index(self.owner) + 1 :] if self.owner in line else ()
        return self._in(following, name)

    def own(self, name: str) -> tuple[Any, MethodPlace]:
        """Returns what the object has under a name, and where."""
        return self._in(self.kind.__mro__ if self.kind is not None else (), name)

    def _in(self, line: Iterable[type], name: str) -> tuple[Any, MethodPlace]:
        owner = next((one for one in line if name in vars(one)), None)
        return (vars(owner)[name] if owner is not None else None), self._replace(owner=owner)


def handed_on(module: ModuleType, copy: str) -> Iterator[tuple[str, list[Parameter]]]:
    """Yields (name of a function, method or class, what its stars stand for) of those of a module
    that hand arguments on to a library, or by place to anything; `copy` is the folder of the
    program."""
    for symbol, function, place in list(_functions(module))[:MOST]:
        taken = _behind_stars(function, place, copy, DEEPEST)
        kinds = {one.parameter.kind for one in taken if not one.foreign}
        foreign = any(one.foreign and one.parameter.kind not in STARS for one in taken)
        if foreign or not kinds.isdisjoint(PLACED):
            yield symbol, [one.parameter for one in taken]


def _functions(module: ModuleType) -> Iterator[tuple[str, FunctionType, MethodPlace]]:
    for name, value in list(vars(module).items()):
        if getattr(value, "__module__", "") != module.__name__:
            continue
        if isinstance(value, FunctionType):
            yield name, value, MethodPlace()
        elif isinstance(value, type) and value.__qualname__ == name:
            making, where = MethodPlace(value).own("__init__")
            if isinstance(making, FunctionType):
                yield name, making, where
            for leaf, raw in list(vars(value).items()):
                inner = raw.__func__ if isinstance(raw, staticmethod | classmethod) else raw
                if isinstance(inner, FunctionType) and leaf != "__init__":
                    yield f"{name}.{leaf}", inner, MethodPlace(value, value)


def _behind_stars(function: Any, place: MethodPlace, copy: str, deepest: int) -> list[Taken]:
    """Returns what the stars of a function stand for; empty where that is not known."""
    function = inspect.unwrap(function) if isinstance(function, FunctionType) else None
    node = _definition(function) if deepest and isinstance(function, FunctionType) else None
    if not isinstance(node, Definition):
        return []
    rows, table = node.args.vararg, node.args.kwarg
    for call in _calls(node):
        by_place = rows is not None and any(_is_star(one, rows.arg) for one in call.args)
        by_name = table is not None and any(_is_table(one, table.arg) for one in call.keywords)
        if not (by_place or by_name):
            continue
        taken = list(_taken_by(call, function, place, copy, deepest - 1))
        if taken:
            own = {one.arg for one in (*node.args.posonlyargs, *node.args.args)}
            own |= {one.arg for one in node.args.kwonlyargs}
            found = [one for one in taken if one.parameter.name not in own]
            return [*_given_so(found, by_place, by_name), *_left(function, by_place, by_name)]
    return []


def _given_so(found: Iterable[Taken], by_place: bool, by_name: bool) -> Iterator[Taken]:
    """Yields the parameters that arguments reach which are handed on by place, by name or both."""
    for one in found:
        kind = one.parameter.kind
        if kind is Parameter.POSITIONAL_OR_KEYWORD and not (by_place and by_name):
            kind = Parameter.POSITIONAL_ONLY if by_place else Parameter.KEYWORD_ONLY
        named = kind in (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD)
        if kind is Parameter.POSITIONAL_OR_KEYWORD or (by_name if named else by_place):
            yield one._replace(parameter=one.parameter.replace(kind=kind))


def _left(function: Any, by_place: bool, by_name: bool) -> Iterator[Taken]:
    """Yields the stars of a function that are not handed on."""
    handed = {kind for kind, given in zip(STARS, (by_place, by_name), strict=True) if given}
    for one in inspect.signature(function).parameters.values():
        if one.kind in STARS and one.kind not in handed:
            yield Taken(one, False)


def _taken_by(
    call: ast.Call, function: Any, place: MethodPlace, copy: str, deepest: int
) -> Iterator[Taken]:
    """Yields the parameters of what a call is of, without those that it gives itself, with what
    stands behind its stars."""
    called, where, bound = _called(call.func, function, place)
    if isinstance(called, type):
        making, where = MethodPlace(called).own("__init__")
        called, bound = (making, True) if isinstance(making, FunctionType) else (called, False)
    elif isinstance(called, staticmethod | classmethod):
        called, bound = called.__func__, bound and isinstance(called, classmethod)
    try:
        parameters = list(inspect.signature(called).parameters.values())
    except (TypeError, ValueError):
        return
    foreign = not _is_of_program(called, copy)
    placed = sum(not isinstance(one, ast.Starred) for one in call.args) + bound
    named = {one.arg for one in call.keywords}
    for one in parameters[placed:]:
        if one.kind not in STARS and one.name not in named:
            yield Taken(one, foreign)
    inner = _behind_stars(called, where, copy, deepest)
    if inner:
        yield from (one for one in inner if one.parameter.name not in named)
    else:
        yield from (Taken(one, foreign) for one in parameters[placed:] if one.kind in STARS)


def _called(func: ast.expr, function: Any, place: MethodPlace) -> tuple[Any, MethodPlace, bool]:
    """Returns what an expression calls, where that is found, and whether it has its object."""
    match func:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name):
            return *place.above(name), True
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
            return *place.own(name), True
        case ast.Name(id="cls") if place.kind is not None:
            return place.kind, place, False
    named = ast.unparse(func).split(".")
    if named[0] in function.__code__.co_varnames:  # an argument, or what is made there
        return None, place, False
    known = function.__globals__
    found = known.get(named[0], getattr(builtins, named[0], None))
    owner = None
    for name in named[1:]:
        owner = found if isinstance(found, type) else None
        found = inspect.getattr_static(found, name, None)
    return found, MethodPlace(place.kind, owner), False


def _is_of_program(called: Any, copy: str) -> bool:
    module = sys.modules.get(getattr(called, "__module__", None) or "")
    file = getattr(module, "__file__", None)
    folder = os.path.join(os.path.realpath(copy), "")
    return isinstance(file, str) and os.path.realpath(file).startswith(folder)


@functools.cache
def _definition(function: FunctionType) -> ast.AST | None:
    """Returns the definition of a function with stars; None of another one."""
    flags = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
    if not function.__code__.co_flags & flags:
        return None
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, SyntaxError, ValueError, IndexError):
        return None


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    """Yields the calls in a function, but not those in functions inside of it: these have stars of
    their own."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.Call):
            yield inner
        if not isinstance(inner, (*Definition, ast.Lambda, ast.ClassDef)):
            yield from _calls(inner)


def _is_star(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Starred) and ast.unparse(node.value) == name


def _is_table(node: ast.keyword, name: str) -> bool:
    return node.arg is None and ast.unparse(node.value) == name


def named_behind(raw: Any, name: str) -> Any:
    """Returns the method of a name that is behind a wrapper with one of its own, where both take
    as much: its parameters tell more than ``wrapper(self, arg)``."""
    if not isinstance(raw, FunctionType) or raw.__name__ == name:
        return raw
    for cell in raw.__closure__ or ():
        with contextlib.suppress(ValueError):  # a cell that is empty
            inner = cell.cell_contents
            behind = isinstance(inner, FunctionType) and inner.__name__ == name
            if behind and _taken(inner.__code__) == _taken(raw.__code__):
                return inner
    return raw


def _taken(code: CodeType) -> tuple[int, ...]:
    """Returns how many arguments a function takes, and how."""
    stars = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    return code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, stars
