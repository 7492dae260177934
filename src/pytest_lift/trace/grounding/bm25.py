"""Okapi BM25 over bags of weighted terms (Robertson and Zaragoza, 2009)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

SATURATION, LENGTH = 1.2, 0.6
"""The parameters k1 and b: how soon repetitions count no more, and what the length takes away."""


class BagIndex:
    """Index of the terms of many bags, each known by its number."""

    def __init__(self, bags: Sequence[Mapping[str, float]]) -> None:
        lengths = [float(sum(bag.values())) for bag in bags]
        mean = sum(lengths) / max(len(bags), 1) or 1.0
        norms = [SATURATION * (1 - LENGTH + LENGTH * length / mean) for length in lengths]
        self._count = len(bags)
        self._gains: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, bag in enumerate(bags):
            for term, weight in bag.items():
                gain = weight * (SATURATION + 1) / (weight + norms[number])
                self._gains[term].append((number, gain))

    def rarity(self, term: str) -> float:
        """Returns the inverse document frequency of a term."""
        many = len(self._gains.get(term, ()))
        return math.log(1 + (self._count - many + 0.5) / (many + 0.5))

    def scores(self, query: Mapping[str, float]) -> dict[int, float]:
        """Returns number of a bag -> its score for a query (term -> weight), the best being 1;
        without those that share no term with it."""
        found: dict[int, float] = defaultdict(float)
        for term, weight in query.items():
            rarity = self.rarity(term)
            for number, gain in self._gains.get(term, ()):
                found[number] += weight * rarity * gain
        best = max(found.values(), default=0.0) or 1.0
        return {number: score / best for number, score in found.items()}
