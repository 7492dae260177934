"""Makes cases simpler: fewer lines, shorter and plainer arguments, the same branches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from pytest_lift.agents.offline.choosing.selection import Chosen, shared_out, without_options
from pytest_lift.agents.offline.choosing.simpler import simpler
from pytest_lift.agents.offline.natural.oddness import oddness
from pytest_lift.agents.offline.search.dullness import dullness
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.options import setting
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.prober import Prober

BREADTHS = (6, 6, 12, 24, 60, 60, 60, 60)
"""Most variants of a call that are tried in each round: first the largest steps of all of them, so
that a short time is well spent."""
MOST_OBJECTS = 4
"""Most objects of a class from which all its properties are tried to be read."""
EMPTY_FOLDER = 0.3
"""Oddness of a folder of its own, for a test that reads and writes no file."""
NEAR = 0.1
"""Distance by which an object that others share may be further from what a person would write."""
MOST_CHECKS = 3
"""How often others take the place of variants that give something else at another time."""
LEAST_SECONDS = 0.5
"""Seconds that a round needs."""


def naturalness_cost(case: Case) -> float:
    """Returns the distance of a case from what a person would type."""
    return (
        case.cost + oddness(case.source) + (EMPTY_FOLDER if case.folder and not case.files else 0)
    )


def shrink(
    chosen: Sequence[Chosen],
    prober: Prober,
    write: Callable[[Call], Case | None],
    deadline: float,
    richer: Callable[[KeptCase], Iterable[Call]] = lambda _: (),
    may_replace: Callable[[Call, Call], bool] = lambda *_: True,
) -> list[Chosen]:
    """Simplifies searched cases as long as they keep the probes they were chosen for.

    `richer` gives calls that may take the place of one whose result shows little; `may_replace`
    tells whether one call may take the place of another.
    """
    current = list(chosen)
    settled: set[tuple[str, frozenset[int]]] = set()
    known: dict[str, Observation] = {}
    checked = {item.kept.case.key for item in chosen}
    for most in BREADTHS:
        left = deadline - time.monotonic()
        if left < LEAST_SECONDS:
            break
        shared = shared_out(current, distance)
        open_ones = [item for item in shared if (item.kept.case.key, item.gain) not in settled]
        smaller = dict(
            zip(
                (item.kept.case.key for item in open_ones),
                _shrunk(open_ones, prober, write, left, richer, may_replace, most, known, checked),
                strict=True,
            )
        )
        same = [item for item in open_ones if smaller[item.kept.case.key] == item]
        current = [smaller.get(item.kept.case.key, item) for item in shared]
        if most == BREADTHS[-1]:
            settled |= {(item.kept.case.key, item.gain) for item in same}
            if len(same) == len(open_ones):
                break
    return current


def _shrunk(
    chosen: list[Chosen],
    prober: Prober,
    write: Callable[[Call], Case | None],
    seconds: float,
    richer: Callable[[KeptCase], Iterable[Call]],
    may_replace: Callable[[Call, Call], bool],
    most: int,
    known: dict[str, Observation],
    checked: set[str],
) -> list[Chosen]:
    """Returns the cases after one step each; `known` gets what was observed."""
    variants: list[tuple[int, int, KeptCase]] = []
    plain: dict[str, Case | None] = {}
    until = time.monotonic() + seconds
    for index, item in enumerate(chosen):
        call, before = item.kept.call, item.kept.case
        if call is None or not (item.gain or item.kept.goals):
            continue
        if time.monotonic() > until:
            break
        calls = [*islice(simpler(call), most), *islice(richer(item.kept), most)]
        for order, other in enumerate(calls):
            case = write(other) if may_replace(call, other) else None
            if case is None or naturalness_cost(case) >= distance(item.kept):
                continue
            if option := before.effect.partition("=")[0]:
                if case.keywords != before.keywords:
                    continue
                plain[case.key] = write(without_options(other, [option]))
                case = replace(case, effect=setting(other, option))
            variants.append((order, index, replace(item.kept, case=case, call=other)))
    variants.sort(key=lambda variant: variant[:2])  # some of each case, if the time is short
    cases = {kept.case.key: kept.case for _, _, kept in variants}
    cases |= {case.key: case for case in plain.values() if case is not None}
    new = [case for key, case in cases.items() if key not in known]
    known |= prober.observe(new, until - time.monotonic())
    best = partial(_best, chosen, variants, plain, known)
    return _checked(chosen, best, prober, until, known, checked)


def _best(
    chosen: Sequence[Chosen],
    variants: Sequence[tuple[int, int, KeptCase]],
    plain: Mapping[str, Case | None],
    known: Mapping[str, Observation],
) -> list[Chosen]:
    """Returns the cases, each as its simplest variant that keeps what it is for."""
    result = list(chosen)
    for _, index, kept in variants:
        observed, best = known.get(kept.case.key), result[index]
        if observed is None or not _keeps(best, kept, observed):
            continue
        if kept.case.effect:
            without = _without_it(known, plain.get(kept.case.key))
            if without is None or without.outcomes == observed.outcomes:
                continue
        if distance(found := replace(kept, seen=observed)) < distance(best.kept):
            result[index] = Chosen(found, best.gain)
    return result


def _checked(
    chosen: Sequence[Chosen],
    best: Callable[[], list[Chosen]],
    prober: Prober,
    until: float,
    known: dict[str, Observation],
    checked: set[str],
) -> list[Chosen]:
    """Returns the best variants that give the same once more, and at another time: an argument that
    a call lost may have been a date without which it asks the clock. `known` and `checked` get what
    was looked at, by `Case.key`."""
    for _ in range(MOST_CHECKS):
        result = best()
        new = [item.kept.case for item in result if item.kept.case.key not in checked]
        if not new:
            break
        checked.update(case.key for case in new)
        known |= prober.observe(new, until - time.monotonic(), checked=True)
    pairs = zip(chosen, best(), strict=True)
    return [new if new.kept.case.key in checked else old for old, new in pairs]


def alike(
    chosen: Sequence[Chosen], prober: Prober, write: Callable[[Call], Case | None], seconds: float
) -> list[Chosen]:
    """Returns the cases with properties of a class, and answers of its methods without arguments,
    read from equal objects, where that shows the same, those that fail apart from the others: they
    then share a test."""
    groups: dict[tuple[str, bool], list[int]] = {}
    for index, item in enumerate(chosen):
        call = item.kept.call
        if call is not None and _asks(call) and call.receiver is not None:
            owner = call.target.owner or call.receiver.target
            groups.setdefault((owner.key, any(_errors(item.kept.seen))), []).append(index)
    tried: dict[tuple[tuple[str, bool], Call], list[tuple[int, KeptCase]]] = {}
    for key, members in groups.items():
        calls = [c for index in members if (c := chosen[index].kept.call) is not None]
        for made in list(dict.fromkeys(c.receiver for c in calls if c.receiver))[:MOST_OBJECTS]:
            moved = [replace(call, receiver=made) for call in calls] if len(members) > 1 else []
            tried[key, made] = [
                (index, replace(chosen[index].kept, case=case, call=call))
                for index, call in zip(members, moved, strict=False)
                if (case := write(call)) is not None
            ]
    cases = {kept.case.key: kept.case for rows in tried.values() for _, kept in rows}
    seen = prober.observe(list(cases.values()), seconds)
    best: dict[tuple[str, bool], dict[int, Chosen]] = {}
    for (key, _), rows in tried.items():
        fitting = {
            index: Chosen(found, chosen[index].gain)
            for index, kept in rows
            if (observed := seen.get(kept.case.key)) and _keeps(chosen[index], kept, observed)
            if distance(found := replace(kept, seen=observed))
            <= distance(chosen[index].kept) + NEAR
        }
        best[key] = max(best.get(key, {}), fitting, key=len)
    moved_to = {index: item for found in best.values() for index, item in found.items()}
    return [moved_to.get(index, item) for index, item in enumerate(chosen)]


def _asks(call: Call) -> bool:
    """Whether a call reads something of an object that nothing was done with before."""
    alone = not (call.before or call.values or call.extra or call.in_block)
    return alone and call.target.kind in ("property", "method") and not call.target.asynchronous


def _without_it(seen: Mapping[str, Observation], plain: Case | None) -> Observation | None:
    """Returns what a call does without the option that its test shows."""
    return seen.get(plain.key) if plain is not None else None


def distance(kept: KeptCase) -> float:
    """Returns the distance of a case from what a person would write: less is better."""
    return naturalness_cost(kept.case) + dullness(kept.case, kept.seen)


def _keeps(best: Chosen, kept: KeptCase, observed: Observation) -> bool:
    """Whether a simpler case shows what the case was chosen for."""
    if not observed.usable or not best.gain <= observed.hits:
        return False
    telling = any(o.telling and o.raised is None for o in observed.outcomes)
    if best.kept.goals and not telling:
        return False
    if kept.case.symbol != best.kept.case.symbol:  # the last call is left out
        return telling and not best.kept.goals
    return _errors(observed) == _errors(best.kept.seen)


def _errors(seen: Observation) -> list[str]:
    return [outcome.raised.type if outcome.raised else "" for outcome in seen.outcomes]
