"""What a library asks of the clock for itself, and what waits for nothing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober

WAITING = """
    import asyncio
    import logging
    import threading
    import time


    class Runs:
        number = 0


    def logs(n):
        Runs.number += 1
        logging.getLogger("waiting").warning("run of %s", n)
        return Runs.number > 4


    async def sleeps(n):
        Runs.number += 1
        await asyncio.wait_for(asyncio.sleep(0.001), n)
        return Runs.number > 4


    async def late(n):
        return asyncio.get_running_loop().time() > n


    async def forever(n):
        await asyncio.get_running_loop().create_future()


    async def elsewhere(n):
        return await asyncio.to_thread(time.sleep, 0.01) or n


    class Slot:
        def __init__(self):
            self.values = []
            self.filled = threading.Condition()

        def put(self, value):
            with self.filled:
                self.values.append(value)
                self.filled.notify()

        def take(self, timeout=None):
            with self.filled:
                while not self.values:
                    if not self.filled.wait(timeout):
                        return "nothing"
                return self.values.pop()


    def taken(n):
        slot = Slot()
        thread = threading.Thread(target=slot.put, args=(n,))
        thread.start()
        found = slot.take()
        thread.join()
        return found
"""


@pytest.fixture
def prober(tmp_path: Path) -> Prober:
    return Prober(tmp_path, write_program(tmp_path, {"waiting.py": WAITING}), best_jail())


def call(name: str, n: int) -> Case:
    text = f"{name}({n})" if name == "logs" else f"asyncio.run({name}({n}))"
    lines = ("import asyncio", f"from waiting import {name}")
    return Case("waiting.py", name, (Step(text, check=True),), lines)


@pytest.mark.parametrize("name", ["logs", "sleeps"])
def test_what_logs_or_waits_is_not_run_again_at_other_times(prober: Prober, name: str) -> None:
    case = call(name, 3)
    seen = prober.observe([case], 10, checked=True)[case.key]
    assert (seen.rejected, seen.outcomes[0].source) == ("", "False")


def test_a_program_that_asks_its_loop_for_the_time_is_run_at_other_times(prober: Prober) -> None:
    case = call("late", int(time.monotonic()) + 60 * 24 * 3600)
    assert prober.observe([case], 10, checked=True)[case.key].rejected == "clock"


def test_a_loop_that_waits_for_nothing_costs_no_time(prober: Prober) -> None:
    cases = [call("forever", n) for n in range(20)]
    seen = prober.observe(cases, 6)
    assert [seen[case.key].rejected for case in cases] == ["waits"] * 20


def test_a_loop_that_a_thread_will_wake_goes_on(prober: Prober) -> None:
    cases = [call("elsewhere", n) for n in range(3)]
    seen = prober.observe(cases, 10)
    assert [seen[case.key].outcomes[0].source for case in cases] == ["0", "1", "2"]


def slot(text: str) -> Case:
    step = Step(text, check=True)
    return Case("waiting.py", "Slot.take", (step,), ("from waiting import Slot, taken",))


def test_a_thread_that_waits_for_no_other_one_costs_no_time(prober: Prober) -> None:
    cases = [slot(f"Slot().take({n})") for n in ("None", *range(5, 20))]
    seen = prober.observe(cases, 6)
    assert [seen[case.key].rejected for case in cases] == ["waits"] * 16


def test_waits_that_end_go_on(prober: Prober) -> None:
    cases = [slot("Slot().take(0.01)"), slot("taken(5)")]
    seen = prober.observe(cases, 10)
    assert [seen[case.key].outcomes[0].source for case in cases] == ["'nothing'", "5"]


def test_what_waits_where_there_is_nothing_is_called_on(prober: Prober) -> None:
    waiting = [slot(f"Slot().take(timeout={n})") for n in ("None", *range(5, 20))]
    steps = (Step("slot = Slot()"), Step("slot.put(5)"), Step("slot.take()", check=True))
    filled = Case("waiting.py", "Slot.take", steps, ("from waiting import Slot",))
    prober.explore(waiting, frozenset(), 10)
    ((_, seen),) = prober.explore([filled], frozenset(), 10)
    assert seen.outcomes[-1].source == "5"


def test_what_a_function_returns_to_be_awaited_is_awaited(tmp_path: Path) -> None:
    code = """
        def later(function):
            async def inner(value):
                return function(value)

            return inner


        async def refuse():
            raise ValueError("no")


        def refusing():
            return refuse()
    """
    prober = Prober(tmp_path, write_program(tmp_path, {"later.py": code}), best_jail())
    line = ("from later import later, refusing",)
    cases = [
        Case("later.py", "later", (Step(text, check=True),), line)
        for text in ("later(len)('ab')", "refusing()")
    ]
    seen = prober.observe(cases, 10)
    given, refused = (seen[case.key].outcomes[0] for case in cases)
    assert (given.source, given.wrap) == ("2", "asyncio.run({})")
    assert refused.raised is not None
    assert (refused.raised.explicit, refused.wrap) == (True, "asyncio.run({})")


def test_a_loop_that_ran_in_a_case_leaves_the_next_one_its_own(tmp_path: Path) -> None:
    code = """
        import asyncio


        async def late():
            return 1


        def later():
            return late()


        def is_running():
            return asyncio.get_event_loop().is_running()
    """
    prober = Prober(tmp_path, write_program(tmp_path, {"later.py": code}), best_jail())
    cases = [
        Case("later.py", name, (Step(f"{name}()", check=True),), (f"from later import {name}",))
        for name in ("later", "is_running")
    ]
    found = prober.explore(cases, frozenset(), 10)
    assert [(case.symbol, seen.outcomes[0].source) for case, seen in found] == [
        ("later", "1"),
        ("is_running", "False"),
    ]
