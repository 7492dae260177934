"""What a test gives and does plays a part in what it asserts in the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.needed.needed import only_needed
from pytest_lift.agents.offline.needed.rerun import with_lines
from pytest_lift.agents.offline.writing.oracles import Verified, verify
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.source.program import Program

SHOP = """
    class Shop:
        def __init__(self, name="shop", *, limit=0, strict=False):
            self.name, self.limit, self.strict = name, limit, strict
            self.offers = []
            self.hidden = []

        def offer(self, thing, note=None):
            if self.strict and not thing:
                raise ValueError("nothing to offer")
            self.offers.append(thing)

        def drop(self, thing):
            if thing in self.offers:
                self.offers.remove(thing)
            return len(self.offers)

        def hide(self, thing):
            if thing and self.name:
                self.hidden.append(thing)

        def count(self):
            return len(self.offers)


    def wrapped(thing):
        return thing


    def checked(text, level=1):
        if level == 2:
            if text == "x":
                return 1
            for _ in text:
                if _ == "y":
                    return 2
        return len(text)
"""
OWN = frozenset({"Shop", "offer", "drop", "hide", "count", "wrapped", "checked"})
IMPORTS = tuple(f"from shop import {name}" for name in ("Shop", "wrapped", "checked"))


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, {"shop.py": SHOP})


@pytest.fixture
def prober(tmp_path: Path, program: Program) -> Prober:
    return Prober(tmp_path, program, best_jail())


def verified(prober: Prober, *several: Sequence[str], symbol: str = "Shop.count") -> list[Verified]:
    """Returns the cases of lines; those that end in ``?`` are looked at."""
    items = []
    for lines in several:
        steps = tuple(Step(line.rstrip("?"), check=line.endswith("?")) for line in lines)
        case = Case("shop.py", symbol, steps, IMPORTS)
        seen = prober.observe([case], 10)[case.key]
        item = verify(case, seen, prober.program, Resolver(prober.program))
        assert item is not None
        items.append(item)
    return items


def needed(
    prober: Prober, *several: Sequence[str], symbol: str = "Shop.count", tested: bool = True
) -> list[list[str]]:
    """Returns the lines that are left of cases; `tested` is whether what they reach is tested."""
    items = verified(prober, *several, symbol=symbol)
    branches = frozenset(range(len(prober.sites)))
    found = only_needed(items, prober, OWN, branches, branches if tested else frozenset())
    return [[check.expression for check in one.checks] for one in found]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["Shop(limit=3).count()?"], ["Shop().count()"]),
        (["Shop('a').count()?"], ["Shop().count()"]),
        (["shop = Shop(limit=3)", "shop.count()?"], ["shop = Shop()", "shop.count()"]),
        (["checked(wrapped('ab'))?"], ["checked('ab')"]),
        (
            ["shop = Shop()", "shop.hide('b')", "shop.offer('a', 'note')", "shop.count()?"],
            ["shop = Shop()", "shop.offer('a')", "shop.count()"],
        ),
        (["Shop(name='a', limit=2, strict=True).name?"], ["Shop(name='a').name"]),
    ],
)
def test_what_plays_no_part_goes(prober: Prober, before: list[str], after: list[str]) -> None:
    assert needed(prober, before) == [after]


@pytest.mark.parametrize(
    "lines",
    [
        ["shop = Shop()", "shop.offer('a')", "shop.drop('a')", "shop.count()?"],  # taken away again
        ["Shop(strict=True).offer('')?"],
        ["checked('y', level=2)?"],
        ["wrapped(wrapped('a'))?"],
    ],
)
def test_what_plays_a_part_stays(prober: Prober, lines: list[str]) -> None:
    symbol = "wrapped" if "wrapped" in lines[0] else "Shop.count"
    assert needed(prober, lines, symbol=symbol) == [[line.rstrip("?") for line in lines]]


def test_only_little_that_is_reached_may_go(prober: Prober) -> None:
    one = ["checked('ab', level=2)?"]
    assert needed(prober, one, symbol="checked", tested=False) == [["checked('ab', level=2)"]]
    assert needed(prober, one, symbol="checked") == [["checked('ab')"]]


def test_a_case_that_lost_what_it_is_about_goes(prober: Prober) -> None:
    lines = ["shop = Shop()", "shop.hide('b')", "shop.name?"]
    assert needed(prober, lines, symbol="Shop.hide") == []
    assert needed(prober, lines, symbol="Shop") == [["shop = Shop()", "shop.name"]]


def test_options_that_went_are_not_in_the_name(prober: Prober) -> None:
    (item,) = verified(prober, ["Shop(limit=3).count()?"])
    case = replace(item.case, keywords=("limit",))
    (bare,) = verified(prober, ["Shop().count()?"])
    shorter = with_lines(replace(item, case=case), bare.checks)
    assert (shorter.case.keywords, shorter.case.source) == ((), "Shop().count()")
