"""Tells which attributes are the same for all objects of a class, or for most objects that have
them, and which are second names of others: a test of them shows nothing of what was done."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
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

    def __init__(
        self,
        kept: Iterable[KeptCase],
        words: AbstractSet[str] | None = None,
        begun: AbstractSet[tuple[str, str]] = frozenset(),
    ) -> None:
        """`words` are those of the program: it has no part in attributes of other names; `begun`
        are (name, value) of attributes with which its objects begin."""
        self._words = words
        shown: dict[str, list[dict[str, str]]] = defaultdict(list)
        for outcome in (one for item in kept for one in item.seen.outcomes):
            if outcome.attributes and outcome.source is None:
                shown[outcome.type].append(dict(outcome.attributes))
        objects = [(kind, one) for kind, several in shown.items() for one in several]
        self._same = same_for_all(objects)
        self._aliases: set[tuple[str, str]] = set()
        """Attributes that always have the value of another one, whose name says more."""
        for kind, several in shown.items():
            if len(several) >= FEWEST:
                self._note_aliases(kind, several)
        self._usual = begun | frozenset(usual(one for _, one in objects))
        """(Name, value) of attributes that most objects have so, of whatever type, or begin
        with."""

    def _note_aliases(self, kind: str, objects: Sequence[Mapping[str, str]]) -> None:
        """Notes what always agrees among objects of a type."""
        alike: dict[tuple[str | None, ...], list[str]] = defaultdict(list)
        for name in dict.fromkeys(name for one in objects for name in one):
            alike[tuple(one.get(name) for one in objects)].append(name)
        for names in alike.values():
            longest = max(names, key=len)
            self._aliases |= {(kind, name) for name in names if name != longest}

    def dullness(self, seen: Observation) -> float:
        """Returns `DULLNESS` where all that is seen is the same for every object, else 0."""
        return DULLNESS if seen.outcomes and all(map(self._is_common, seen.outcomes)) else 0.0

    def is_usual(self, seen: Observation) -> bool:
        """Whether all that is seen is objects that have what most objects have so, or what objects
        begin with."""
        attributes = [
            (one.type, pair) for one in self.without(seen).outcomes for pair in one.attributes
        ]
        known = all(
            (kind, pair[0]) in self._same or pair in self._usual or pair[1] in BEGUN_WITH
            for kind, pair in attributes
        )
        return known and bool(seen.outcomes) and not any(map(_tells, seen.outcomes))

    def without(self, seen: Observation) -> Observation:
        """Returns the observation without attributes that never differ, are as usual or are no
        words of the program, where others are left that say something, and without second names of
        others."""
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
        return not _tells(outcome) and all(
            (outcome.type, name) in self._same for name, _ in outcome.attributes
        )

    def _differing(self, outcome: Outcome) -> Outcome:
        left_out = self._same | self._aliases
        kept = tuple(p for p in outcome.attributes if (outcome.type, p[0]) not in left_out)
        own = tuple(p for p in kept if self._words is None or p[0] in self._words)
        kept = own or kept
        unusual = tuple(pair for pair in kept if pair not in self._usual)
        kept = unusual if any(value not in BEGUN_WITH for _, value in unusual) else kept
        return replace(outcome, attributes=kept) if kept else outcome


def _tells(outcome: Outcome) -> bool:
    """Whether an outcome tells more than the attributes of an object."""
    return bool(
        outcome.source or outcome.text or outcome.printed or outcome.files or outcome.raised
    )


def same_for_all(
    objects: Iterable[tuple[str, Mapping[str, str]]],
) -> AbstractSet[tuple[str, str]]:
    """Returns (type, name) of what has the same value for all objects of a type that have it, where
    there are enough of them: a test of one says nothing by it. `objects` are types and values."""
    values: dict[tuple[str, str], list[str]] = defaultdict(list)
    for kind, one in objects:
        for name, value in one.items():
            values[kind, name].append(value)
    return {key for key, found in values.items() if len(found) >= FEWEST and len({*found}) == 1}


def usual(objects: Iterable[Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """Yields (name, value) of the attributes that most objects which have them have so."""
    values: dict[str, Counter[str]] = defaultdict(Counter)
    for one in objects:
        for name, value in one.items():
            values[name][value] += 1
    for name, counted in values.items():
        (value, often), *_ = counted.most_common(1)
        if often >= max(FEWEST, MOST * counted.total()):
            yield name, value
