"""The stop rules: the first reason that holds ends the lift."""

from __future__ import annotations

from pathlib import Path

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
