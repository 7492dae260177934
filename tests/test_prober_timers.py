"""Time limits of cases hold whatever the program does to timers, and are no clock that it asks."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.child.isolation import timers
from pytest_lift.calls.prober import Prober

LOOPS = """
    import collections
    import itertools
    import signal
    import time


    def spin():
        while True:
            pass


    def wait():
        time.sleep(3)


    def busy(n):
        until = time.process_time() + 0.12
        while time.process_time() < until:
            n += 0
        return n


    def nap():
        until = time.monotonic() + 0.2
        time.sleep(0.25)
        return time.monotonic() > until


    def stuck():
        return len(collections.deque(itertools.count(), maxlen=0))


    def unset():
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        return 1


    def ring(seconds):
        signal.alarm(seconds)
        return seconds


    def hear(number):
        signal.signal(number, lambda *heard: None)
        return int(number)


    class Limit:
        def __init__(self, seconds):
            self.seconds = seconds

        def __enter__(self):
            signal.signal(signal.SIGALRM, lambda *heard: spin())
            signal.alarm(self.seconds)
            return self

        def __exit__(self, *error):
            signal.alarm(0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)

        def spent(self):
            with self:
                return self.seconds


    def stubborn(n):
        for _ in range(n):
            try:
                while True:
                    pass
            except BaseException:
                pass
        return n
"""


@pytest.fixture
def prober(tmp_path: Path) -> Prober:
    return Prober(tmp_path, write_program(tmp_path, {"loops.py": LOOPS}), best_jail())


def call(expression: str) -> Case:
    name = expression.partition("(")[0]
    return Case("loops.py", name, (Step(expression, check=True),), (f"from loops import {name}",))


def test_what_computes_or_waits_without_end_is_stopped(prober: Prober) -> None:
    cases = [call("spin()"), call("wait()"), call("stubborn(3)"), call("busy(1)")]
    seen = prober.observe(cases, 20)
    assert [seen[case.key].rejected for case in cases] == ["timeout", "timeout", "", ""]


def test_a_sleep_that_takes_too_long_is_not_waited_for(prober: Prober) -> None:
    cases = [call(f"wait() or {n}") for n in range(20)]
    seen = prober.observe(cases, 6)
    assert [seen[case.key].rejected for case in cases] == ["timeout"] * 20
    assert prober.observe([call("nap()")], 6)[call("nap()").key].outcomes[0].source == "True"


def test_a_command_line_has_more_time(prober: Prober) -> None:
    plain = Case("loops.py", "busy", (Step("[busy(n) for n in range(4)]", check=True),),
                 ("from loops import busy",))  # fmt: skip
    again = Step("[busy(n) for n in range(1, 5)]", check=True)
    line = replace(plain, symbol="main", steps=(again,), command=("loops",))
    seen = prober.observe([plain, line], 20)
    assert [seen[case.key].rejected for case in (plain, line)] == ["timeout", ""]


def test_what_takes_a_while_is_found_and_asks_no_clock(prober: Prober) -> None:
    ((_, seen),) = prober.explore([call("busy(1)")], frozenset(), 20)
    assert seen.usable
    assert not prober.failures["loops.py:busy"]["clock"]


def test_timers_that_the_program_takes_off_are_set_again(prober: Prober) -> None:
    cases = [call("unset()"), *(call(f"busy({n})") for n in range(5)), call("spin()")]
    seen = prober.observe(cases, 20)
    assert seen[cases[-1].key].rejected == "timeout"
    assert seen[cases[1].key].usable


def test_an_alarm_and_what_hears_signals_stay_with_no_test(prober: Prober) -> None:
    heard = ("signal.SIGALRM", "signal.SIGUSR1", "signal.SIGTERM")
    cases = [call("ring(9)"), *(call(f"hear({one})") for one in heard), call("ring(0)")]
    cases = [replace(one, imports=(*one.imports, "import signal")) for one in cases]
    seen = prober.observe([*cases, call("busy(1)")], 20)
    assert [seen[case.key].rejected for case in cases] == [*["signal"] * 4, ""]
    assert seen[call("busy(1)").key].usable


@pytest.mark.parametrize("apart", [True, False])
def test_what_the_program_hears_from_its_import_on_is_its_own(tmp_path: Path, apart: bool) -> None:
    lines = [f"signal.signal(signal.{one}, lambda *heard: None)" for one in ("SIGTERM", "SIGALRM")]
    text = "\n".join(["import signal", *lines, "def double(n):", "    return 2 * n", ""])
    prober = Prober(tmp_path, write_program(tmp_path, {"hearing.py": text}), best_jail())
    steps = [(Step(f"double({n})", check=True),) for n in range(3)]
    cases = [Case("hearing.py", "double", one, ("from hearing import double",)) for one in steps]
    seen = prober.observe(cases, 20, apart=apart)
    assert [seen[case.key].rejected for case in cases] == [""] * 3


def test_a_limit_that_the_program_takes_back_leaves_nothing(prober: Prober) -> None:
    limits = [call(f"Limit({seconds}).spent()") for seconds in (5, 6, 7)]
    cases = [*limits, *(call(f"busy({n})") for n in range(3)), call("spin()")]
    seen = prober.observe(cases, 20)
    assert [seen[case.key].rejected for case in cases] == [*[""] * 6, "timeout"]
    assert not prober.banned


def test_what_asks_the_clock_and_waits_runs_at_fewer_other_times(prober: Prober) -> None:
    case = call("nap()")
    ((found, seen),) = prober.explore([case], frozenset(), 20)
    assert (found, seen.usable) == (case, True)
    assert not prober.banned


def test_after_what_blocked_the_process_calls_get_less_time(prober: Prober) -> None:
    case = call("busy(1)")
    prober.blocked = 100.0
    assert prober.explore([case], frozenset(), 20) == []
    assert prober.failures["loops.py:busy"]["timeout"] == 1


def test_what_blocks_the_process_is_counted(prober: Prober) -> None:
    prober.explore([call("stuck()")], frozenset(), 20)
    assert prober.banned
    assert 0.3 < prober.blocked < 2.0


def test_what_hears_no_signal_ends_the_process_when_it_has_worked_too_long() -> None:
    """Each signal that is heard gives it as much time again."""
    lines = f"""
        import collections, itertools, sys
        sys.path.insert(0, {str(Path(timers.__file__).parent)!r})
        from timers import Stopped, Timers
        limits = Timers()
        limits.install()
        limits.set(0.4)
        limits.begin(False, 0.4)
        for _ in range(3):
            try:
                while True:
                    pass
            except Stopped:
                print("heard", flush=True)
        collections.deque(itertools.count(), maxlen=0)
    """
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(lines)], capture_output=True, text=True, check=False
    )
    assert ended.stdout == 3 * "heard\n"
    assert ended.returncode == -signal.SIGVTALRM
