"""Tells which attributes are the same for all objects of a class, or for most objects that have
them, and which are second names of others: a test of them shows nothing of what was done."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.choosing.selection import Chosen, shared_out
from pytest_lift.agents.offline.search.dullness import BEGUN_WITH
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.case import Observation, Outcome

FEWEST = 4
"""Results of a type, from which an attribute that never differs is the same for all."""
MOST = 0.75
"""Share of the objects with an attribute that have one value of it, from which it is usual."""
DULLNESS = 1.5
"""Dullness of an object that shows nothing but such attributes."""


class CommonAttributes:
    """Attributes of results, by type, that had one value in all cases of a search."""

    def __init__(self, kept: Iterable[KeptCase]) -> None:
        shown: dict[str, list[dict[str, str]]] = defaultdict(list)
        for outcome in (one for item in kept for one in item.seen.outcomes):
            if outcome.attributes and outcome.source is None:
                shown[outcome.type].append(dict(outcome.attributes))
        self._same: set[tuple[str, str]] = set()
        self._aliases: set[tuple[str, str]] = set()
        """Attributes that always have the value of another one, whose name says more."""
        for kind, objects in shown.items():
            if len(objects) >= FEWEST:
                self._note(kind, objects)
        self._usual = frozenset(usual(one for objects in shown.values() for one in objects))
        """(Name, value) of attributes that most objects have so, of whatever type."""

    def _note(self, kind: str, objects: Sequence[dict[str, str]]) -> None:
        """Notes what never differs among objects of a type, and what always agrees."""
        alike: dict[tuple[str | None, ...], list[str]] = defaultdict(list)
        for name in dict.fromkeys(name for one in objects for name in one):
            alike[tuple(one.get(name) for one in objects)].append(name)
        for values, names in alike.items():
            if len({*values} - {None}) == 1:
                self._same |= {(kind, name) for name in names}
            else:
                longest = max(names, key=len)
                self._aliases |= {(kind, name) for name in names if name != longest}

    def dullness(self, seen: Observation) -> float:
        """Returns `DULLNESS` where all that is seen is the same for every object, else 0."""
        return DULLNESS if seen.outcomes and all(map(self._is_common, seen.outcomes)) else 0.0

    def without(self, seen: Observation) -> Observation:
        """Returns the observation without attributes that never differ or are as usual, where
        others are left that say something, and without second names of others."""
        return replace(seen, outcomes=tuple(map(self._differing, seen.outcomes)))

    def telling(self, chosen: Sequence[Chosen]) -> list[Chosen]:
        """Returns the cases without those that show nothing of their own and reach nothing that the
        others do not reach."""

        def cost(kept: KeptCase) -> float:
            return self.dullness(kept.seen)

        shared = {item.kept.case.key: item.gain for item in shared_out(chosen, cost)}
        return [
            item
            for item in chosen
            if item.kept.case.origin != "searched"
            or shared.get(item.kept.case.key)
            or not self.dullness(item.kept.seen)
        ]

    def _is_common(self, outcome: Outcome) -> bool:
        told = outcome.source or outcome.text or outcome.printed or outcome.files or outcome.raised
        return not told and all(
            (outcome.type, name) in self._same for name, _ in outcome.attributes
        )

    def _differing(self, outcome: Outcome) -> Outcome:
        left_out = self._same | self._aliases
        kept = tuple(p for p in outcome.attributes if (outcome.type, p[0]) not in left_out)
        unusual = tuple(pair for pair in kept if pair not in self._usual)
        kept = unusual if any(value not in BEGUN_WITH for _, value in unusual) else kept
        return replace(outcome, attributes=kept) if kept else outcome


def usual(objects: Iterable[dict[str, str]]) -> Iterator[tuple[str, str]]:
    """Yields (name, value) of the attributes that most objects which have them have so."""
    values: dict[str, Counter[str]] = defaultdict(Counter)
    for one in objects:
        for name, value in one.items():
            values[name][value] += 1
    for name, counted in values.items():
        (value, often), *_ = counted.most_common(1)
        if often >= max(FEWEST, MOST * counted.total()):
            yield name, value
