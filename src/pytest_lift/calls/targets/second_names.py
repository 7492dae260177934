"""Leaves out the methods that a class has under a second name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from pytest_lift.calls.targets.target import Target
from pytest_lift.source.ancestry import above, bases_by_key, class_key
from pytest_lift.source.bindings import bound_names
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.symbols import Symbol
from pytest_lift.source.syntax import FunctionNode, first_line, walked


def without_second_names(
    targets: Sequence[Target], program: Program, shown: Iterable[str]
) -> list[Target]:
    """Returns the targets without methods that a class, or one above it, has under another name as
    well, ``addText = add_text``, unless that is in what documents have `shown`: a test of one shows
    the other. The nearest class that has the name tells."""
    names = {
        class_key(file.path, symbol.name): _names(node)
        for file in program.files.values()
        for symbol, node in _classes(file)
    }
    bases = bases_by_key(program)
    known = {word for text in shown for word in re.findall(r"\w+", text)}

    def is_second(one: Target) -> bool:
        own = one.owner.key if one.owner is not None else ""
        line = (names[key] for key in (own, *above(own, bases)) if key in names)
        return next((has[one.leaf] for has in line if one.leaf in has), False)

    return [one for one in targets if one.leaf in known or not is_second(one)]


def _classes(file: SourceFile) -> Iterator[tuple[Symbol, ast.ClassDef]]:
    """Yields the classes of a file with their definitions."""
    nodes = {first_line(one): one for one in walked(file.tree) if isinstance(one, ast.ClassDef)}
    yield from (
        (one, nodes[one.line]) for one in file.symbols if one.kind == "class" and one.line in nodes
    )


def _names(owner: ast.ClassDef) -> dict[str, bool]:
    """Returns each name that a class itself gives -> whether it is a second one of a public
    method."""
    own = (name for part in owner.body for name in bound_names(part))
    return {**dict.fromkeys(own, False), **dict.fromkeys(_second_names(owner), True)}


def _second_names(owner: ast.ClassDef) -> Iterator[str]:
    """Yields the names that a class gives to public methods beside their own."""
    functions = (one.name for one in owner.body if isinstance(one, FunctionNode))
    methods = {name for name in functions if not name.startswith("_")}
    for node in owner.body:
        match node:
            case ast.Assign(targets=names, value=ast.Name(id=method)) if method in methods:
                yield from (one.id for one in names if isinstance(one, ast.Name))
