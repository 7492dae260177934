"""The time of a lift: shares that are known beforehand, and nothing that cannot end in time."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from dataclasses import dataclass, replace

import pytest

from pytest_lift.measure.time_budget import (
    SHARES,
    UNLIMITED,
    TimeBudget,
    TimeIsUp,
    spoken,
)


@dataclass
class Clock:
    """A clock that goes when it is told to."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def budget(seconds: float, clock: Clock | None = None) -> TimeBudget:
    clock = clock or Clock()
    return TimeBudget(seconds, clock.now, clock)


def test_reports_have_time_of_their_own() -> None:
    assert budget(100).until == pytest.approx(1096)
    assert budget(10).until == pytest.approx(1009)
    assert budget(3600).until == pytest.approx(1000 + 3600 - 15)
    assert budget(0.5).left == 0


def test_without_a_limit_nothing_is_limited() -> None:
    assert UNLIMITED.until is None
    assert UNLIMITED.left is None
    assert UNLIMITED.aim("generate", 5.0) is None
    UNLIMITED.require(1e9, "anything")
    with UNLIMITED.stopping(1e9):
        pass


def test_a_phase_has_its_share_of_the_whole_and_never_what_is_kept() -> None:
    clock = Clock()
    told = budget(100, clock)
    assert told.aim("orders") == pytest.approx(clock.now + SHARES["orders"] * 100)
    clock.now += 86  # 10 s are left
    aimed = told.aim("generate", keep=4.0)
    assert aimed is not None
    assert clock.now < aimed < clock.now + 6
    assert told.aim("generate", keep=11.0) == clock.now


def test_what_would_not_end_in_time_does_not_begin_and_says_what_would_do() -> None:
    clock = Clock()
    told = budget(60, clock)
    told.require(57, "running the suite")
    clock.now += 30
    with pytest.raises(TimeIsUp) as raised:
        told.require(45, "an iteration")
    told_at_last = str(raised.value)
    assert told_at_last.startswith("an iteration takes about 45 s, ")
    assert "28 s of --lift-max-minutes 1 are left" in told_at_last
    assert told_at_last.endswith("--lift-max-minutes 2.1")


def test_an_iteration_takes_three_runs_and_a_generation() -> None:
    told = budget(600)
    assert told.least(10.0) > 30
    assert told.about(10.0) > told.least(10.0)
    assert told.about(20.0) - told.about(10.0) == pytest.approx(30)


def test_work_that_never_asks_for_the_time_is_stopped() -> None:
    began = time.monotonic()
    told = TimeBudget(1.4, began)
    before = signal.getsignal(signal.SIGALRM)

    def work() -> None:
        with told.stopping(keep=0.2):
            while time.monotonic() < began + 5:
                with contextlib.suppress(Exception):
                    sum(range(1000))

    with pytest.raises(TimeIsUp, match=r"^the time of --lift-max-minutes 0\.02333 is used up"):
        work()
    assert 0.1 < time.monotonic() - began < 1.2
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_what_is_over_in_time_is_not_stopped_later() -> None:
    told = TimeBudget(1.2, time.monotonic())
    with told.stopping():
        pass
    time.sleep(0.3)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_what_must_be_kept_is_there_before_a_phase_begins() -> None:
    with pytest.raises(TimeIsUp, match="what comes next"), budget(10).stopping(keep=20):
        raise AssertionError("it began")


def test_in_another_thread_nothing_is_stopped_and_nothing_breaks() -> None:
    told = replace(budget(10), clock=time.monotonic, began=time.monotonic())
    seen: list[str] = []

    def work() -> None:
        with told.stopping():
            seen.append("done")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == ["done"]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.42, "0.4 s"), (9.4, "9.4 s"), (45.4, "45 s"), (180, "3.0 min")]
)
def test_estimates_are_as_exact_as_they_can_be(seconds: float, text: str) -> None:
    assert spoken(seconds) == text
