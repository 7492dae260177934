"""mutmut's process told which mutant is next, and ended tidily: with real signals and files."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from pytest_lift.mutation.inside.steering import (
    ENDING,
    MAIN,
    NO_VERDICT,
    ORDER,
    STARTED,
    STOPPED,
    Steering,
    begin_mutant,
)

QUEUE = {"m.x_f__mutmut_2": 0, "m.x_g__mutmut_1": 1, "m.x_f__mutmut_1": 2}


class Runner:
    """As mutmut's: where its process waits, and writes down what came of it."""

    def __init__(self, running: tuple[int, ...] = ()) -> None:
        self._running = dict.fromkeys(running)

    def wait_for_result(self, seconds: float) -> None:
        time.sleep(seconds)

    def save(self, seconds: float) -> None:
        self.wait_for_result(seconds)


@pytest.fixture(autouse=True)
def alarm() -> Iterator[None]:
    before = signal.getsignal(signal.SIGALRM)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def steering(folder: Path, seconds: float, share: float = 1.0, least: int = 0) -> Steering:
    found = Steering(folder, QUEUE, time.monotonic() + seconds, share, least)
    found.place("m.x_f__mutmut_1")
    return found


def test_the_order_is_that_of_the_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main = SimpleNamespace(**{ORDER: lambda mutant: 0.0})
    monkeypatch.setitem(sys.modules, MAIN, main)
    Steering(tmp_path, QUEUE, time.monotonic() + 60, 1.0, 0).take_over()
    names = ["m.x_other__mutmut_9", *sorted(QUEUE)]
    assert sorted(names, key=getattr(main, ORDER)) == [*QUEUE, "m.x_other__mutmut_9"]


def test_another_mutmut_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, MAIN, SimpleNamespace())
    with pytest.raises(AttributeError, match=ORDER):
        Steering(tmp_path, QUEUE, 0.0, 1.0, 0).take_over()


def test_it_ends_where_it_waits_and_says_so(tmp_path: Path) -> None:
    steering(tmp_path, 0.0)
    with pytest.raises(KeyboardInterrupt):
        Runner().wait_for_result(5)
    assert (tmp_path / STOPPED).exists()


def test_what_is_written_is_written_to_the_end(tmp_path: Path) -> None:
    steering(tmp_path, 0.0)
    Runner().save(0.5)
    assert not (tmp_path / STOPPED).exists()
    with pytest.raises(KeyboardInterrupt):
        Runner().wait_for_result(5)


def test_those_under_test_may_end_while_none_is_begun(tmp_path: Path) -> None:
    steering(tmp_path, 1.0, share=0.1)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        Runner((4711,)).wait_for_result(5)
    assert (tmp_path / ENDING).exists()
    assert time.monotonic() - began > 0.6


def test_it_does_not_wait_for_what_has_ended(tmp_path: Path) -> None:
    steering(tmp_path, 60.0, share=0.001)
    with pytest.raises(KeyboardInterrupt):
        Runner().wait_for_result(5)


@pytest.mark.parametrize(("started", "ends"), [(b"..", False), (b"...", True)])
def test_a_few_are_begun_in_any_case(tmp_path: Path, started: bytes, ends: bool) -> None:
    (tmp_path / STARTED).write_bytes(started)
    steering(tmp_path, 60.0, share=0.001, least=3)
    try:
        Runner().wait_for_result(0.8)
    except KeyboardInterrupt:
        pass
    assert (tmp_path / ENDING).exists() == ends


@pytest.mark.parametrize(("over", "status", "started"), [(False, 0, 1), (True, NO_VERDICT, 0)])
def test_a_mutant_is_counted_or_not_begun(
    over: bool, status: int, started: int, tmp_path: Path
) -> None:
    (tmp_path / STARTED).touch()
    if over:
        (tmp_path / ENDING).touch()
    child = os.fork()
    if not child:
        begin_mutant(tmp_path)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == status
    assert (tmp_path / STARTED).stat().st_size == started
