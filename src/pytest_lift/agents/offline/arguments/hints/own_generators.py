"""Generators of a program, for hints that ask for a function which makes one."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cached_property

from pytest_lift.agents.offline.arguments.hints.forms import ITERATORS, outer_names
from pytest_lift.source.exits import is_generator
from pytest_lift.source.program import Program

MOST = 3
"""Most functions that are given for one hint."""


class OwnGenerators:
    """The generator functions that a program offers and that need no argument."""

    def __init__(self, program: Program) -> None:
        self.program = program

    @cached_property
    def names(self) -> Sequence[str]:
        """Their names, those in public modules first."""
        files = sorted(self.program.files.values(), key=lambda file: not file.public)
        nodes = (node for file in files for node in file.tree.body)
        return [
            node.name
            for node in nodes
            if isinstance(node, ast.FunctionDef)
            and is_generator(node)
            and not (node.name.startswith("_") or node.decorator_list or _needs_any(node))
        ]

    def given_for(self, arguments: ast.expr, returns: ast.expr | None) -> Sequence[str]:
        """Returns those that a hint of a function allows, by its arguments, ``...`` or none at
        all, and by what it returns."""
        told = {*outer_names(returns)} if returns is not None else set()
        none = isinstance(arguments, ast.List) and not arguments.elts
        free = none or (isinstance(arguments, ast.Constant) and arguments.value is ...)
        return self.names[:MOST] if free and told & ITERATORS else []


def _needs_any(node: ast.FunctionDef) -> bool:
    """Whether a function cannot be called without arguments."""
    given = node.args
    positional = len(given.posonlyargs) + len(given.args) - len(given.defaults)
    return positional > 0 or None in given.kw_defaults
