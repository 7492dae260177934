"""Brings back cases that were left out, for the functions of which branches are lost with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

from pytest_lift.agents.offline.search.reach import Function

Item = TypeVar("Item")


def brought_back(
    left_out: Sequence[Item],
    stay: Sequence[Item],
    hits: Callable[[Item], AbstractSet[int]],
    places: Mapping[int, Function],
) -> list[Item]:
    """Returns those of the cases `left_out` that come back, in their order: one for each function
    that has lost branches, those first that reach most of them, the earlier ones of the same.

    What says little is better than a branch that no test reaches, but once for a function is
    enough. `places` has the functions of the branches that count, by their number.
    """
    unreached = places.keys() - frozenset[int]().union(*map(hits, stay))
    beside: dict[Function, set[int]] = defaultdict(set)
    for hit in unreached:
        beside[places[hit]].add(hit)
    lost = {n: own for n, item in enumerate(left_out) if (own := hits(item) & unreached)}
    back: set[int] = set()
    while lost:
        best = max(lost, key=lambda n: (len(lost[n]), -n))
        back.add(best)
        shown = set[int]().union(*(beside[places[hit]] for hit in lost[best]))
        lost = {n: rest for n, own in lost.items() if (rest := own - shown)}
    return [item for n, item in enumerate(left_out) if n in back]
