"""The seconds of an iteration by phase, added up, told as they begin, and taken once."""

from __future__ import annotations

import time

import pytest

from pytest_lift.evolve.publisher import PhaseTimer


def test_each_phase_is_told_and_added_up() -> None:
    told: list[str] = []
    timer = PhaseTimer(told.append)
    for name in ("one", "two", "one"):
        with timer(name):
            time.sleep(0.01)
    assert told == ["one", "two", "one"]
    assert timer.seconds["one"] >= 0.02
    assert timer.seconds["two"] >= 0.01


def test_what_is_cut_short_has_taken_its_time() -> None:
    timer = PhaseTimer()
    with pytest.raises(KeyboardInterrupt), timer("one"):
        raise KeyboardInterrupt
    assert timer.seconds.keys() == {"one"}


def test_seconds_are_taken_once_to_the_millisecond() -> None:
    timer = PhaseTimer(seconds={"one": 1.23456})
    assert (timer.take(), timer.take()) == ({"one": 1.235}, {})
