"""A number that has a name in the program is asserted by it."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inference import Inference
from pytest_lift.agents.offline.joining.named import NamedResults
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober

LEVELS = """
    OK = 0
    FAILED = 3


    class Level:
        LOW, HIGH = range(2)
        SAME = LOW


    def level(text):
        return _level(text.strip())


    def _level(text):
        if "!" in text:
            return Level.HIGH
        return Level.LOW


    def highest(one, other):
        return max(level(one), level(other))


    def either(text):
        if text:
            return Level.LOW
        return len(text)


    def doubtful(text):
        if text:
            return Level.LOW
        return Level.SAME


    def run(text):
        if text:
            return OK
        return FAILED


    class Counter:
        total = 3

        def add(self):
            Counter.total += 1


    def count():
        return Counter.total
"""


@pytest.mark.parametrize(
    ("expression", "expected", "told"),
    [
        ("level('a!')", "1", "Level.HIGH"),
        ("level('a')", "0", "Level.LOW"),
        ("highest('a', 'a!')", "1", "Level.HIGH"),
        ("run('')", "3", "FAILED"),
        ("either('')", "0", "0"),
        ("doubtful('a')", "0", "0"),
        ("level('a').real", "0", "0"),
        ("count()", "3", "3"),
    ],
)
def test_a_number_is_told_by_the_name_that_is_returned(
    tmp_path: Path, expression: str, expected: str, told: str
) -> None:
    program = write_program(tmp_path, {"levels.py": LEVELS})
    naming = NamedResults(
        Inference(program), Resolver(program), Prober(tmp_path, program, best_jail())
    )
    name = expression.partition("(")[0]
    case = Case("levels.py", name, (Step(expression, check=True),))
    check = StepCheck("equals", expression, expected)
    (item,) = naming.by_name(
        [Verified(case, (check,), (f"from levels import {name}",), frozenset())]
    )
    assert item.checks[0].expected == told
    bound = told.partition(".")[0]
    assert (f"from levels import {bound}" in item.imports) is (told != expected)
