"""Tells how the objects of a class are context managers."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from pytest_lift.calls.targets.target import Manner, Target
from pytest_lift.source.ancestry import above, bases_by_key, class_key
from pytest_lift.source.exits import only_raises, returns_itself
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import functions_by_line

ENTERING: Mapping[str, Manner] = {"__enter__": "sync", "__aenter__": "async"}


def as_manager(target: Target, name: str, file: SourceFile, program: Program) -> Target:
    """Returns a target that gives objects of a class with how these are context managers, by the
    methods of the class and those of its bases; a method that only refuses the other way is
    none."""
    own, entering, found = class_key(file.path, name), _entering(program), dict[str, ast.AST]()
    for key in (own, *above(own, bases_by_key(program))) if entering else ():
        found = dict(entering.get(key, {})) | found
    for leaf, manner in ENTERING.items():
        if leaf in found:
            return replace(target, enters=manner, apart=not returns_itself(found[leaf]))
    return target


@lru_cache(maxsize=1)
def _entering(program: Program) -> Mapping[str, Mapping[str, ast.AST]]:
    """Returns `class_key` of a class -> its methods that enter a block, by their names."""
    found: dict[str, dict[str, ast.AST]] = {}
    for file in program.files.values():
        methods = [s for s in file.symbols if s.kind == "method" and s.leaf in ENTERING]
        nodes = functions_by_line(file.tree) if methods else {}
        for symbol in methods:
            if not only_raises(nodes[symbol.line]):
                owner = class_key(file.path, symbol.name.rpartition(".")[0])
                found.setdefault(owner, {})[symbol.leaf] = nodes[symbol.line]
    return found
