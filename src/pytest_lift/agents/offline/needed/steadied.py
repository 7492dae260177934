"""Puts back what cases were where they do not show the same beside others without a part."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from pytest_lift.agents.offline.choosing.steady import AGAIN, LEAVING, with_and_without_definitions
from pytest_lift.agents.offline.needed.rerun import as_case, still_holds
from pytest_lift.agents.offline.writing.oracles.checks import Verified
from pytest_lift.calls.case import Observation
from pytest_lift.calls.prober import Prober


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
    for how in AGAIN:
        cases = {n: as_case(found[n]) for n in changed}
        again: dict[str, Observation] = {}
        for some in with_and_without_definitions([*cases.values()]):
            left = until - time.monotonic()
            again |= prober.observe(some, left, **how) if left > 0 else {}
        changed = {n for n in changed if _same(found[n], again.get(cases[n].key), seen[n])}
    for how in LEAVING if prober.may_leave and changed else ():
        now = [item if n in changed else items[n] for n, item in enumerate(found)]
        left = until - time.monotonic()
        again = prober.observe([*map(as_case, now)], left, **how) if left > 0 else {}
        keys = {n: as_case(found[n]).key for n in changed}
        changed = {n for n in changed if _same(found[n], again.get(keys[n]), seen[n])}
    return [item if n in changed else items[n] for n, item in enumerate(found)]


def _same(item: Verified, again: Observation | None, seen: Observation) -> bool:
    return again is not None and still_holds(item, again, seen)
