"""Where time is short, the search ends in time and some of what it found gets through all checks."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from jails import best_jail
from offline_program import PRICES, brief, write_program

from pytest_lift.agents.offline.generator import _Generation
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.agents.offline.writing.oracles import stable
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober

SLOW = """
    def slow(n):
        for _ in range(1_500_000):
            n += 1
        return n
"""


def test_of_many_slow_cases_some_get_through_all_runs(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"slow.py": SLOW}), best_jail())
    cases = [
        Case("slow.py", "slow", (Step(f"slow({n})", check=True),), ("from slow import slow",))
        for n in range(400)
    ]
    prober.until = time.monotonic() + 6.0
    found = stable(cases, prober)
    assert time.monotonic() < prober.until + 3.0
    assert 0 < len(found) < len(cases)
    assert cases[0].key in found


def test_after_its_time_a_search_draws_nothing(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    made = _Generation(replace(brief(tmp_path, program), deadline=None))
    search = ProgramSearch(
        made.prober, made.targets, made.resolver, made.inputs, made.rng, time.monotonic(), 10**6
    )
    assert search._round(10**6) == []
    assert search.run([]) == []
