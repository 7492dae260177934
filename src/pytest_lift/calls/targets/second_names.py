"""Leaves out the methods that a class has under a second name."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from pytest_lift.calls.targets.target import Target
from pytest_lift.source.ancestry import above
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, leaf, walked


def without_second_names(
    targets: Sequence[Target], program: Program, shown: Iterable[str]
) -> list[Target]:
    """Returns the targets without methods that a class, or one above it, has under another name as
    well, ``addText = add_text``, unless that is in what documents have `shown`: a test of one shows
    the other."""
    second, bases = defaultdict[str, set[str]](set), defaultdict[str, list[str]](list)
    for file in program.files.values():
        for node in (one for one in walked(file.tree) if isinstance(one, ast.ClassDef)):
            second[node.name] |= set(_second_names(node))
            bases[node.name] += map(leaf, node.bases)
    known = {word for text in shown for word in re.findall(r"\w+", text)}

    def is_second(one: Target) -> bool:
        owner = one.owner.leaf if one.owner is not None else ""
        return any(one.leaf in second[name] for name in (owner, *above(owner, bases)))

    return [one for one in targets if one.leaf in known or not is_second(one)]


def _second_names(owner: ast.ClassDef) -> Iterator[str]:
    """Yields the names that a class gives to public methods beside their own."""
    functions = (one.name for one in owner.body if isinstance(one, FunctionNode))
    methods = {name for name in functions if not name.startswith("_")}
    for node in owner.body:
        match node:
            case ast.Assign(targets=names, value=ast.Name(id=method)) if method in methods:
                yield from (one.id for one in names if isinstance(one, ast.Name))
