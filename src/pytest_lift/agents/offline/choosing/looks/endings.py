"""Shows what the last statement of a story changes, where the story shows objects as they are."""

from __future__ import annotations

import ast
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
from pytest_lift.calls.case import Case, Observation, Step
from pytest_lift.calls.prober import Prober
from pytest_lift.source.syntax import leaf, parsed_expression

SECONDS = 4.0
MOST_WATCHED, MOST_LOOKS, MOST_OF_ONE = 8, 3, 2
"""Most variables that are watched, and most looks at what they hold, and at one of them."""


def with_endings(kept: Sequence[KeptCase], prober: Prober) -> list[KeptCase]:
    """Returns the cases; stories that show nothing but attributes of objects show what their last
    statement changed or made; where no statement changed the object that they show, they tell so
    (`Case.asks`)."""
    watched = {n: case for n, one in enumerate(kept) if (case := _watched(one)) is not None}
    seen = prober.observe(list(watched.values()), SECONDS)
    told: dict[int, Case] = {}
    unchanged: dict[int, Case] = {}
    found = list(kept)
    for number, case in watched.items():
        observed = seen.get(case.key)
        if observed is not None and len(observed.views) == 2:
            before, after = ({n: dict(v) for n, v in view.items()} for view in observed.views)
            looks = _looks(case, before, after)
            if looks:
                told[number] = replace(kept[number].case, steps=(*case.steps, *looks))
            elif (making := _making(kept[number], case)) is not None:
                unchanged[number] = making
    again = prober.observe([*told.values(), *unchanged.values()], SECONDS)
    for number, case in told.items():
        observed = again.get(case.key)
        if observed is not None and not observed.rejected:
            found[number] = replace(kept[number], case=case, seen=observed)
    for number, case in unchanged.items():
        observed = again.get(case.key)
        (name,) = case.watched
        if observed is not None and (made := _last_views(observed).get(name)):
            asks = made == _last_views(seen[watched[number].key]).get(name)
            found[number] = replace(kept[number], case=replace(kept[number].case, asks=asks))
    return found


def _last_views(observed: Observation) -> Mapping[str, tuple[tuple[str, str], ...]]:
    return observed.views[-1] if observed.views else {}


def _making(one: KeptCase, watched: Case) -> Case | None:
    """Returns the beginning of a story up to where the one object that it ends by showing is made
    by its class; None for another story."""
    looks = [step.source for step in one.case.steps if step.check]
    if len(looks) != 1 or not one.case.steps[-1].check or looks[0] not in watched.watched:
        return None
    made = (assigned(step.source) for step in watched.steps)
    at, maker = next((n, line[1]) for n, line in enumerate(made) if line and line[0] == looks[0])
    call = parsed_expression(maker)
    kind = one.seen.outcomes[-1].type.rpartition(".")[2]
    if not isinstance(call, ast.Call) or leaf(call.func) != kind or at + 1 == len(watched.steps):
        return None
    return replace(watched, steps=watched.steps[: at + 1], watched=(looks[0],))


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
