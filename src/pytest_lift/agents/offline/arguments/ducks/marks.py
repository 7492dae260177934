"""Attributes that a program sets on what it is given, as decorators do, and reads elsewhere."""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import FunctionType

from pytest_lift.agents.offline.arguments.inference import parameters_of
from pytest_lift.source.exits import inner_nodes, own_functions, returned
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, leaf, walked

ROUNDS = 5
"""Most calls inside the program between the function that is given something and the attribute."""
DEEPEST = 3
"""Most calls that are followed for what a function gives back."""
MOST_ALIKE = 3
"""Most functions of one name that a call may mean."""
BY_NAME = frozenset({"getattr", "hasattr", "setattr"})
OF_ALL = frozenset(dir(FunctionType)) | {"__wrapped__", "__isabstractmethod__"}
"""Attributes that all functions have, or that others than the program set and read."""


@dataclass(frozen=True)
class Touch:
    """An attribute of a parameter that a function sets or reads, itself or by others."""

    parameter: str
    attribute: str
    given: bool
    """Whether `attribute` is the name of the parameter that tells the attribute."""
    stored: bool


@lru_cache(maxsize=1)
def marks_of(program: Program) -> Marks:
    """Returns the marks of a program; cached over iterations."""
    return Marks(program)


class Marks:
    """What the functions of a program set on their parameters, and read of them."""

    def __init__(self, program: Program) -> None:
        self.program = program

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[FunctionNode]]:
        """Name -> the first functions of it, those inside of others included."""
        found: dict[str, list[FunctionNode]] = defaultdict(list)
        for file in self.program.files.values():
            for node in walked(file.tree):
                if isinstance(node, FunctionNode) and not _is_overload(node):
                    found[node.name].append(node)
        return {name: nodes[:MOST_ALIKE] for name, nodes in found.items()}

    @cached_property
    def _touches(self) -> Mapping[FunctionNode, AbstractSet[Touch]]:
        """What each function does to its parameters, by the functions that it calls, too."""
        nodes = [one for several in self._by_name.values() for one in several]
        found = {node: {*_own_touches(node)} for node in nodes}
        if not any(one.stored for touches in found.values() for one in touches):
            return found
        for _ in range(ROUNDS):
            size = sum(map(len, found.values()))
            for node in nodes:
                found[node] |= {*self._by_calls(node, found)}
            if sum(map(len, found.values())) == size:
                break
        return found

    def _by_calls(
        self, node: FunctionNode, known: Mapping[FunctionNode, AbstractSet[Touch]]
    ) -> Iterator[Touch]:
        names = _names_of(node)
        calls = (one for one in inner_nodes(node) if isinstance(one, ast.Call))
        pairs = ((one, callee) for one in calls for callee in self._meant(one))
        for call, callee in pairs:
            for touch in known[callee]:
                for subject in _given(callee, call, touch.parameter):
                    for name in _held(subject, names):
                        key = _told(callee, call, touch)
                        yield from _named(name, touch.stored, key, names)

    def _meant(self, call: ast.Call) -> Sequence[FunctionNode]:
        """Returns the functions of the program that a call may mean."""
        return self._by_name.get(leaf(call.func), ())

    @cached_property
    def set(self) -> frozenset[str]:
        """Attributes that the program sets on what it is given, but for those of all functions."""
        touches = (one for several in self._touches.values() for one in several)
        return frozenset(one.attribute for one in touches if one.stored and not one.given) - OF_ALL

    def read(self, node: FunctionNode, parameter: str) -> frozenset[str]:
        """Returns those of `set` that a function reads of a parameter."""
        touches = self._touches.get(node, frozenset())
        read = (one for one in touches if one.parameter == parameter and not one.stored)
        return self.set & {one.attribute for one in read if not one.given}

    def set_by(self, node: FunctionNode) -> frozenset[str]:
        """Returns the attributes that a decorator sets: a function that gives back what it is
        given, or one that makes such a function."""
        return self._set_by(node, DEEPEST)

    def _set_by(self, node: FunctionNode, calls: int) -> frozenset[str]:
        """Returns what `set_by` does, where at most so many calls are followed."""
        found: frozenset[str] = frozenset()
        inner = {one.name: one for one in own_functions(node)}
        for value in returned(node) if calls else ():
            match value:
                case ast.Name(id=name) if name in inner:
                    found |= self._stored(inner[name])
                case ast.Name(id=name) if name == _first(node):
                    found |= self._stored(node)
                case ast.Call():
                    for callee in self._meant(value):
                        found |= self._set_by(callee, calls - 1)
        return found

    def is_given(self, node: FunctionNode) -> bool:
        """Whether a decorator is given the function itself: ``@mark``, not ``@mark()``."""
        return bool(self._stored(node))

    def _stored(self, node: FunctionNode) -> frozenset[str]:
        """Returns what a function sets on its first parameter."""
        first = _first(node)
        touches = self._touches.get(node, frozenset())
        return self.set & {
            one.attribute for one in touches if one.stored and one.parameter == first
        }


