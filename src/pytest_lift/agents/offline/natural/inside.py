"""Calls inside of a call, as calls of their own: an error that one of them raises is theirs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from pytest_lift.agents.offline.arguments.call_sites import bound_arguments
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Observation
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import shared_expression


def is_about_others(call: Call, seen: Observation, own: AbstractSet[int]) -> bool:
    """Whether a call never enters its own function, which has these probes: what makes one of its
    arguments, or its object, raises an error, or an operator meets an object of
    another class (``'a' in store.get('b')``)."""
    raised = any(outcome.raised for outcome in seen.outcomes)
    ends = raised or call.target.kind == "operator"
    return ends and bool(own) and own.isdisjoint(seen.hits)


def calls_inside(call: Call, makers: Mapping[str, Target]) -> Iterator[Call]:
    """Yields the calls that make the object of a call, and those in its arguments; `makers` are
    classes and functions by their names."""
    if call.receiver is not None and not call.before:
        yield call.receiver
    for part in call.chain:
        for _, value in part.values:
            node = shared_expression(value) if "(" in value else None
            for inner in ast.walk(node) if node is not None else ():
                maker = makers.get(ast.unparse(inner.func)) if isinstance(inner, ast.Call) else None
                if isinstance(inner, ast.Call) and maker is not None:
                    given = bound_arguments(maker, inner)
                    yield Call(maker, tuple((name, ast.unparse(one)) for name, one in given))
