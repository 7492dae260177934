"""Texts are known by which a function finds something in a table or an enumeration, also where it
changes their case first, or looks for items; so are the numbers on both sides of a bound."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

UNITS = """
    from enum import Enum

    FACTORS = {"kilo": 1000, "mega": 1000000}

    class Unit(Enum):
        DAYS = 1
        HOURS = 2
        _missing = 3

    class Side(str, Enum):
        LEFT = "l"
        RIGHT = "r"

    def exact(amount, unit):
        return amount * Unit[unit].value

    def told(amount, unit):
        return amount, Unit[unit.strip().upper()]

    def without(amount, left_out=()):
        found = {Unit[name.upper()] for name in left_out}
        return amount, found

    def side(name):
        return Side(name)

    def factor(prefix):
        return FACTORS.get(prefix.lower())

    def truth(answer):
        return answer.lower() in ("yes", "True", "y") or answer.lower() == "on"

    def vowels(text):
        return sum(1 for letter in text if letter.lower() in "aeiou" or letter.upper() in ["A"])

    def grown(age, years=1):
        if age < 18 or not 0 < years <= 120:
            raise ValueError(years)
        return age + years
    """

RUNNER = """
    HANDLERS = {}
    SEEN = {}

    class Runner:
        def do_start(self):
            return "started"

        def do_stop(self):
            return "stopped"

        def run(self, command):
            return getattr(self, "do_" + command)()

        def knows(self, command):
            return hasattr(self, f"do_{command.lower()}")

    for word in dir(Runner):
        if word.startswith("do_"):
            HANDLERS[word[3:]] = getattr(Runner, word)

    def handled(command):
        return HANDLERS[command](Runner())
    """


@pytest.fixture
def pools(tmp_path: Path) -> dict[str, list[str]]:
    program = write_program(tmp_path, {"units.py": UNITS, "runner.py": RUNNER})
    inputs = Inputs(program, random.Random(1))
    targets = find_targets(program, Resolver(program))
    return {
        f"{target.symbol}.{one.name}": inputs.pool(target, one)
        for target in targets
        for one in target.parameters
    }


def test_members_of_an_enumeration_are_found_by_their_names(pools: dict[str, list[str]]) -> None:
    assert pools["exact.unit"][:2] == ["'DAYS'", "'HOURS'"]
    assert pools["told.unit"][:2] == ["'days'", "'hours'"]
    assert "'l'" in pools["side.name"][:2]


def test_items_are_what_is_looked_up(pools: dict[str, list[str]]) -> None:
    assert pools["without.left_out"][:3] == ["['days']", "['hours']", "['days', 'hours']"]
    assert "['a']" not in pools["vowels.text"]


def test_a_change_of_case_before_a_lookup_is_undone(pools: dict[str, list[str]]) -> None:
    assert pools["factor.prefix"][:2] == ["'kilo'", "'mega'"]
    assert {*pools["truth.answer"][:3]} == {"'yes'", "'y'", "'on'"}


@pytest.mark.parametrize("name", ["Runner.run", "Runner.knows", "handled"])
def test_functions_are_found_by_the_end_of_their_names(
    pools: dict[str, list[str]], name: str
) -> None:
    assert pools[f"{name}.command"][:2] == ["'start'", "'stop'"]


def test_a_bound_tells_the_numbers_on_both_sides(pools: dict[str, list[str]]) -> None:
    assert {"18", "17"} == {*pools["grown.age"][:2]}
    assert {"0", "1", "120", "121"} <= {*pools["grown.years"][:5]}
