"""Puts back what cases were where they do not show the same beside others without a part."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from pytest_lift.agents.offline.choosing.steady import AGAIN, LEAVING, with_and_without_definitions
from pytest_lift.agents.offline.needed.rerun import as_case, still_holds
from pytest_lift.agents.offline.writing.oracles.checks import Verified
from pytest_lift.calls.case import Observation
from pytest_lift.calls.prober import Prober, Rerun


def steadied(
    found: Sequence[Verified],
    items: Sequence[Verified],
    seen: Mapping[int, Observation],
    prober: Prober,
    seconds: float,
) -> list[Verified]:
    """Returns the cases `found`, by their numbers the `items` that they were made from where they
    give something else than was `seen` of them in another order or with few before them, or leave
    variables of modules changed. Until `seconds` have passed; what was not run again by then is
    what it was.
    """
    until = time.monotonic() + seconds
    changed = {n for n, item in enumerate(found) if item is not items[n]}
    changed -= {n for n in changed if n not in seen or seen[n].leaves}
    parts = with_and_without_definitions([as_case(found[n]) for n in sorted(changed)])
    reruns = [Rerun(some, how) for how in AGAIN for some in parts]
    changed = _same(changed, found, seen, prober, reruns, until)
    if prober.may_leave and changed:
        now = [as_case(item if n in changed else items[n]) for n, item in enumerate(found)]
        reruns = [Rerun(now, how) for how in LEAVING]
        changed = _same(changed, found, seen, prober, reruns, until)
    return [item if n in changed else items[n] for n, item in enumerate(found)]


def _same(
    numbers: AbstractSet[int],
    found: Sequence[Verified],
    seen: Mapping[int, Observation],
    prober: Prober,
    reruns: Sequence[Rerun],
    until: float,
) -> set[int]:
    """Returns the numbers of the cases that give what was `seen` of them in all of the `reruns`
    that they are in, which run beside each other `until` then."""
    keys = {n: as_case(found[n]).key for n in numbers}
    ran = prober.observe_each(reruns, max(until - time.monotonic(), 0.0))
    left = set(numbers)
    for rerun, again in zip(reruns, ran, strict=True):
        there = {case.key for case in rerun.cases}
        left = {
            n for n in left if keys[n] not in there or _holds(found[n], again.get(keys[n]), seen[n])
        }
    return left


def _holds(item: Verified, again: Observation | None, seen: Observation) -> bool:
    return again is not None and still_holds(item, again, seen)
