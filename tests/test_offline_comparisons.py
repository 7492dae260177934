"""What compares, and what does not, share a test in which each is one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_lift.agents.offline.joining.comparisons import LONGEST, compared_both_ways
from pytest_lift.agents.offline.writing.grouping import plan_tests
from pytest_lift.agents.offline.writing.links import ClaimedLink
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Step


def compared(least: str, most: str, form: str, symbol: str = "Version.__lt__") -> Verified:
    """Returns a case of ``Version('1') < Version('2')`` that makes the first object before."""
    lines = (f"version = Version({least!r})", f"version < Version({most!r})")
    checks = (StepCheck("none", lines[0]), StepCheck(form, lines[1]))
    steps = (Step(lines[0]), Step(lines[1], check=True))
    case = Case("versions.py", symbol, steps, subject="version")
    return Verified(case, checks, ("from versions import Version",), frozenset())


LESS, NOT_LESS = compared("1", "2", "true"), compared("2", "1", "false")


ALONE: Sequence[Mapping[str, Any]] = ({"stateful": True}, {"looped": True}, {"files": {"a": "b"}})
"""What stands alone: what needs something around it."""


def sources(*items: Verified) -> list[list[str]]:
    """Returns what the members of each planned test assert."""
    told = compared_both_ways(items)
    plans = plan_tests([(item, ClaimedLink()) for item in told], {})
    return [[one.checks[-1].expression for one in plan.members] for plan in plans]


def test_one_that_holds_and_one_that_does_not_share_a_test() -> None:
    (both,) = sources(LESS, NOT_LESS)
    assert both == ["Version('1') < Version('2')", "Version('2') < Version('1')"]


def test_comparisons_that_all_hold_keep_their_lines() -> None:
    assert sources(LESS, compared("2", "3", "true")) == [
        ["version < Version('2')"],
        ["version < Version('3')"],
    ]


def test_long_ones_others_and_documented_ones_stay_as_they_are() -> None:
    long = compared("1" * LONGEST, "2", "false")
    adding = compared("2", "1", "false", symbol="Version.__add__")
    shown = replace(NOT_LESS, case=replace(NOT_LESS.case, origin="documented"))
    own = [replace(NOT_LESS, case=replace(NOT_LESS.case, **way)) for way in ALONE]
    for other in (long, adding, shown, *own):
        assert compared_both_ways([LESS, other]) == [LESS, other]
