"""Tells comparisons by one operator in a line each, where one holds and another one does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_lift.agents.offline.joining.inlining import in_one_line
from pytest_lift.agents.offline.writing.grouping import compares
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified

LONGEST = 72
"""Most characters of a comparison in one line."""


def compared_both_ways(items: Sequence[Verified]) -> list[Verified]:
    """Returns the cases, those of an operator that compares in one line, ``assert Version('1') <
    Version('2')``, where it holds in one of them and not in another one: they share a test."""
    found = [(item, _comparison(item)) for item in items]
    forms: dict[tuple[str, str, bool], set[str]] = {}
    for item, check in found:
        if check is not None:
            forms.setdefault(_operator(item), set()).add(check.form)
    return [
        replace(item, checks=(check,))
        if check is not None and len(forms[_operator(item)]) > 1
        else item
        for item, check in found
    ]


def _operator(item: Verified) -> tuple[str, str, bool]:
    return item.case.path, item.case.symbol, item.case.doubtful


def _comparison(item: Verified) -> StepCheck | None:
    """Returns the only assertion of a searched case, in one short line, where it is that objects
    compare, or do not; None of any other."""
    check = None if item.case.stateful else in_one_line(item)
    if check is None or not compares(replace(item, checks=(check,))):
        return None
    return check if len(check.expression) <= LONGEST else None
