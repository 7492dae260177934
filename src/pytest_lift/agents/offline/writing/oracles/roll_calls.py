"""Finds containers of a program's own classes, which each class that is added changes."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from pytest_lift.calls.case import Case
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import leaf, shared_expression

FEWEST = 5
"""Fewest classes of which a container tells what there is, and not what was asked for."""


def one_of_all(source: str, program: Program, case: Case) -> str:
    """Returns the class with the longest name, as it stands there, of a list, a tuple or a set of
    many classes of the program or their names, or of a dict with these; "" for another value, and
    where the case gives all of these itself."""
    match shared_expression(source):
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            named, keys = [*map(_name, items)], [*map(ast.unparse, items)]
        case ast.Dict(keys=given, values=values) if all(given):
            named, keys = [*map(_name, values)], [ast.unparse(one) for one in given if one]
        case _:
            return ""
    if len({*named}) < FEWEST or not _classes(program).issuperset(named):
        return ""
    if {*named} <= {*re.findall(r"\w+", case.source)}:
        return ""
    return max(zip(named, keys, strict=True), key=lambda pair: len(pair[0]))[1]


def _name(node: ast.expr) -> str:
    """Returns the name of a class, or what a text says."""
    text = node.value if isinstance(node, ast.Constant) else leaf(node)
    return text if isinstance(text, str) else ""


@lru_cache(maxsize=1)
def _classes(program: Program) -> frozenset[str]:
    symbols = (one for file in program.files.values() for one in file.symbols)
    return frozenset(one.leaf for one in symbols if one.kind == "class")
