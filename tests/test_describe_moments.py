"""Times are spelled as a person spells them."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.calls.child.describing.moments import moment

HOURS = datetime.timedelta(hours=-4)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (HOURS, "datetime.timedelta(hours=-4)"),
        (datetime.timedelta(days=1, minutes=5), "datetime.timedelta(days=1, minutes=5)"),
        (datetime.timedelta(0), "datetime.timedelta(0)"),
        (datetime.timezone(HOURS), "datetime.timezone(datetime.timedelta(hours=-4))"),
        (datetime.UTC, "datetime.timezone.utc"),
        (
            datetime.time(9, 30, tzinfo=datetime.timezone(HOURS)),
            "datetime.time(9, 30, tzinfo=datetime.timezone(datetime.timedelta(hours=-4)))",
        ),
    ],
)
def test_durations_have_one_sign(value: object, expected: str) -> None:
    assert moment(value) == expected


@given(st.timedeltas())
def test_durations_stay_what_they_are(value: datetime.timedelta) -> None:
    assert eval(moment(value)) == value


@given(st.datetimes(timezones=st.just(datetime.timezone(HOURS))))
def test_moments_stay_what_they_are(value: datetime.datetime) -> None:
    assert eval(moment(value)) == value
    assert "days=-1" not in moment(value)
