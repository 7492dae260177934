"""Runs of cases in processes of their own go beside each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober, Rerun

PROGRAM = """
    import os


    def pid():
        return os.getpid()


    def letters():
        return list({"a", "b", "c", "d", "e"})


    def leave():
        os._exit(1)
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
