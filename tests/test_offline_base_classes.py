"""Classes that are only there to be derived from are odd where those below them do the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.objects.base_classes import BASE
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

CODE = """
    class AbstractSpan:
        @classmethod
        def at_least(cls, lower):
            return cls()

    class DateSpan(AbstractSpan):
        @classmethod
        def at_least(cls, lower):
            return cls()

    class Measure:
        def __init__(self, amount=0):
            self.amount = amount

    class Speed(Measure):
        pass

    class BaseLine:
        def __init__(self, text):
            self.text = text

    class Formatter:
        def format(self, text):
            raise NotImplementedError("subclasses must implement")

    class Plain(Formatter):
        def format(self, text):
            return text

    def told(measure):
        return str(measure)
"""


@pytest.fixture
def natural(tmp_path: Path) -> Naturalness:
    program = write_program(tmp_path, {"spans.py": CODE})
    return Naturalness(Inputs(program, random.Random(1)), find_targets(program, Resolver(program)))


def call_of(natural: Naturalness, symbol: str, *values: tuple[str, str]) -> Call:
    targets = find_targets(natural.inputs.program, Resolver(natural.inputs.program))
    return Call(next(one for one in targets if one.symbol == symbol), values)


def test_a_class_is_known_by_its_name_where_another_derives_from_it(natural: Naturalness) -> None:
    odd = natural.base_classes.oddness
    assert odd(call_of(natural, "AbstractSpan.at_least", ("lower", "1"))) == BASE
    assert odd(call_of(natural, "DateSpan.at_least", ("lower", "1"))) == 0
    assert odd(call_of(natural, "BaseLine", ("text", "'a'"))) == 0
    base, heir = (call_of(natural, f"{one}Span") for one in ("Abstract", "Date"))
    assert natural.oddness(base) >= natural.oddness(heir) + BASE


def test_so_is_one_that_leaves_a_method_to_those_below(natural: Naturalness) -> None:
    odd = natural.base_classes.oddness
    assert odd(call_of(natural, "Formatter")) == BASE
    assert odd(call_of(natural, "Plain")) == 0


def test_so_is_one_of_which_documents_only_make_objects_of_those_below(
    natural: Naturalness,
) -> None:
    odd, speed = natural.base_classes.oddness, call_of(natural, "Speed", ("amount", "10"))
    measure = call_of(natural, "Measure", ("amount", "10"))
    assert odd(measure) == 0
    natural.inputs.note(speed.target, "amount", "10")
    natural.forget()
    assert odd(measure) == BASE
    assert odd(call_of(natural, "told", ("measure", "Measure(1)"))) == BASE
    assert odd(speed) == 0
    natural.inputs.note(measure.target, "amount", "3")
    natural.forget()
    assert odd(measure) == 0
