"""Leaves out the bare call beside one with an option, where another test shows that call."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.source.syntax import parsed_expression

Shown = tuple[str, str, str, str, str]
"""(file, expression, form, what is expected, message) of an assertion."""


def plain_calls_once(items: Sequence[Verified], whole: AbstractSet[str]) -> list[Verified]:
    """Returns the cases, those that show what an option does without the call that leaves it out
    where that is given nothing, or refused, and another case asserts the same of it; those with
    one of the keys `whole` stay."""
    contrasts = [one for one in items if _is_contrast(one) and one.case.key not in whole]
    others = (one for one in items if one not in contrasts)
    shown = {_shown(one, check) for one in others for check in one.asserted if _is_alone(one)}
    found = []
    for item in items:
        if item in contrasts:
            left = [c for c in item.checks if not (_is_bare(c) and _shown(item, c) in shown)]
            shown |= {_shown(item, check) for check in item.checks}
            item = replace(item, checks=tuple(left)) if left else item
        found.append(item)
    return found


def _is_contrast(item: Verified) -> bool:
    """Whether a searched case shows an option by several calls that stand each for itself."""
    several = len(item.checks) > 1 and _is_alone(item)
    return several and item.case.origin == "searched" and bool(item.case.effect)


def _is_bare(check: StepCheck) -> bool:
    """Whether a call is refused or given nothing, so that it says little of the one beside it."""
    node = parsed_expression(check.expression)
    called = isinstance(node, ast.Call) and not (node.args or node.keywords)
    return check.raised is not None or called


def _is_alone(item: Verified) -> bool:
    """Whether a case only asserts, so that no assertion depends on what was done before."""
    return len(item.asserted) == len(item.checks)


def _shown(item: Verified, check: StepCheck) -> Shown:
    return item.case.path, check.expression, check.form, check.expected, check.match
