"""Calls whose arguments are objects that are given no more than they need."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache

from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import parsed_expression

MOST_KEPT = 4096
"""Most arguments of which is kept what is left of them."""


class InnerOptions:
    """The options that the constructors of a program take inside of arguments."""

    def __init__(self, makers: Mapping[str, Target]) -> None:
        """`makers` are the targets by the names in calls."""
        self._optional = frozenset(
            (name, parameter.name)
            for name, maker in makers.items()
            if maker.kind == "constructor"
            for parameter in maker.parameters
            if parameter.default is not None
        )
        self._kept = lru_cache(maxsize=MOST_KEPT)(self._needed)

    def left_out(self, call: Call) -> Call:
        """Returns a call, with those before it and that of its object, without the options of all
        objects that are made inside of arguments: what plays no part goes at once."""
        return call.but(
            values=tuple((name, self._bare(value)) for name, value in call.values),
            extra=tuple(self._bare(value) for value in call.extra),
            receiver=None if call.receiver is None else self.left_out(call.receiver),
            before=tuple(self.left_out(line) for line in call.before),
        )

    def _bare(self, value: str) -> str:
        return self._kept(value) if "=" in value and self._optional else value

    def _needed(self, value: str) -> str:
        tree = parsed_expression(value)
        calls = [part for part in ast.walk(tree) if isinstance(part, ast.Call)] if tree else []
        changed = False
        for made in calls:
            name = ast.unparse(made.func)
            needed = [one for one in made.keywords if (name, one.arg) not in self._optional]
            changed |= len(needed) < len(made.keywords)
            made.keywords = needed
        return ast.unparse(tree) if tree is not None and changed else value
