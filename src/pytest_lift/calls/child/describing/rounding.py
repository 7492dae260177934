"""Tells numbers without the digits that are an accident of rounding.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import ast
import cmath
import math
from typing import Any

LONG, DIGITS, DECIMALS = 12, 9, 6
"""Digits beyond which those of a float are an accident; those that are told; decimals in tables."""
PLACES, EXACT = 3, 2.0**53
"""Decimals of a number that are no accident, whatever its size is: seconds with their thousandths;
and the size from which on floats leave out whole numbers."""
NOISE, BESIDE = 1e-13, 1e10
"""Size below which a number of many digits stands for zero beside one that is larger by a
factor."""


def approximate(value: Any) -> str:
    """Returns an expression for a number, or a list, tuple or dict of numbers, of which some have
    many digits or are not a number; "" for other values."""
    items = value.values() if type(value) is dict else value
    items = items if type(value) in (list, tuple, dict) else [value]
    numbers = [item for item in items if type(item) in (int, float, complex)]
    if len(numbers) != len(items) or not numbers or type(value) is int:
        return ""
    if type(value) is dict and not all(map(_is_key, value)):
        return ""
    missing = [n for n in numbers if n != n or (type(n) is complex and not cmath.isfinite(n))]
    if not missing and not any(map(is_inexact, numbers)):
        return ""
    if missing and (type(value) is not list or complex in map(type, numbers)):
        return ""
    largest = max(abs(part) for number in numbers for part in _parts(number))
    shown = [_shortened(number, largest) for number in numbers]
    if type(value) is dict:
        shown = [f"{name!r}: {text}" for name, text in zip(value, shown, strict=True)]
        return f"pytest.approx({{{', '.join(shown)}}})"
    inner = ", ".join(shown)
    if type(value) is tuple:
        inner = f"({inner})" if len(shown) > 1 else f"({inner},)"
    inner = f"[{inner}]" if type(value) is list else inner
    return f"pytest.approx({inner}{', nan_ok=True' if missing else ''})"


def _is_key(key: Any) -> bool:
    """Whether the text of a key of a dict is an expression for it in which nothing is named."""
    if type(key) is tuple:
        return all(map(_is_key, key))
    return key is None or (
        math.isfinite(key) if type(key) is float else type(key) in (str, bytes, int, bool)
    )


def is_inexact(number: Any) -> bool:
    if type(number) is complex:
        return is_long(number.real) or is_long(number.imag)
    return type(number) is float and is_long(number)


def is_long(number: float) -> bool:
    """Whether a number has so many digits that its last ones are an accident of rounding."""
    if number != number or number == float(f"{number:.{LONG}g}"):
        return False
    return not (abs(number) < EXACT and number == round(number, PLACES))


def has_long_numbers(source: str) -> bool:
    """Whether an expression writes out a number with digits that are an accident of rounding."""
    return any(
        isinstance(node, ast.Constant) and is_inexact(node.value)
        for node in ast.walk(ast.parse(source, mode="eval"))
    )


def _parts(number: Any) -> tuple[Any, ...]:
    """Returns the real numbers of which a number consists, 0 for one that is not finite."""
    parts = (number.real, number.imag)
    return tuple(part if abs(part) < math.inf else 0 for part in parts)


def _shortened(number: Any, largest: float) -> str:
    if type(number) is complex:
        return repr(complex(_rounded(number.real, largest), _rounded(number.imag, largest)))
    if number != number or abs(number) == math.inf:
        return f'float("{number!r}")'
    return repr(_rounded(number, largest) if type(number) is float else number)


def _rounded(number: float, largest: float) -> float:
    """Returns the digits of a number that are told; what is left of zero after rounding is none,
    beside the much larger numbers of the same value: one that is alone may well be so small."""
    noise = abs(number) < NOISE and abs(number) * BESIDE < largest and is_long(number)
    if 10 ** (DIGITS - PLACES) <= abs(number) < EXACT:
        return round(number, PLACES)
    return 0.0 if noise else float(f"{number:.{DIGITS}g}")
