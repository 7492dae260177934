"""The stop rules: the first reason that holds ends the lift."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_lift.evolve.endings import ending_of
from pytest_lift.evolve.iteration import Iteration
from pytest_lift.measure.measurement import Figures
from pytest_lift.settings import Settings

FIGURES = Figures(1, 1, 0, 0, 50.0, 50.0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(("repeats", "ending"), [(True, "plateau"), (False, None)])
def test_a_question_that_would_be_the_same_ends_the_lift(
    tmp_path: Path, repeats: bool, ending: str | None
) -> None:
    first = Iteration(0, "baseline", FIGURES, True, "suite as found")
    last = Iteration(1, "initial", FIGURES, False, "no change proposed", repeats=repeats)
    settings = Settings(root=tmp_path, tests="tests")
    assert ending_of(settings, (first, last)) == ending


@pytest.mark.parametrize(
    ("accepted", "ending"),
    [
        ([False, False], None),
        ([False, False, False], "plateau"),
        ([True, False, False], None),
        ([True, False, False, False], "plateau"),
        ([False, False, True], None),
    ],
)
def test_three_iterations_in_a_row_without_a_gain_are_a_plateau(
    tmp_path: Path, accepted: list[bool], ending: str | None
) -> None:
    first = Iteration(0, "baseline", FIGURES, True, "suite as found")
    tried = [Iteration(n, "refine", FIGURES, gain, "") for n, gain in enumerate(accepted, 1)]
    settings = Settings(root=tmp_path, tests="tests")
    assert ending_of(settings, (first, *tried)) == ending


@pytest.mark.parametrize(
    ("last", "settings", "ending"),
    [
        ({"verdict": "FINAL"}, {}, "final"),
        ({"exhausted": "max_tokens"}, {}, "budget"),
        ({}, {"iterations": 1}, "iterations"),
        ({"elapsed": 60.0}, {"max_minutes": 1.0}, "budget"),
        ({"elapsed": 59.0}, {"max_minutes": 1.0}, None),
    ],
)
def test_a_verdict_and_the_limits_end_a_lift(
    tmp_path: Path, last: dict[str, Any], settings: dict[str, Any], ending: str | None
) -> None:
    first = Iteration(0, "baseline", FIGURES, True, "suite as found")
    second = replace(Iteration(1, "initial", FIGURES, True, ""), **last)
    told = Settings(root=tmp_path, tests="tests", **settings)
    assert ending_of(told, (first, second)) == ending
