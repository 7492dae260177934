"""Runs of cases in processes of their own go beside each other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Manner, Prober, Rerun

PROGRAM = """
    import os


    def pid():
        return os.getpid()


    def letters():
        return list({"a", "b", "c", "d", "e"})


    def leave():
        os._exit(1)


    IMPORTED, SEEN = os.urandom(8).hex(), []


    def imported():
        return IMPORTED


    def seen(name):
        SEEN.append(name)
        return len(SEEN), len(object.__subclasses__())
"""


def call(expression: str) -> Case:
    name = expression.partition("(")[0]
    return Case("many.py", name, (Step(expression, check=True),), (f"from many import {name}",))


@pytest.fixture
def prober(tmp_path: Path) -> Prober:
    return Prober(tmp_path, write_program(tmp_path, {"many.py": PROGRAM}), best_jail())


@pytest.mark.parametrize("processors", [1, 2])
def test_what_one_run_loses_the_others_keep(prober: Prober, processors: int) -> None:
    """Where it is known before they begin they are spared it."""
    prober.processors = processors
    cases = [call("letters()"), call("leave()")]
    reruns = [Rerun(cases, {"hash_seed": 1}), Rerun(cases, {"hash_seed": 2, "backwards": True})]
    found = prober.observe_each(reruns, 20)
    assert [set(one) for one in found] == [{cases[0].key}] * 2
    first, second = (one[cases[0].key].outcomes for one in found)
    assert first != second
    assert prober.failures["many.py:leave"].total() == processors


def test_runs_take_turns_where_there_are_more_than_processors(prober: Prober) -> None:
    prober.processors = 2
    assert [prober.turns(runs) for runs in range(5)] == [0, 1, 1, 2, 2]


def test_a_case_runs_once_however_often_it_is_asked_for(prober: Prober) -> None:
    batch = prober.begin_observing([call("pid()"), call("letters()"), call("pid()")], 10)
    assert len(prober.observed(batch)) == len(batch.cases) == 2


@pytest.mark.parametrize("manner", [{"forked": True}, {"apart": True}])
def test_a_process_that_runs_its_cases_in_forks_serves_others(
    prober: Prober, manner: Manner
) -> None:
    """These find the program as after an import, without what cases before them have defined."""
    defining = (Step("class Own:\n    pass"), *call("seen('Own')").steps)
    other = replace(call("seen('Own')"), steps=defining, defines=1)
    runs = [[call("imported()"), other], [call("imported()"), call("seen('a')")]]
    found = [prober.observe(cases, 10, leaving=True, hash_seed=3, **manner) for cases in runs]
    sources = [[one.outcomes[-1].source for one in seen.values()] for seen in found]
    assert sources[0][0] == sources[1][0]
    assert [one[1].partition(",")[0] for one in sources] == ["(1", "(1"]
    assert sources[0][1] != sources[1][1]
    moved = prober.observe(runs[0], 10, leaving=True, hash_seed=3, moved=60.0, **manner)
    assert moved[runs[0][0].key].outcomes[0].source != sources[0][0]
