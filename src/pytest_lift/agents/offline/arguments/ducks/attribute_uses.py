"""How a program uses the attributes of what a function gets: ``request.url`` is a text there."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from pytest_lift.agents.offline.arguments.inference import Inference, parameters_of
from pytest_lift.agents.offline.arguments.uses import ParameterUse, called_name, copies_of
from pytest_lift.source.syntax import FunctionNode, parts_of

DEEPEST = 2
"""Most calls inside the program that hand an object on to where an attribute of it is read."""

Part = tuple[ast.AST, ast.Attribute, int]
"""Node around an attribute that is read, it, and how many calls away from the function."""


def attribute_uses(
    inference: Inference, path: str, symbol: str, parameter: str
) -> Mapping[str, ParameterUse]:
    """Returns the attributes of a parameter that are read and not called, with how the code uses
    them."""
    found: dict[str, ParameterUse] = {}
    place = inference.index.place(path, symbol)
    if place is None:
        return found
    for parent, child, depth in _read(inference, inference.functions[place], parameter, 0):
        if not (isinstance(parent, ast.Call) and parent.func is child):
            inference.note_use(parent, child, found.setdefault(child.attr, ParameterUse()), depth)
    for usage in found.values():
        usage.conclude()
    return found


def _read(inference: Inference, node: FunctionNode, name: str, depth: int) -> Iterator[Part]:
    """Yields the attributes of a variable that a function reads, and the functions that get it."""
    for other in copies_of(node, name) if depth < DEEPEST else ():
        yield from _read(inference, node, other, depth + 1)
    for parent in parts_of(node):
        for child in ast.iter_child_nodes(parent):
            match child:
                case ast.Attribute(value=ast.Name(id=found), ctx=ast.Load()) if found == name:
                    yield parent, child, depth
                case ast.Name(id=found) if found == name and isinstance(parent, ast.Call):
                    if depth < DEEPEST and parent.func is not child:
                        for inner in inference.called(parent.func, called_name(parent.func)):
                            for parameter in parameters_of(inner, parent, child):
                                yield from _read(inference, inner, parameter, depth + 1)
