"""Cuts tests to what their docstrings can tell: into several, or to their first looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pytest_lift.agents.offline.docstrings.intents import Intents
from pytest_lift.agents.offline.writing.grouping import PlannedTest
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified, without_unused

SEVERAL = frozenset({"asserts", "scenario"})
"""Forms of tests whose members need nothing of each other."""


def cut_to_told(
    plans: Sequence[PlannedTest], intents: Intents, whole: AbstractSet[str] = frozenset()
) -> list[PlannedTest]:
    """Returns the plans, each that asserts more than two lines can tell in parts that they can.

    Cases with one of the keys `whole` assert all that they do.
    """
    return [part for plan in plans for part in _parts(plan, intents, whole)]


def _parts(plan: PlannedTest, intents: Intents, whole: AbstractSet[str]) -> Iterator[PlannedTest]:
    if intents.tells(plan) or plan.rows or plan.first.case.origin == "requirement":
        yield plan
    elif len(plan.members) == 1:
        yield plan if plan.first.case.key in whole else _shortened(plan, intents)
    elif plan.form in SEVERAL:
        for part in _split(plan, intents):
            yield from _parts(part, intents, whole) if len(part.members) == 1 else [part]
    else:
        yield plan


def _is_stated(plan: PlannedTest) -> bool:
    """Whether a requirement states what a test asserts, or a documented example shows it."""
    origin = plan.first.case.origin
    return origin == "requirement" or (origin == "documented" and bool(plan.link.requirements))


def _split(plan: PlannedTest, intents: Intents) -> Iterator[PlannedTest]:
    """Yields plans of as many members as are told together."""
    first, *others = plan.members
    part = replace(plan, members=(first,))
    for member in others:
        longer = replace(part, members=(*part.members, member))
        if intents.tells(longer):
            part = longer
        else:
            yield part
            part = replace(plan, members=(member,))
    yield part


def _shortened(plan: PlannedTest, intents: Intents) -> PlannedTest:
    """Returns a test with as many of its first assertions as are told; as it is where not even one
    is, or where they show what a requirement states."""
    if _is_stated(plan) or plan.first.case.placed or plan.first.case.stateful:
        return plan
    for checks in _fewer(plan.first):
        shorter = replace(plan, members=(replace(plan.first, checks=checks),))
        if intents.tells(shorter):
            return shorter
    return plan


def _fewer(item: Verified) -> Iterator[tuple[StepCheck, ...]]:
    """Yields the checks without the last that is asserted, then without more of them; of a call
    without and with an option the one with it."""
    checks = item.checks
    if item.case.effect and all(check.form != "none" for check in checks):
        yield checks[:1] if checks[-1].raised else checks[-1:]
        return
    while True:
        last = checks[-1]
        asserted = sum(check.form != "none" for check in checks)
        if last.form == "attributes" and len(last.attributes) > 1:
            checks = (*checks[:-1], replace(last, attributes=last.attributes[:-1]))
        elif asserted > 1:
            checks = checks[:-1]
            while checks[-1].form == "none":
                checks = checks[:-1]
        else:
            return
        yield without_unused(checks)
