"""Samples of mutants: the same ones whatever the suite, every function has its share, and the
interval holds what it says."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.mutation.mutation import (
    SAMPLE_FILE,
    Mutant,
    Sample,
    function_of,
    interval,
    keep_sample,
    known_sample,
    placed,
)
from pytest_lift.source.program import Program

SIZES = st.lists(st.integers(1, 30), min_size=1, max_size=12)


def mutants(sizes: list[int], moved: int = 0) -> list[Mutant]:
    return [
        Mutant(f"m.x_f{n}__mutmut_{k}", "m.py", moved + 40 * n + k, f"f{n}", f"a {k}", f"b {k}", "")
        for n, size in enumerate(sizes)
        for k in range(size)
    ]


@given(SIZES, st.floats(0, 1))
def test_every_beginning_is_stratified(sizes: list[int], share: float) -> None:
    all_of_them = mutants(sizes)
    order = list(placed(all_of_them))
    assert sorted(order) == sorted(one.key for one in all_of_them)
    taken = Counter(map(function_of, order[: round(share * len(order))]))
    level = sum(taken.values()) / len(order)
    # Which of the strata come first is chance; none is off by more than what is rounded.
    for n, size in enumerate(sizes):
        assert abs(taken[f"m.x_f{n}"] - level * size) <= 1 + len(sizes) / len(order) * size


@given(SIZES, st.randoms(use_true_random=False), st.integers(0, 99))
def test_the_order_is_the_same_however_they_are_told(
    sizes: list[int], chance: random.Random, moved: int
) -> None:
    """Wherever in the file the functions stand, in whatever order they are read."""
    shuffled = mutants(sizes, moved)
    chance.shuffle(shuffled)
    assert placed(shuffled) == placed(mutants(sizes))
    assert list(placed(shuffled)) == list(placed(mutants(sizes)))


@given(SIZES, st.floats(0, 1), st.data())
def test_an_edit_of_one_function_leaves_the_sample_of_the_others(
    sizes: list[int], share: float, data: st.DataObject
) -> None:
    edited = data.draw(st.integers(0, len(sizes) - 1))
    before = mutants(sizes)
    after = [
        replace(one, after=f"{one.after}, edited") if one.symbol == f"f{edited}" else one
        for one in mutants([*sizes, 5], moved=7)
    ]
    for sample in (Sample(share), Sample(1.0)):
        old, new = set(sample.keys(placed(before))), set(sample.keys(placed(after)))
        others = {one.key for one in before if one.symbol != f"f{edited}"}
        assert old & others == new & others


@given(SIZES)
def test_a_sample_that_ends_with_a_mutant_holds_all_up_to_it(sizes: list[int]) -> None:
    places = placed(mutants(sizes))
    for number, place in enumerate(places.values(), 1):
        stored = json.loads(json.dumps(place))
        assert Sample(stored).keys(places)[:number] == list(places)[:number]
    assert Sample().keys(places) == list(places)


def program(*paths: str) -> Program:
    return Program((), paths, ("",), {}, "test")


def test_a_later_lift_knows_the_sample_of_the_newest_before_it(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("1", "2", "3")]
    for folder in folders:
        folder.mkdir()
    keep_sample(folders[0], program("a", "b"), Sample(0.123456789012345))
    keep_sample(folders[1], program("b", "a"), Sample(0.1 + 0.2))
    assert known_sample(folders, program("a", "b")) == Sample(0.1 + 0.2)
    assert known_sample(folders, program("a")) is None
    assert known_sample([], program("a", "b")) is None


ODD = {
    "no JSON": "{",
    "another version": {"version": 2},
    "a list": [],
    "a text": {"share": "0.5"},
    "nothing": {"share": 0.0},
    "too much": {"share": 1.5},
    "less than nothing": {"share": -0.5},
    "no number": {"share": float("nan")},
    "a truth": {"share": True},
    "deep": "[" * 20000,
    "large": " " * 100_000 + '{"version": 1, "program": ["a"], "share": 0.5}',
}


@pytest.mark.parametrize("name", ODD)
def test_what_is_no_sample_is_passed_over(name: str, tmp_path: Path) -> None:
    good, bad = tmp_path / "1", tmp_path / "2"
    good.mkdir()
    bad.mkdir()
    keep_sample(good, program("a"), Sample(0.5))
    odd = ODD[name]
    if isinstance(odd, dict):
        odd = {"version": 1, "program": ["a"], "share": 0.25} | odd
    (bad / SAMPLE_FILE).write_text(odd if isinstance(odd, str) else json.dumps(odd), "utf-8")
    assert known_sample([good, bad], program("a")) == Sample(0.5)


def test_a_link_is_no_sample(tmp_path: Path) -> None:
    for name in ("1", "2"):
        (tmp_path / name).mkdir()
    keep_sample(tmp_path / "1", program("a"), Sample(0.5))
    (tmp_path / "2" / SAMPLE_FILE).symlink_to(tmp_path / "1" / SAMPLE_FILE)
    assert known_sample([tmp_path / "2"], program("a")) is None


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