def _is_overload(node: FunctionNode) -> bool:
    """Whether a function is a signature for type checkers alone."""
    return any(leaf(one) == "overload" for one in node.decorator_list)


def _own_touches(node: FunctionNode) -> Iterator[Touch]:
    """Yields what a function itself does to its parameters, but for its own object."""
    names = _names_of(node)
    for part in inner_nodes(node):
        match part:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute, ctx=context) if (
                name in names
            ):
                yield Touch(names[name], attribute, False, isinstance(context, ast.Store))
            case ast.Call(func=ast.Name(id=function), args=[subject, key, *_]) if (
                function in BY_NAME
            ):
                for name in _held(subject, names):
                    yield from _named(name, function == "setattr", key, names)


def _named(
    name: str, stored: bool, key: ast.expr | None, names: Mapping[str, str]
) -> Iterator[Touch]:
    match key:
        case ast.Constant(value=str(attribute)):
            yield Touch(name, attribute, False, stored)
        case ast.Name(id=variable) if variable in names:
            yield Touch(name, names[variable], True, stored)


def _told(callee: FunctionNode, call: ast.Call, touch: Touch) -> ast.expr | None:
    """Returns the expression that tells the attribute which a call is about."""
    if not touch.given:
        return ast.Constant(touch.attribute)
    return next(_given(callee, call, touch.attribute), None)


def _given(callee: FunctionNode, call: ast.Call, parameter: str) -> Iterator[ast.expr]:
    """Yields what a call gives to a parameter."""
    for value in (*call.args, *(keyword.value for keyword in call.keywords)):
        if parameter in parameters_of(callee, call, value):
            yield value


def _held(subject: ast.expr, names: Mapping[str, str]) -> Iterator[str]:
    """Yields the parameters that an expression is, or that a function of the program may give back
    there."""
    match subject:
        case ast.Name(id=name) if name in names:
            yield names[name]
        case ast.Call(func=ast.Name(id=function), args=given) if not hasattr(builtins, function):
            variables = (one.id for one in given if isinstance(one, ast.Name))
            yield from (names[one] for one in variables if one in names)


@lru_cache(maxsize=4096)
def _names_of(node: FunctionNode) -> Mapping[str, str]:
    """Returns the variables of a function that are its parameters -> these, but for its own
    object."""
    taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    names = {one.arg: one.arg for one in taken if one.arg not in ("self", "cls", "mcs")}
    for part in inner_nodes(node):
        match part:
            case ast.Assign(targets=[ast.Name(id=variable)], value=value):
                for name in _held(value, names):
                    names.setdefault(variable, name)
    return names


def _first(node: FunctionNode) -> str:
    """Returns the name of the first parameter, but for the own object; "" where there is none."""
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    return next((name for name in names if name not in ("self", "cls")), "")
