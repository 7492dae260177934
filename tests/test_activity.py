"""What a lift does at the moment is said again and again, and makes room for what stays."""

from __future__ import annotations

import io
import threading
import time
from dataclasses import dataclass

import pytest
from _pytest.config import _prepareconfig
from _pytest.terminal import TerminalReporter

from pytest_lift.measure.activity import Activity
from pytest_lift.report.terminal.terminal import ERASE, Terminal, Ticker


@dataclass
class Clock:
    """A clock that goes when it is told to."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


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
