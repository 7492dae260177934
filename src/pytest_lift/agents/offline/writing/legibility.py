"""Tells how hard the numbers of a result are to read and to check."""

from __future__ import annotations

import re
from functools import lru_cache

NUMBER = re.compile(r"(?<![\w.])(?:\d+\.\d+(?:e[+-]?\d+)?|\d+e[+-]?\d+)(?![\w.]\w)")
"""Fraction or power of ten, wherever it stands."""
WHOLE = re.compile(r"(?<![\w.])\d{10,}(?![\w.]\w)")
"""Long whole number; inside a text it is that of a book or of a telephone, which one compares."""
TEXT = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"")
"""Text literal on one line."""
BITS = re.compile(r"\b0b[01]{13,}")
"""Whole number in so many bits that nobody reads them."""
LONGEST, LONGEST_SHOWN = 400, 900
"""Most characters of an expected value; of one that belongs to an example of a document."""
MANY, SOME = 9, 7
"""Digits from which nobody checks a number, and from which it takes an effort."""
LONG, LONGISH, FAR = 0.6, 0.25, 0.5
"""Cost of a number of many digits, of some, and of one far from one."""
SMALLEST, LARGEST = 1e-4, 1e15
"""Numbers between which a person can say how large they are."""


@lru_cache(maxsize=16384)
def illegibility(text: str) -> float:
    """Returns 0 for a text whose numbers a reader takes in, more for ``9.876e-17`` and for a
    fraction of sixteen digits."""
    bits = LONG if BITS.search(text) else 0.0
    numbers = [*NUMBER.findall(text), *WHOLE.findall(TEXT.sub("''", text))]
    return max((bits, *map(_cost, numbers)))


def _cost(number: str) -> float:
    digits = len(number.partition("e")[0].replace(".", "").strip("0"))
    value = float(number)
    far = FAR if value and not SMALLEST <= value < LARGEST else 0.0
    return max(far, LONG if digits >= MANY else LONGISH if digits >= SOME else 0.0)
