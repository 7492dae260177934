"""Numbers that a person types, in the place of those that a program has for what they measure."""

from __future__ import annotations

import re

from pytest_lift.agents.offline.natural.kinds import is_numeric

DIGIT, MOST_DIGITS = re.compile(r"\d"), 4
"""Digit of a number, and most of these in one that a person types."""
WHOLE, FRACTION = 100, 1.5
"""What a person types in the place of others."""


def is_long(value: str) -> bool:
    """Whether an argument is a number with more digits than a person types: the acceleration of
    gravity, or how far away the sun is."""
    return len(DIGIT.findall(value)) > MOST_DIGITS and is_numeric(value)


def shortened(number: int | float) -> int | float:
    """Returns a number with few digits, near to that where it may be."""
    if not is_long(repr(abs(number))):
        return number
    if isinstance(number, int):
        return WHOLE if number > 0 else -WHOLE
    near = round(number, 1)
    return near if near and not is_long(repr(abs(near))) else FRACTION
