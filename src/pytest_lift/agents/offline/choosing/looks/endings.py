"""Shows what the last statement of a story changes, where the story shows objects as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.choosing.looks.views import (
    ViewRanking,
    Views,
    given_values,
    telling_looks,
)
from pytest_lift.agents.offline.search.dullness import BEGUN_WITH
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.writing.told import assigned
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober

SECONDS = 4.0
MOST_WATCHED, MOST_LOOKS, MOST_OF_ONE = 8, 3, 2
"""Most variables that are watched, and most looks at what they hold, and at one of them."""


def with_endings(kept: Sequence[KeptCase], prober: Prober) -> list[KeptCase]:
    """Returns the cases; stories that show nothing but attributes of objects show what their last
    statement changed or made; where that is nothing, they tell so (`Case.asks`)."""
    watched = {n: case for n, one in enumerate(kept) if (case := _watched(one)) is not None}
    seen = prober.observe(list(watched.values()), SECONDS)
    told: dict[int, Case] = {}
    found = list(kept)
    for number, case in watched.items():
        observed = seen.get(case.key)
        if observed is not None and len(observed.views) == 2:
            before, after = ({n: dict(v) for n, v in view.items()} for view in observed.views)
            looks = _looks(case, before, after)
            if not looks:
                found[number] = replace(kept[number], case=replace(kept[number].case, asks=True))
            else:
                told[number] = replace(kept[number].case, steps=(*case.steps, *looks))
    again = prober.observe(list(told.values()), SECONDS)
    for number, case in told.items():
        observed = again.get(case.key)
        if observed is not None and not observed.rejected:
            found[number] = replace(kept[number], case=case, seen=observed)
    return found


def _watched(one: KeptCase) -> Case | None:
    """Returns a story without its looks, whose variables are watched; None for one that shows
    something."""
    case = one.case
    looks = [step for step in case.steps if step.check]
    if case.origin != "documented" or case.looped or not looks:
        return None
    bare = all(seen.source is None and not seen.printed for seen in one.seen.outcomes)
    if not bare or not all(step.source.isidentifier() for step in looks):
        return None
    steps = tuple(step for step in case.steps if not step.check)
    bound = (assigned(step.source) for step in steps[case.defines :])
    variables = list(dict.fromkeys(one[0] for one in bound if one is not None))[-MOST_WATCHED:]
    return replace(case, steps=steps, watched=tuple(variables)) if variables else None


def _looks(case: Case, before: Mapping[str, Views], after: Mapping[str, Views]) -> list[Step]:
    """Returns looks at what the last statement changed, or at what it made."""
    rank = ViewRanking(case.keywords, given_values(case))
    found: list[Step] = []
    for name in case.watched:
        old, new = before.get(name), after.get(name, {})
        if old is None:
            views = {view: value for view, value in new.items() if not rank.is_known(value)}
        else:
            changed = {view: value for view, value in new.items() if old.get(view) != value}
            telling = {v: value for v, value in changed.items() if value not in BEGUN_WITH}
            views = telling or changed
        if views:
            found += telling_looks(name, views, MOST_OF_ONE, rank)
    return found[-MOST_LOOKS:]
