"""Operators that do not take an operand say so, and Python raises the error for them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.writing.messages import constant_part
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.child.refused import refused_by
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


class Purse:
    def __lt__(self, other: object) -> bool:
        return NotImplemented


class OnDemand(ModuleType):
    """Module that is loaded when it is first asked for anything."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(f"it is loaded for {name}")


class Nameless(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise RuntimeError("it is asked for its name")


class Proxy:
    @property
    def __class__(self) -> Any:
        raise RuntimeError("it is asked for its class")


def code_of(space: dict[str, Any]) -> Any:
    """Returns the code to which an error of `Purse` is put down in a case with some names."""
    error = TypeError("'<' not supported between instances of 'Purse' and 'int'")
    return refused_by(error, space, {os.path.realpath(__file__)})


def _with(monkeypatch: pytest.MonkeyPatch, module: ModuleType, **names: object) -> None:
    monkeypatch.setitem(sys.modules, object.__getattribute__(module, "__name__"), module)
    object.__getattribute__(module, "__dict__").update(names)


def test_no_module_and_no_object_is_asked_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    _with(monkeypatch, OnDemand("on_demand"))
    _with(monkeypatch, ModuleType("proxies"), Purse=Proxy())
    odd = Nameless("Odd", (), {})
    assert code_of({"odd": odd, "one": odd(), "proxy": Proxy()}) is Purse.__lt__.__code__


def test_another_class_of_the_same_name_is_not_to_blame(monkeypatch: pytest.MonkeyPatch) -> None:
    other = type("Purse", (), {"__lt__": lambda self, other: NotImplemented})
    plain = type("Purse", (), {})
    _with(monkeypatch, ModuleType("others"), Purse=other)
    assert code_of({}) is None
    assert code_of({"mine": Purse()}) is Purse.__lt__.__code__
    assert code_of({"Purse": plain}) is None


class Sure:
    def __lt__(self, other: object) -> bool:
        return False


def test_only_an_operator_of_the_program_that_may_refuse_is_to_blame() -> None:
    error = TypeError("'<' not supported between instances of 'Purse' and 'int'")
    assert refused_by(error, {"Purse": Purse}, {os.path.realpath(__file__)}) is not None
    assert refused_by(error, {"Purse": Purse}, {"/elsewhere.py"}) is None
    sure = TypeError("'<' not supported between instances of 'Sure' and 'int'")
    assert refused_by(sure, {"Sure": Sure}, {os.path.realpath(__file__)}) is None


def test_what_python_itself_refuses_costs_no_search_through_the_modules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Counting(dict[str, Any]):
        asked = 0

        def values(self) -> Any:
            Counting.asked += 1
            return super().values()

    monkeypatch.setattr(sys, "modules", Counting(sys.modules))
    error = TypeError("unsupported operand type(s) for *: 'NoneType' and 'int'")
    assert refused_by(error, {}, {os.path.realpath(__file__)}) is None
    assert Counting.asked == 0
