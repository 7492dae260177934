"""Calls whose arguments are objects that are given no more than they need."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache

from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import parsed_expression


def without_inner_options(call: Call, makers: Mapping[str, Target]) -> Call:
    """Returns a call, with those before it and that of its object, without the options of all
    objects that are made inside of arguments: what plays no part goes at once. `makers` are the
    targets by the names in calls."""
    optional = frozenset(
        (name, parameter.name)
        for name, maker in makers.items()
        if maker.kind == "constructor"
        for parameter in maker.parameters
        if parameter.default is not None
    )
    return _without(call, optional)


def _without(call: Call, optional: frozenset[tuple[str, str]]) -> Call:
    return call.but(
        values=tuple((name, _bare(value, optional)) for name, value in call.values),
        extra=tuple(_bare(value, optional) for value in call.extra),
        receiver=None if call.receiver is None else _without(call.receiver, optional),
        before=tuple(_without(line, optional) for line in call.before),
    )


@lru_cache(maxsize=4096)
def _bare(value: str, optional: frozenset[tuple[str, str]]) -> str:
    tree = parsed_expression(value) if "=" in value else None
    calls = [part for part in ast.walk(tree) if isinstance(part, ast.Call)] if tree else []
    changed = False
    for made in calls:
        name = ast.unparse(made.func)
        needed = [one for one in made.keywords if (name, one.arg) not in optional]
        changed |= len(needed) < len(made.keywords)
        made.keywords = needed
    return ast.unparse(tree) if tree is not None and changed else value
