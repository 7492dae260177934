"""The call without an option is shown once, however many options are shown beside it."""

from __future__ import annotations

from pytest_lift.agents.offline.joining.shown_once import plain_calls_once
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Origin, Step


def shown(*pairs: tuple[str, str], effect: str = "", origin: Origin = "searched") -> Verified:
    checks = tuple(StepCheck("equals" if value else "none", call, value) for call, value in pairs)
    steps = tuple(Step(call, check=bool(value)) for call, value in pairs)
    case = Case("m.py", "draw", steps, origin=origin, effect=effect)
    return Verified(case, checks, (), frozenset())


def left(*items: Verified) -> list[list[str]]:
    return [[one.expression for one in item.checks] for item in plain_calls_once(items, set())]


PLAIN = ("draw()", "['']")
FIRST = shown(PLAIN, ("draw(size=1)", "['a']"), effect="size=1")
SECOND = shown(PLAIN, ("draw(mark='!')", "['!']"), effect="mark='!'")


def test_the_call_without_options_stands_beside_the_first_of_them() -> None:
    assert left(FIRST, SECOND) == [["draw()", "draw(size=1)"], ["draw(mark='!')"]]
    assert left(FIRST, FIRST) == [["draw()", "draw(size=1)"], ["draw(size=1)"]]
    given = ("draw(3)", "['c']")
    pair = [shown(given, (f"draw(3, {one}=1)", "1"), effect=one) for one in ("size", "mark")]
    assert left(*pair)[1] == ["draw(3)", "draw(3, mark=1)"], "it shows what the option changes"
    changed = shown(("draw()", "['a']"), ("draw(size=1)", "['b']"), effect="size=1")
    assert left(FIRST, changed)[1] == ["draw()", "draw(size=1)"], "it gives something else"


def test_the_call_without_options_stands_alone_where_a_test_of_it_does() -> None:
    assert left(FIRST, shown(PLAIN)) == [["draw(size=1)"], ["draw()"]]
    lines = shown(("pen = Pen()", ""), PLAIN, ("draw(size=2)", "['']"), effect="size=2")
    assert left(shown(PLAIN), lines)[1] == ["pen = Pen()", "draw()", "draw(size=2)"]
    told = shown(PLAIN, ("draw(size=2)", "['']"), origin="documented", effect="size=2")
    assert left(shown(PLAIN), told)[1] == ["draw()", "draw(size=2)"]
    assert plain_calls_once([shown(PLAIN), FIRST], {FIRST.case.key})[1] == FIRST
