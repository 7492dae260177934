"""Where time is short, the search ends in time and some of what it found gets through all checks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from jails import best_jail
from offline_program import PRICES, brief, write_program

from pytest_lift.agents.offline.choosing.steady import MORE_SEEDS, stable
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.knowledge import ProgramKnowledge
from pytest_lift.agents.offline.search.exploring import LEAST_LEFT
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.running.children import Batch

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
    assert found.keys() & {case.key for case in cases[:20]}, "the first ones come first"


@dataclass
class Counted(Prober):
    """Counts the runs of cases."""

    runs: int = 0

    def begin_observing(self, cases: Sequence[Case], seconds: float, **manner: Any) -> Batch:
        self.runs += 1
        return super().begin_observing(cases, seconds, **manner)


@pytest.mark.parametrize(("left", "runs"), [(2.0, 2), (60.0, 3 + len(MORE_SEEDS))])
def test_where_time_is_short_a_process_less_checks(tmp_path: Path, left: float, runs: int) -> None:
    program = write_program(
        tmp_path, {"chance.py": "def listed(n):\n    return [*{'a', 'b', n}]\n"}
    )
    prober = Counted(tmp_path, program, best_jail())
    lines = ("from chance import listed",)
    cases = [
        Case("chance.py", "listed", (Step(text, check=True),), lines)
        for text in ("len(listed('c'))", "listed('c')")
    ]
    prober.until = time.monotonic() + left
    found = stable(cases, prober)
    assert prober.runs == runs
    assert found[cases[0].key].outcomes[0].source == "3"


def test_after_its_time_a_search_draws_nothing(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    made = ProgramKnowledge(replace(brief(tmp_path, program), deadline=None))
    search = ProgramSearch(
        made.prober,
        made.targets,
        made.resolver,
        made.inputs,
        made.offer,
        made.rng,
        time.monotonic(),
        10**6,
    )
    assert search._round(10**6) == []
    assert search.run([]) == []


def test_no_round_is_drawn_that_no_process_would_run(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    made = ProgramKnowledge(replace(brief(tmp_path, program), deadline=None))
    late = time.monotonic() + LEAST_LEFT
    search = ProgramSearch(
        made.prober, made.targets, made.resolver, made.inputs, made.offer, made.rng, late, 10**6
    )
    assert search.run([]) == []
    assert time.monotonic() < late
    assert not search.is_exhausted


RARE = """
    def rare(text):
        if hash(text) % 1_000_003 == 7:
            return 1
        return 2
"""


def test_a_search_says_whether_it_ended_by_itself(tmp_path: Path) -> None:
    made = ProgramKnowledge(brief(tmp_path, write_program(tmp_path, {"rare.py": RARE})))
    late = time.monotonic() + 60.0
    given = made.prober, made.targets, made.resolver, made.inputs, made.offer, made.rng, late
    stopped, idle = ProgramSearch(*given, 50), ProgramSearch(*given, 10**6, patience=2)
    stopped.run([])
    idle.run([])
    made.prober.close()
    assert not stopped.is_exhausted
    assert idle.is_exhausted


def test_what_was_stopped_by_the_time_may_be_asked_again(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"rare.py": RARE})
    soon = time.monotonic() + 2.0
    assert generator(replace(brief(tmp_path, program), mode="refine", deadline=soon)).cut_short


COMMON = RARE.replace("hash(text) % 1_000_003 == 7", "len(text) > 3").replace("rare", "common")


def test_a_search_ends_sooner_where_nothing_is_left_to_be_reached(tmp_path: Path) -> None:
    tried = []
    for name, text in (("rare", RARE), ("common", COMMON)):
        made = ProgramKnowledge(brief(tmp_path, write_program(tmp_path, {f"{name}.py": text})))
        late = time.monotonic() + 60.0
        given = made.prober, made.targets, made.resolver, made.inputs, made.offer, made.rng, late
        search = ProgramSearch(*given, 10**6)
        search.run([])
        made.prober.close()
        assert search.is_exhausted
        tried.append(search._tried)
        (tmp_path / f"{name}.py").unlink()
    assert tried[1] < 0.9 * tried[0]
