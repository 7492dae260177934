"""The time of a lift: shares that are known beforehand, and what the user is told of it."""

from __future__ import annotations

import contextlib
import io
import signal
import threading
import time
from dataclasses import dataclass, replace

import pytest
from _pytest.config import _prepareconfig
from _pytest.terminal import TerminalReporter

from pytest_lift.measure.time_budget import (
    SHARES,
    UNLIMITED,
    Activity,
    TimeBudget,
    TimeIsUp,
    spoken,
)
from pytest_lift.report.terminal import ERASE, Terminal, Ticker


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


def test_what_may_take_longer_than_it_seems_leaves_a_phase_what_makes_it_worth_while() -> None:
    clock = Clock()
    told = budget(20, clock)
    clock.now += 13  # 6 s are left
    careful = told.aim("generate", keep=1.0, growth=1.5)
    assert careful == pytest.approx(clock.now + 0.85 * 4.5)
    assert told.aim("generate", keep=2.5, growth=2.0) == pytest.approx(clock.now + 0.85 * 3.0)
    assert told.aim("generate", keep=5.0, growth=2.0) == pytest.approx(clock.now + 0.85 * 1.0)


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


def test_an_iteration_takes_a_try_and_a_generation() -> None:
    told = budget(600)
    assert told.least(30.0) > 30
    assert told.about(30.0) > told.least(30.0)
    assert told.about(20.0) - told.about(10.0) == pytest.approx(10)


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


def test_phase_count_time_and_estimate_are_told() -> None:
    clock = Clock()
    activity = Activity(clock)
    clock.now += 60
    activity.begin("measure")
    activity.iteration = 2
    done = [0]
    clock.now += 5
    assert activity.told == " 1:05  iteration 2: measuring, 5 s"
    with activity.wait("running the suite", estimate=17, count=lambda: (done[0], 1519)):
        clock.now += 12
        done[0] = 34
        assert activity.told == (
            " 1:17  iteration 2: measuring: running the suite, 34 of 1,519 tests, "
            "12 s of about 17 s"
        )
    assert activity.told == " 1:17  iteration 2: measuring, 17 s"


def test_what_was_done_says_better_how_long_it_takes() -> None:
    """An estimate that time has overtaken is none."""
    clock = Clock()
    activity = Activity(clock)
    activity.begin("measure")
    done = [300]
    with activity.wait("running the suite", estimate=4, count=lambda: (done[0], 1200)):
        clock.now += 10
        assert activity.told.endswith("300 of 1,200 tests, 10 s of about 40 s")
        done[0] = 100
        assert activity.told.endswith("100 of 1,200 tests, 10 s")
        done[0] = 600
    assert activity.projected == 20
    with activity.wait("running some tests", estimate=4):
        clock.now += 3
        assert activity.told.endswith("3 s of about 4.0 s")
    assert activity.projected == 0


def test_what_is_not_known_is_not_told() -> None:
    activity = Activity(Clock())
    activity.begin("prepare")
    with activity.wait("running the suite", count=lambda: (0, 0)):
        assert activity.told == " 0:00  copying the project: running the suite, 0 s"


def terminal(*, tty: bool, verbosity: int = 0, every: float = 0.02) -> tuple[Terminal, io.StringIO]:
    text = io.StringIO()
    reporter = TerminalReporter(_prepareconfig(["-p", "no:cacheprovider"]), text)
    reporter.isatty = tty
    activity = Activity(Clock())
    activity.begin("measure")
    return Terminal(reporter, verbosity=verbosity, activity=activity, every=every), text


def wait_for(text: io.StringIO, part: str, times: int) -> None:
    until = time.monotonic() + 5.0
    while text.getvalue().count(part) < times and time.monotonic() < until:
        time.sleep(0.01)


def test_on_a_tty_one_line_changes_and_makes_room() -> None:
    shown, text = terminal(tty=True)
    shown.start()
    assert text.getvalue() == f"{ERASE} 0:00  measuring, 0 s"  # at once
    shown.activity.clock.now += 1  # type: ignore[attr-defined]
    wait_for(text, f"{ERASE} 0:01  measuring, 1 s", 2)
    shown.say("the suite itself takes 3 s")
    shown.stop()
    assert f"measuring, 1 s{ERASE}      the suite itself takes 3 s\n" in text.getvalue()
    assert text.getvalue().count("\n") == 1
    assert text.getvalue().endswith((ERASE, "\n"))
    settled = text.getvalue()
    time.sleep(0.1)
    assert text.getvalue() == settled


def test_elsewhere_a_line_each_and_nothing_at_once() -> None:
    shown, text = terminal(tty=False)
    shown.start()
    wait_for(text, "  0:00  measuring, 0 s\n", 2)
    shown.stop()
    assert "\r" not in text.getvalue()
    assert set(text.getvalue().splitlines()) == {"   0:00  measuring, 0 s"}


def test_quiet_says_nothing_by_itself() -> None:
    shown, text = terminal(tty=True, verbosity=-1)
    shown.start()
    time.sleep(0.1)
    shown.stop()
    assert text.getvalue() == ""


def test_a_terminal_that_is_gone_stops_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    def tell() -> None:
        raise ValueError("I/O operation on closed file")

    ticker = Ticker(tell, 0.01)
    ticker.start()
    time.sleep(0.05)
    ticker.stop()
    assert capfd.readouterr() == ("", "")
    assert not [one for one in threading.enumerate() if one.name == "lift-ticker"]
