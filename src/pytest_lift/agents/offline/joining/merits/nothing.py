"""Doubts cases that show no more than that nothing comes out."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pytest_lift.agents.offline.joining.merits.hollow import is_nothing
from pytest_lift.agents.offline.writing.grouping import is_simple
from pytest_lift.agents.offline.writing.oracles.checks import Verified


def doubted_for_nothing(items: Sequence[Verified], classes: AbstractSet[str]) -> list[Verified]:
    """Returns the cases, the searched ones as doubtful that show no more than that nothing comes
    out, as of objects of these `classes` with which nothing was done: where something begins or
    ends is an edge, however plain the call is. What can be a row beside others is none."""
    empty = [one.case.origin == "searched" and is_nothing(one, classes) for one in items]
    rows = {
        (one.case.path, one.case.symbol)
        for one, nothing in zip(items, empty, strict=True)
        if one.case.origin == "searched" and is_simple(one) and not (nothing or one.case.doubtful)
    }
    return [
        replace(one, case=replace(one.case, doubtful=True))
        if nothing and not (is_simple(one) and (one.case.path, one.case.symbol) in rows)
        else one
        for one, nothing in zip(items, empty, strict=True)
    ]
