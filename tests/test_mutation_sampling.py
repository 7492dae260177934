"""Samples of mutants: every function gets its share, and the interval holds what it says."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.mutation.mutants import function_of
from pytest_lift.mutation.sampling import interval, sampling_order


@given(st.lists(st.integers(1, 30), min_size=1, max_size=12), st.integers(0, 99), st.floats(0, 1))
def test_every_beginning_is_stratified(sizes: list[int], seed: int, share: float) -> None:
    keys = [f"m.x_f{n}__mutmut_{k}" for n, size in enumerate(sizes) for k in range(size)]
    order = sampling_order(keys, seed)
    assert sorted(order) == sorted(keys)
    taken = Counter(map(function_of, order[: round(share * len(order))]))
    level = sum(taken.values()) / len(keys)
    # Which of the strata come first is chance; none is off by more than what is rounded.
    for n, size in enumerate(sizes):
        assert abs(taken[f"m.x_f{n}"] - level * size) <= 1 + len(sizes) / len(keys) * size


def test_the_interval_covers_what_it_says() -> None:
    chance = random.Random(0)
    population = [True] * 140 + [False] * 60
    hits = 0
    for _ in range(400):
        sample = chance.sample(population, 60)
        found = interval(sum(sample), 60, 200)
        hits += found.low <= 70 <= found.high
    assert hits >= 0.93 * 400


def test_all_of_them_leave_nothing_open() -> None:
    found = interval(7, 10, 10)
    assert round(found.low, 6) == round(found.high, 6) == 70
    assert (interval(0, 0, 5).low, interval(0, 0, 5).high) == (0, 100)
