"""Finds what a documented case does last before it is looked at, and whether that still shows."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_lift.agents.offline.examples.parting import only_binds
from pytest_lift.agents.offline.needed.rerun import Rewritten, still_holds
from pytest_lift.agents.offline.needed.smaller import without_statement
from pytest_lift.agents.offline.writing.oracles.checks import Verified
from pytest_lift.calls.case import Observation


def act_of(item: Verified) -> int | None:
    """Returns the place of the line before the first assertion; None where it only binds names, or
    there is none."""
    first = next((at for at, check in enumerate(item.checks) if check.form != "none"), 0)
    if first == 0:
        return None
    return None if only_binds(item.checks[first - 1].expression) else first - 1


def without_act(item: Verified) -> Rewritten | None:
    """Returns a documented case without that line."""
    at = act_of(item) if item.case.origin == "documented" else None
    return without_statement(item, at) if at is not None else None


def makes_a_difference(
    item: Verified, seen: Mapping[str, Observation], before: Observation
) -> bool:
    """Whether a case was run without that line and showed something else."""
    rest = without_act(item)
    told = seen.get(rest.case.key) if rest is not None else None
    return rest is not None and told is not None and not still_holds(rest.item, told, before)


def keeps_act(item: Verified, shorter: Verified) -> bool:
    """Whether a shorter case still does what the case did last."""
    at, other = act_of(item), act_of(shorter)
    if at is None or other is None:
        return False
    return item.checks[at].expression == shorter.checks[other].expression
