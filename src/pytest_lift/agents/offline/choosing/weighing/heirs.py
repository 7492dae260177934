"""Calls methods without an object, which several classes inherit, on one of these classes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.weighing.inherited import Inheritance
from pytest_lift.agents.offline.search.kept import Write
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.target import Target

SECONDS = 1.0
Place = tuple[str, str]
"""File that defines a method, and its symbol there."""


def on_one_heir(
    chosen: Sequence[Chosen],
    targets: Sequence[Target],
    prober: Prober,
    write: Write,
    inheritance: Inheritance,
    is_base: Callable[[str], bool],
) -> list[Chosen]:
    """Returns the cases; of those that call static or class methods which one class defines and
    others inherit, all on the class that has most of them, and of which it is not known that it
    `is_base` of others alone, where that shows and reaches the same: a reader sees then that it is
    one method."""
    calls = {number: call for number, item in enumerate(chosen) if (call := _static(item))}
    places = {number: _definer(call.target, inheritance) for number, call in calls.items()}
    families: dict[Place, Counter[str]] = defaultdict(Counter)
    for number, call in calls.items():
        families[_owner(places[number])][_class(call.target)] += 1
    static = (one for one in targets if one.kind == "static")
    known = {(_definer(one, inheritance), _class(one)): one for one in static}
    tried: dict[int, tuple[Call, Case]] = {}
    for number, call in calls.items():
        ranked = families[_owner(places[number])].most_common()
        heir, _ = min(ranked, key=lambda one: is_base(one[0].rpartition(".")[2]))
        target = known.get((places[number], heir))
        moved = replace(call, target=target) if target is not None else call
        if moved != call and (case := write(moved)) is not None:
            tried[number] = moved, case
    seen = prober.observe([case for _, case in tried.values()], SECONDS, checked=True)
    found = list(chosen)
    for number, (call, case) in tried.items():
        old, observed = chosen[number], seen.get(case.key)
        same = observed is not None and observed.outcomes == old.kept.seen.outcomes
        if observed is not None and same and observed.usable and old.gain <= observed.hits:
            kept = replace(old.kept, case=replace(case, effect=old.kept.case.effect), call=call)
            found[number] = replace(old, kept=replace(kept, seen=observed))
    return found


def _static(item: Chosen) -> Call | None:
    """Returns the call of a searched case that does nothing but call a static or class method."""
    call = item.kept.call
    if call is None or item.kept.case.origin != "searched" or call.target.kind != "static":
        return None
    return None if call.receiver or call.before or call.subject else call


def _definer(target: Target, inheritance: Inheritance) -> Place:
    return inheritance.definer(target.path, target.symbol)


def _owner(place: Place) -> Place:
    """Returns the file and the class of a method."""
    return place[0], place[1].rpartition(".")[0]


def _class(target: Target) -> str:
    return target.symbol.rpartition(".")[0]
