"""Values become expressions that are equal to them, or nothing."""

from __future__ import annotations

import datetime
import enum
import math
from collections import Counter, OrderedDict, namedtuple
from decimal import Decimal

import pytest

from pytest_lift.calls.child.describe import Unprintable, describe, source_of

Point = namedtuple("Point", "x y")
HERE = frozenset({__name__})


class Colour(enum.Enum):
    RED = 1


class Plain:
    def __init__(self) -> None:
        self.size = 3
        self._secret = 4


@pytest.mark.parametrize(
    "value",
    [
        None,
        (1,),
        (),
        {"a": [1, 2.5, b"x"]},
        {3, 1, 2},
        set(),
        frozenset({1}),
        float("inf"),
        Decimal("1.10"),
        datetime.date(2024, 2, 29),
        OrderedDict([("b", 1)]),
        Counter("aab"),
        Point(1, 2),
        Colour.RED,
    ],
)
def test_the_expression_gives_an_equal_value_of_the_same_type(value: object) -> None:
    source = source_of(value, set(), HERE)
    again = eval(source, {**globals(), "datetime": datetime})
    assert again == value
    assert type(again) is type(value)


@pytest.mark.parametrize("value", [math.nan, [math.nan], object(), Plain(), 10**70])
def test_what_has_no_equal_expression_is_refused(value: object) -> None:
    with pytest.raises(Unprintable):
        source_of(value, set(), HERE)


def test_objects_of_the_program_are_told_by_their_public_attributes() -> None:
    record = describe(Plain(), HERE)
    assert record["attributes"] == [("size", "3")]
