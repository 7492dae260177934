"""Which mutants to measure when there is no time for all, and how far their score can be off."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable

from pytest_lift.mutation.mutants import Interval, function_of

Z = 1.959964
"""Standard normal quantile of 95 %."""


def sampling_order(keys: Iterable[str], seed: int) -> list[str]:
    """`keys` so that each beginning of the list is a sample stratified by function.

    Every function gets its share at any length (systematic sampling over strata that are
    shuffled inside; Cochran, Sampling Techniques, 1977, chapter 8).
    """
    by_function: dict[str, list[str]] = {}
    for key in sorted(keys):
        by_function.setdefault(function_of(key), []).append(key)
    chance = random.Random(seed)
    placed: list[tuple[float, str]] = []
    for members in by_function.values():
        chance.shuffle(members)
        start = chance.random()
        placed += [((rank + start) / len(members), key) for rank, key in enumerate(members)]
    return [key for _, key in sorted(placed)]


def interval(detected: int, measured: int, population: int) -> Interval:
    """Wilson's score interval in percent, narrowed for a finite `population`.

    Stratification makes the true one narrower still. ``0 .. 100`` for an empty sample.
    """
    if not measured:
        return Interval(0.0, 100.0)
    left = max(population - measured, 0)
    z2 = Z * Z * left / max(population - 1, 1)
    share = detected / measured
    middle = (share + z2 / (2 * measured)) / (1 + z2 / measured)
    spread = math.sqrt(z2 * (share * (1 - share) / measured + z2 / (4 * measured**2)))
    half = spread / (1 + z2 / measured)
    return Interval(100 * max(middle - half, 0.0), 100 * min(middle + half, 1.0))
