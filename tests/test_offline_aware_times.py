"""A time with a zone is asserted by what it reads as, since an equal one may be in another zone."""

from __future__ import annotations

import pytest

from pytest_lift.agents.offline.joining.aware_times import with_zones_asserted
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Origin, Step

WEST = "datetime.timezone(datetime.timedelta(hours=-4))"


def told(expected: str, origin: Origin = "searched", form: str = "equals") -> tuple[str, str]:
    """Returns what is asserted of a call that gives a time, and its value."""
    case = Case("when.py", "parse", (Step("parse('noon')", True),), origin=origin)
    item = Verified(case, (StepCheck(form, "parse('noon')", expected),), (), frozenset())
    ((check,),) = (one.checks for one in with_zones_asserted([item]))
    return check.expression, check.expected


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (f"datetime.datetime(2024, 2, 29, 12, 30, tzinfo={WEST})", "2024-02-29T12:30:00-04:00"),
        ("datetime(2024, 2, 29, 12, 30, tzinfo=timezone.utc)", "2024-02-29T12:30:00+00:00"),
        ("datetime.time(12, 30, tzinfo=datetime.timezone.utc)", "12:30:00+00:00"),
    ],
)
def test_a_time_with_a_zone_is_told_by_what_it_reads_as(expected: str, text: str) -> None:
    assert told(expected) == ("parse('noon').isoformat()", repr(text))


@pytest.mark.parametrize(
    "expected",
    [
        "datetime.datetime(2024, 2, 29, 12, 30)",
        "datetime.timedelta(hours=-4)",
        "datetime.datetime(2024, 2, 30, tzinfo=datetime.timezone.utc)",
        "datetime.datetime(*moment, tzinfo=datetime.timezone.utc)",
        "datetime.datetime(2024, 2, 29, tzinfo=FixedOffset(1, 0, 'CET'))",
        "[datetime.datetime(2024, 2, 29, tzinfo=datetime.timezone.utc)]",
        "'2024-02-29'",
    ],
)
def test_all_else_is_asserted_as_it_is(expected: str) -> None:
    assert told(expected) == ("parse('noon')", expected)


def test_what_a_requirement_states_is_asserted_as_it_states_it() -> None:
    aware = "datetime.datetime(2024, 2, 29, tzinfo=datetime.timezone.utc)"
    assert told(aware, "requirement") == ("parse('noon')", aware)
    assert told(aware, form="is") == ("parse('noon')", aware)
