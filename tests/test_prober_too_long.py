"""What takes too long in the child costs little, and never a second time."""

from __future__ import annotations

import time
from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Observation, Step
from pytest_lift.calls.prober import Prober


def test_what_takes_too_long_again_and_again_is_left_alone(tmp_path: Path) -> None:
    text = "def wait(n):\n    while n:\n        pass\n    return n\n\ndef give(n):\n    return n\n"
    program = write_program(tmp_path, {"slow.py": text})
    prober = Prober(tmp_path, program, best_jail())
    lines = ("from slow import wait, give",)
    cases = [
        Case("slow.py", name, (Step(f"{name}({n})", check=True),), lines)
        for n in range(1, 41)
        for name in ("wait", "give")
    ]
    began = time.monotonic()
    found = prober.explore(cases, frozenset(), 60)
    assert [case.symbol for case, _ in found][:1] == ["give"]
    assert 2 <= prober.failures["slow.py:wait"]["timeout"] <= 4
    assert prober.successes["slow.py:give"] == 40
    assert time.monotonic() - began < 30
    observed = prober.observe(cases[:12:2], 60)
    assert {seen.rejected for seen in observed.values()} == {"timeout"}


def test_where_much_takes_too_long_less_is_waited_for_each(tmp_path: Path) -> None:
    """Twelve functions that wait for ever would take 38 s, four times 0.8 s each; what has waited
    too long in one batch is left alone in the next one, by another child as well."""
    waits = "".join(
        f"def wait{n}():\n    while True:\n        time.sleep(0.01)\n\n\n" for n in range(12)
    )
    text = f"import time\n\n\n{waits}def give():\n    time.sleep(0.05)\n    return 1\n"
    program = write_program(tmp_path, {"slow.py": text})
    prober = Prober(tmp_path, program, best_jail())
    names = [f"wait{n}" for n in range(12)]
    cases = [
        Case("slow.py", name, (Step(f"{name}()  # {again}", check=True),), ("from slow import *",))
        for name in [*names, "give"]
        for again in range(4)
    ]
    began = time.monotonic()
    prober.explore(cases, frozenset(), 60)
    waited = [prober.failures[f"slow.py:{name}"]["timeout"] for name in names]
    assert waited[0] > 1
    assert waited[-6:] == [1] * 6
    assert prober.successes["slow.py:give"] == 4
    assert time.monotonic() - began < 20
    prober.close()
    prober.explore([cases[-5], cases[-1]], frozenset(), 60)
    assert prober.failures["slow.py:wait11"]["timeout"] <= waited[-1] + 1


def test_a_symbol_that_takes_long_has_only_its_share_of_the_time(tmp_path: Path) -> None:
    quick = "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(90))
    text = f"import time\n\n\n{quick}def slow():\n    time.sleep(0.1)\n    return 1\n"
    program = write_program(tmp_path, {"many.py": text})
    prober = Prober(tmp_path, program, best_jail())
    lines = ("from many import *",)
    cases = [
        Case("many.py", name, (Step(f"{name}()  # {again}", check=True),), lines)
        for again in range(24)
        for name in (*(f"f{n}" for n in range(90)), "slow")
    ]
    prober.explore(cases, frozenset(), 60)
    assert 5 < prober.successes["many.py:slow"] < 20
    assert prober.successes["many.py:f1"] == 24
    observed = prober.observe([case for case in cases if case.symbol == "slow"], 60)
    assert len(observed) == 24


def test_threads_that_cases_leave_cost_no_more_than_a_new_process(tmp_path: Path) -> None:
    """Else no thread could be started after some hundreds, and the end would wait for them all."""
    text = """
        import threading


        def start(n):
            threading.Timer(3600, print).start()
            return n


        def give(n):
            return n
        """
    program = write_program(tmp_path, {"timed.py": text})
    prober = Prober(tmp_path, program, best_jail())
    lines = ("from timed import start, give",)
    cases = [
        Case("timed.py", name, (Step(f"{name}({n})", check=True),), lines)
        for n in range(400)
        for name in ("start", "give")
    ]
    prober.explore(cases, frozenset(), 60)
    prober.close()
    assert prober.successes["timed.py:give"] == 400
    assert 48 <= prober.failures["timed.py:start"]["thread"] < 96
    assert not prober.failures["timed.py:start"]["it ends or blocks the process"]
    assert not prober.banned, "no case is to blame that was the last one in a process"
    assert prober.blocked == 0


SLOW = """
    import os
    import time

    time.sleep(0.5)
    BORN = os.urandom(8).hex()


    def born():
        return BORN


    def wait(seconds):
        time.sleep(seconds)
        return seconds
    """


def test_a_child_stops_when_its_time_is_over_and_stays_alive(tmp_path: Path) -> None:
    """Another one would have to import the program anew."""
    prober = Prober(tmp_path, write_program(tmp_path, {"slow.py": SLOW}), best_jail(), starting=2.0)

    def case(source: str) -> Case:
        steps = (Step(source, check=True),)
        return Case("slow.py", source.partition("(")[0], steps, ("from slow import born, wait",))

    def observed(*sources: str) -> dict[str, Observation]:
        cases = [case(source) for source in sources]
        seen = prober.observe(cases, 0.3)
        return {one.source: seen[one.key] for one in cases if one.key in seen}

    first = observed("born()")  # its time begins when the program is imported
    assert first["born()"].outcomes
    some = observed(*(f"wait(0.1{n:02d})" for n in range(30)))
    assert len(some) < 30
    assert observed("born()") == first
    prober.close()
