"""Numbers that a person types, in the place of those that a program has for what they measure."""

from __future__ import annotations

import re

NUMBER = re.compile(r"-?(\d+)(\.\d*)?(e[-+]?\d+)?")
MOST_DIGITS = 4
"""Most digits of a number that a person types, but for zeros at its ends."""
SMALL, LARGE, FRACTION = 1e-9, 1e6, 1.5
"""Sizes between which a fraction is one that a person types, and what is typed for others."""


def is_long(value: str) -> bool:
    """Whether an argument is a number with more digits than a person types: the acceleration of
    gravity, or how far away the sun is."""
    found = NUMBER.fullmatch(value)
    digits = (found[1] + (found[2] or "").strip(".")).strip("0") if found else ""
    return len(digits) > MOST_DIGITS


def shortened(number: float) -> float:
    """Returns a fraction with few digits, near to one with many."""
    if not is_long(repr(number)):
        return number
    return float(f"{number:.2g}") if SMALL < abs(number) < LARGE else FRACTION
