"""Mutants are not begun where no figure can come of it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from jails import best_jail

from pytest_lift.mutation.mutator import Mutator
from pytest_lift.mutation.mutmut.errors import OutOfTime


def mutator(tmp_path: Path, seconds: float | None) -> Mutator:
    return Mutator(tmp_path / "mutation", tmp_path, best_jail(), ("tests",), seconds=seconds)


@pytest.mark.parametrize("run", [10.0, 29.5])
def test_a_suite_that_is_too_slow_for_a_sample_is_not_run_again(tmp_path: Path, run: float) -> None:
    begun = mutator(tmp_path, 20.0)
    with pytest.raises(OutOfTime, match="too long for a sample"):
        begun.require_room(run)
    assert begun.spent == 0.0
    assert not begun.root.exists()


def test_the_end_of_the_phase_counts_too(tmp_path: Path) -> None:
    with pytest.raises(OutOfTime):
        mutator(tmp_path, 600.0).require_room(10.0, until=time.monotonic() + 15)


def test_where_there_is_room_nothing_is_said(tmp_path: Path) -> None:
    mutator(tmp_path, 60.0).require_room(10.0, until=time.monotonic() + 60)
    mutator(tmp_path, None).require_room(1000.0)
