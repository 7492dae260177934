"""What faults may take of the time there is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
from jails import best_jail

from pytest_lift.measure.fault_measurer import FaultMeasurer
from pytest_lift.measure.time_budget import TimeBudget
from pytest_lift.mutation.mutator import Mutator


@dataclass
class Clock:
    """A clock that goes when it is told to."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def faults(seconds: float | None, spent: float = 0.0) -> tuple[FaultMeasurer, Clock]:
    clock = Clock()
    measurer = SimpleNamespace(time=TimeBudget(600.0, clock.now, clock))
    mutator = Mutator(Path("/m"), Path("/c"), best_jail(), ("tests",), seconds=seconds, spent=spent)
    return FaultMeasurer(measurer, mutator), clock  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("seconds", "spent", "share"),
    [(100.0, 0.0, 10.0), (100.0, 60.0, 4.0), (900.0, 0.0, 15.0), (100.0, 200.0, 0.0),
     (None, 0.0, 15.0)],
)  # fmt: skip
def test_a_share_of_what_is_left_for_mutants(
    seconds: float | None, spent: float, share: float
) -> None:
    begun, _ = faults(seconds, spent)
    assert begun._share(0.1, 15.0) == pytest.approx(share)


def test_a_share_ends_with_what_is_measured() -> None:
    begun, clock = faults(100.0)
    begun._until = clock.now + 3
    assert begun._share(0.1, 15.0) == pytest.approx(3.0)
    begun._until = clock.now + 30
    assert begun._share(0.1, 15.0) == pytest.approx(10.0)
    clock.now += 60
    assert begun._share(0.1, 15.0) == 0.0


def test_without_mutants_no_time_is_theirs() -> None:
    begun, _ = faults(100.0)
    begun.mutator = None
    assert begun._share(0.1, 15.0) == 0.0
