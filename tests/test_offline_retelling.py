"""A docstring tells the values that a test asserts now."""

from __future__ import annotations

import pytest

from pytest_lift.agents.offline.docstrings.retelling import told_anew


@pytest.mark.parametrize(
    ("text", "old", "new", "told"),
    [
        ("f(4) gives 4.", ["4"], ["5"], "f(4) gives 5."),
        ("f(g((1, 2))) gives 1, f(2) gives 2.", ["1", "2"], ["2", "3"],
         "f(g((1, 2))) gives 2, f(2) gives 3."),
        ("f(1) gives 5, then f(2) gives 5.", ["5", "5"], ["4", "6"],
         "f(1) gives 4, then f(2) gives 6."),
        ("f(1) gives Point(x=5) and raises KeyError.", ["Point(x=5)", ""], ["Point(x=6)", ""],
         "f(1) gives Point(x=6) and raises KeyError."),
        ("f(1) raises KeyError.", [""], [""], "f(1) raises KeyError."),
    ],
)  # fmt: skip
def test_values_are_told_anew_where_they_were_told(
    text: str, old: list[str], new: list[str], told: str
) -> None:
    assert told_anew(text, old, new) == told
