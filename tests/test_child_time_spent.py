"""The seconds that were spent are those of a clock."""

from __future__ import annotations

from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober

CODE = """
    import time

    def spent():
        began = time.process_time()
        return [time.process_time() - began]

    def spent_ns():
        began = time.thread_time_ns()
        return [time.thread_time_ns() - began]

    def whole_milliseconds():
        began = time.process_time()
        return (time.process_time() - began) // 0.001

    def ticks():
        return time.perf_counter_ns() > 0, time.monotonic_ns() > 0

    def busy():
        for _ in range(60):
            time.process_time()
        return sum(n % 7 for n in range(1_000_000)) > 0
"""


def cases(*names: str) -> list[Case]:
    return [
        Case("m.py", name, (Step(f"{name}()", check=True),), (f"from m import {name}",))
        for name in names
    ]


def test_how_long_a_call_took_is_no_test_and_that_it_took_some_time_is(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"m.py": CODE}), best_jail())
    asking = cases("spent", "spent_ns", "whole_milliseconds")
    found = prober.observe(asking, 5, checked=True)
    assert [found[case.key].rejected for case in asking] == ["clock"] * 3
    (fine,) = cases("ticks")
    assert prober.observe([fine], 5, checked=True)[fine.key].rejected == ""
    prober.close()


def test_limits_of_time_are_not_those_of_a_clock_that_is_moved(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"m.py": CODE}), best_jail())
    (busy,) = cases("busy")
    found = prober.observe([busy], 5, moved=3600.0)[busy.key]
    prober.close()
    assert (found.rejected, found.outcomes[0].source) == ("", "True")
