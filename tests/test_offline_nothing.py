"""Cases that show no more than that nothing comes out have to reach something."""

from __future__ import annotations

from pytest_lift.agents.offline.joining.merits.nothing import doubted_for_nothing
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Origin, Step


def shown(*checks: StepCheck, origin: Origin = "searched") -> Verified:
    steps = tuple(Step(check.expression, check.form != "none") for check in checks)
    case = Case("m.py", "first", steps, origin=origin)
    return Verified(case, checks, ("from m import first, Box",), frozenset())


def test_what_shows_that_nothing_comes_out_is_doubted_however_plain() -> None:
    box = StepCheck("none", "box = Box()")
    empty = StepCheck("equals", "first([])", "[]")
    nothing = [shown(box, StepCheck("is", "box.pop()", "None")), shown(empty)]
    something = shown(StepCheck("equals", "first('ab')", "'a'"))
    others = [
        something,
        shown(empty, origin="documented"),
        shown(box, StepCheck("none", "box.add(1)"), StepCheck("equals", "box.rest()", "[]")),
    ]
    items = doubted_for_nothing([*nothing, *others[1:]], {"Box"})
    assert [item.case.doubtful for item in items] == [True, True, False, False]
    items = doubted_for_nothing([*nothing, *others], {"Box"})
    assert [item.case.doubtful for item in items] == [True, False, False, False, False]
