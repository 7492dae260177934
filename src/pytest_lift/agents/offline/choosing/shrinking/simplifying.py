"""Makes cases simpler: fewer lines, shorter and plainer arguments, the same branches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

from pytest_lift.agents.offline.choosing.options.removing import without_options
from pytest_lift.agents.offline.choosing.selection import Chosen, shared_out
from pytest_lift.agents.offline.choosing.shrinking.simpler import simpler
from pytest_lift.agents.offline.natural.oddness import oddness
from pytest_lift.agents.offline.search.dullness import dullness
from pytest_lift.agents.offline.search.kept import KeptCase, Write
from pytest_lift.agents.offline.search.options.effects import setting
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.prober import Prober

BREADTHS = (3, 6, 12, 24, 60, 150)
"""Most variants of a call that are tried at its turns, as long as none of them is better: the
largest steps come first, and each case has its turn before others have more, so that a short time
is well spent."""
MOST_TURNS = 14
"""Most turns of a case, each of which may begin with a better variant of it."""
MOST_WRITTEN, WRITING = 400, 0.4
"""Variants with which a round ends, since what they show helps the next one, and the most of the
time that is left in which they are written."""
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


_Variant = tuple[int, int, KeptCase]
"""(place among the variants of a case, place of the case, variant)."""


def naturalness_cost(case: Case) -> float:
    """Returns the distance of a case from what a person would type."""
    odd = sum(oddness(step.source) for step in case.steps)
    return case.cost + odd + (EMPTY_FOLDER if case.folder and not case.files else 0)


def shrink(
    chosen: Sequence[Chosen],
    prober: Prober,
    write: Write,
    deadline: float,
    richer: Callable[[KeptCase], Iterable[Call]] = lambda _: (),
    may_replace: Callable[[Call, Call], bool] = lambda *_: True,
) -> list[Chosen]:
    """Simplifies searched cases as long as they keep the probes they were chosen for.

    Those come first that had the fewest turns, and of these the ones that are furthest from what a
    person would write: the time may be short. `richer` gives calls that may take the place of one
    whose result shows little; `may_replace` tells whether one call may take the place of another.
    """
    current = list(chosen)
    shrinking = _Shrinking(prober, write, richer, may_replace)
    shrinking.checked |= {item.kept.case.key for item in chosen}
    while (left := deadline - time.monotonic()) > LEAST_SECONDS:
        current = shared_out(current, distance)
        smaller = shrinking.round(current, left)
        if smaller is None:
            break
        current = [smaller.get(item.kept.case.key, item) for item in current]
    return current


@dataclass
class _Shrinking:
    """Rounds in which cases are made simpler, and what was seen in them."""

    prober: Prober
    write: Write
    richer: Callable[[KeptCase], Iterable[Call]]
    may_replace: Callable[[Call, Call], bool]
    turns: dict[str, int] = field(default_factory=dict)
    """`Case.key` -> turns that the case had, those of what it was before included."""
    tried: dict[tuple[str, frozenset[int]], int] = field(default_factory=dict)
    """Case and what it is for -> number of its variants that were tried."""
    left: dict[tuple[str, frozenset[int]], tuple[Iterator[Call], Iterator[Call]]] = field(
        default_factory=dict
    )
    """The same -> simpler and richer calls that were not."""
    known: dict[str, Observation] = field(default_factory=dict)
    checked: set[str] = field(default_factory=set)
    """Cases that were seen to give the same once more."""

    def round(self, current: Sequence[Chosen], seconds: float) -> dict[str, Chosen] | None:
        """Returns the cases that had a turn, by the keys of what they were; None where none is
        left to have one."""
        began = time.monotonic()
        waiting = sorted(filter(self._is_open, current), key=self._rank)
        variants: list[_Variant] = []
        plain: dict[str, Case | None] = {}
        having: list[Chosen] = []
        for item in waiting:
            if len(variants) > MOST_WRITTEN or time.monotonic() - began > WRITING * seconds:
                break
            variants += self._variants(item, len(having), plain)
            having.append(item)
        if not having:
            return None
        variants.sort(key=lambda variant: variant[:2])  # some of each case, if the time is short
        cases = {kept.case.key: kept.case for _, _, kept in variants}
        cases |= {case.key: case for case in plain.values() if case is not None}
        new = [case for key, case in cases.items() if key not in self.known]
        until = began + seconds
        self.known |= self.prober.observe(new, until - time.monotonic())
        best = partial(_best, having, variants, plain, self.known)
        found = _checked(having, best, self.prober, until, self.known, self.checked)
        for old, one in zip(having, found, strict=True):
            turns = self.turns.get(old.kept.case.key, 0) + 1
            self.turns[old.kept.case.key] = self.turns[one.kept.case.key] = turns
        return {old.kept.case.key: one for old, one in zip(having, found, strict=True)}

    def _is_open(self, item: Chosen) -> bool:
        """Whether a case may become simpler, as far as it is known."""
        if item.kept.call is None or not (item.gain or item.kept.goals):
            return False
        turns = self.turns.get(item.kept.case.key, 0)
        return turns < MOST_TURNS and self.tried.get(_task(item), 0) < BREADTHS[-1]

    def _rank(self, item: Chosen) -> tuple[int, float]:
        return self.turns.get(item.kept.case.key, 0), -distance(item.kept)

    def _variants(
        self, item: Chosen, index: int, plain: dict[str, Case | None]
    ) -> Iterator[_Variant]:
        """Yields the next variants of a case that cost less than it; `plain` gets those without the
        option that they are to show."""
        call, before, longest = item.kept.call, item.kept.case, distance(item.kept)
        task = _task(item)
        first = self.tried.get(task, 0)
        most = next((one for one in BREADTHS if one > first), first)
        self.tried[task] = most
        assert call is not None
        if task not in self.left:
            self.left[task] = simpler(call), iter(self.richer(item.kept))
        calls = [other for others in self.left[task] for other in islice(others, most - first)]
        for order, other in enumerate(calls):
            case = self.write(other) if self.may_replace(call, other) else None
            if case is None or naturalness_cost(case) >= longest:
                continue
            if option := before.effect.partition("=")[0]:
                if case.keywords != before.keywords:
                    continue
                plain[case.key] = self.write(without_options(other, [option]))
                case = replace(case, effect=setting(other, option))
            yield order, index, replace(item.kept, case=case, call=other)


def _task(item: Chosen) -> tuple[str, frozenset[int]]:
    """Returns the case, and the probes that its variants have to keep."""
    return item.kept.case.key, item.gain


def _best(
    chosen: Sequence[Chosen],
    variants: Sequence[_Variant],
    plain: Mapping[str, Case | None],
    known: Mapping[str, Observation],
) -> list[Chosen]:
    """Returns the cases, each as its simplest variant that keeps what it is for."""
    result = list(chosen)
    far = [distance(item.kept) for item in chosen]
    for _, index, kept in variants:
        observed, best = known.get(kept.case.key), result[index]
        if observed is None or naturalness_cost(kept.case) >= far[index]:
            continue
        if not keeps(best, kept, observed):
            continue
        if kept.case.effect:
            without = _without_it(known, plain.get(kept.case.key))
            if without is None or without.outcomes == observed.outcomes:
                continue
        if (near := distance(found := replace(kept, seen=observed))) < far[index]:
            result[index], far[index] = Chosen(found, best.gain), near
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


def alike(chosen: Sequence[Chosen], prober: Prober, write: Write, seconds: float) -> list[Chosen]:
    """Returns the cases with properties of a class, and answers of its methods without arguments,
    read from equal objects, where that shows the same, those that fail apart from the others, with
    all that their objects refuse: they then share a test."""
    groups: dict[tuple[str, bool], list[int]] = {}
    for index, item in enumerate(chosen):
        call = item.kept.call
        fails = any(_errors(item.kept.seen))
        if call is not None and _asks(call, fails) and call.receiver is not None:
            owner = call.target.owner or call.receiver.target
            groups.setdefault((owner.key, fails), []).append(index)
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
            if (observed := seen.get(kept.case.key)) and keeps(chosen[index], kept, observed)
            if distance(found := replace(kept, seen=observed))
            <= distance(chosen[index].kept) + NEAR
        }
        best[key] = max(best.get(key, {}), fitting, key=len)
    moved_to = {index: item for found in best.values() for index, item in found.items()}
    return [moved_to.get(index, item) for index, item in enumerate(chosen)]


def _asks(call: Call, fails: bool) -> bool:
    """Whether a call reads something of an object that nothing was done with before, or gives it
    what it refuses."""
    alone = not (call.before or call.in_block or call.target.asynchronous)
    kinds = ("property", "method", "statement") if fails else ("property", "method")
    given = call.values or call.extra
    return alone and call.target.kind in kinds and (fails or not given)


def _without_it(seen: Mapping[str, Observation], plain: Case | None) -> Observation | None:
    """Returns what a call does without the option that its test shows."""
    return seen.get(plain.key) if plain is not None else None


def distance(kept: KeptCase) -> float:
    """Returns the distance of a case from what a person would write: less is better."""
    return naturalness_cost(kept.case) + dullness(kept.case, kept.seen)


def keeps(best: Chosen, kept: KeptCase, observed: Observation) -> bool:
    """Whether a simpler case shows what the case was chosen for."""
    if not observed.usable or not best.gain <= observed.hits:
        return False
    telling = any(o.telling and o.raised is None for o in observed.outcomes)
    if best.kept.goals and not telling:
        return False
    if kept.case.symbol != best.kept.case.symbol:  # the last call is left out
        return telling and not best.kept.goals
    return _errors(observed) == _errors(best.kept.seen) and best.kept.is_answered_by(observed)


def _errors(seen: Observation) -> list[str]:
    return [outcome.raised.type for outcome in seen.outcomes if outcome.raised]
