"""For each function that has lost branches one case that was left out comes back."""

from __future__ import annotations

from pytest_lift.agents.offline.choosing.weighing.brought_back import brought_back
from pytest_lift.agents.offline.search.reach import Function

AREA, WIDTH = ("shapes.py", "area"), ("shapes.py", "width")
PLACES: dict[int, Function] = {1: AREA, 2: AREA, 3: AREA, 4: WIDTH}


def back(left_out: list[set[int]], stay: list[set[int]]) -> list[set[int]]:
    return brought_back(left_out, stay, frozenset, PLACES)


def test_a_case_comes_back_for_a_branch_that_is_lost_with_it() -> None:
    assert back([{1, 4}, {2}], [{2, 3}]) == [{1, 4}]
    assert back([{1}, {2}], [{1, 2}]) == []


def test_one_case_is_enough_for_a_function() -> None:
    assert back([{1}, {2, 3}, {1, 3}], []) == [{2, 3}]
    assert back([{1}, {4}], []) == [{1}, {4}]


def test_the_earliest_of_those_that_reach_as_much_comes_back() -> None:
    assert back([{1}, {2}], []) == [{1}]
    assert back([{1, 4}, {4}], []) == [{1, 4}]


def test_what_counts_for_nothing_brings_nothing_back() -> None:
    assert back([{9}], []) == []
