"""Numbers that a person types, in the place of those that a program has for what they measure."""

from __future__ import annotations

import re

NUMBER = re.compile(r"-?(\d+)(\.\d*)?(e[-+]?\d+)?")
MOST_DIGITS = 4
"""Most digits of a number that a person types, but for zeros at its ends."""
WHOLE, FRACTION = 100, 1.5
"""What a person types in the place of others."""


def is_long(value: str) -> bool:
    """Whether an argument is a number with more digits than a person types: the acceleration of
    gravity, or how far away the sun is."""
    found = NUMBER.fullmatch(value)
    digits = (found[1] + (found[2] or "").strip(".")).strip("0") if found else ""
    return len(digits) > MOST_DIGITS


def shortened(number: int | float) -> int | float:
    """Returns a number with few digits, near to that where it may be."""
    if not is_long(repr(abs(number))):
        return number
    if isinstance(number, int):
        return WHOLE if number > 0 else -WHOLE
    near = round(number, 1)
    return near if near and not is_long(repr(abs(near))) else FRACTION
