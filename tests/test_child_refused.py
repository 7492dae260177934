"""Operators that do not take an operand say so, and Python raises the error for them."""

from __future__ import annotations

from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.writing.messages import constant_part
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober

MONEY = """
    class Money:
        def __init__(self, amount):
            self.amount = amount

        def __lt__(self, other):
            if not isinstance(other, Money):
                return NotImplemented
            return self.amount < other.amount

        def __add__(self, other):
            return self._sum(other)

        __radd__ = __add__

        def _sum(self, other):
            return Money(self.amount + other.amount) if type(other) is Money else NotImplemented

        def __mul__(self, factor):
            return [self.amount] * factor

    def price():
        return Money(3)

    def number():
        return 3
"""


def test_what_an_operator_does_not_take_is_refused_by_the_program(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"money.py": MONEY})
    comparing = "not supported between instances of"
    refused = {
        "Money(1) < 2": f"'<' {comparing}",
        "2 > Money(1)": f"'>' {comparing}",
        "price() < 'a'": f"'<' {comparing}",
        "Money(1) + 2": "unsupported operand type(s) for +",
        "2 + Money(1)": "unsupported operand type(s) for +",
    }
    others = ["Money(1) * 'a'", "Money(1) - 2", "number() < 'a'", "Money(1) >= 2"]
    line = ("from money import Money, number, price",)
    cases = [
        Case("money.py", "Money.__lt__", (Step(one, check=True),), line)
        for one in (*refused, *others)
    ]
    prober = Prober(tmp_path, program, best_jail())
    seen = prober.observe(cases, 10)
    prober.close()
    errors = {one.source: seen[one.key].outcomes[0].raised for one in cases}
    raised = {source: one for source, one in errors.items() if one is not None}
    assert [source for source, one in raised.items() if one.explicit] == [*refused]
    assert {raised[source].file.rpartition("/")[2] for source in refused} == {"money.py"}
    assert {source: constant_part(raised[source], program) for source in refused} == refused
