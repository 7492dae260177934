"""Functions that ask what day it is are called with days near now, too."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import targets_of, tried, write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.calls.call import Call

CODE = """
    import datetime


    def present():
        return datetime.datetime.now()


    def told(day: datetime.date) -> str:
        return "tomorrow" if (day - datetime.date.today()).days == 1 else day.isoformat()


    def is_over(moment: datetime.datetime) -> bool:
        return moment < present()


    def year(day: datetime.date) -> int:
        return day.year


    def age(day):
        return datetime.date.today().year - day.year


    def report(name: str) -> str:
        return f"{name}: {datetime.date.today()}"
    """
TOMORROW = "datetime.date.today() + datetime.timedelta(days=1)"


@pytest.mark.parametrize(
    ("symbol", "value", "expected"),
    [
        ("told", TOMORROW, True),
        ("is_over", "datetime.datetime.now() - datetime.timedelta(days=1)", True),
        ("year", TOMORROW, False),
        ("report", TOMORROW, False),
    ],
)
def test_what_asks_for_the_day_gets_those_beside_it(
    tmp_path: Path, symbol: str, value: str, expected: bool
) -> None:
    program = write_program(tmp_path, {"days.py": CODE})
    target = targets_of(program, tmp_path)[symbol]
    pool = Inputs(program, random.Random(0)).pool(target, target.parameters[0])
    assert (value in pool) == expected
    assert pool[0] != value


def test_what_is_said_of_tomorrow_is_no_matter_of_the_day(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"days.py": CODE})
    target = targets_of(program, tmp_path)["told"]
    source, seen = tried(program, tmp_path, Call(target, (("day", TOMORROW),)))
    assert source == f"told({TOMORROW})"
    assert (seen.rejected, seen.outcomes[0].source) == ("", "'tomorrow'")
