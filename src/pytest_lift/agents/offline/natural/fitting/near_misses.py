"""Values near right ones: wrong texts of the same letters and length, with one part that is out of
its range, or cut short; and the numbers and letters beside one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_lift.agents.offline.texts.edits import tokens

LONGEST = 40
"""Characters of a text of which near misses are made."""
LONGEST_CODE, UNKNOWN = 3, "unknown"
"""Letters of a word that reads as a code: an unknown one is as long; and what says of itself that
nobody knows it."""
BEYOND = ("13", "32", "25", "60", "99", "00")
"""Numbers beyond a month, a day, an hour and a minute, the nearest first, and beyond all."""


def near_misses(text: str) -> Iterator[str]:
    """Yields a text with one word or number in it that nobody knows, or that is too large, then
    with a word for a number, less at its end, and one character more."""
    parts = tokens(text) if len(text) <= LONGEST else ()
    wrong = [(at, other) for at, part in enumerate(parts) for other in _others(part)]
    words = [(at, "x" * len(part)) for at, part in enumerate(parts) if part.isdigit()]
    for at, other in (*wrong, *words):
        if other != parts[at]:
            yield "".join((*parts[:at], other, *parts[at + 1 :]))
    for at in range(len(parts) - 1, 0, -1):
        if parts[at - 1].isalnum():
            yield "".join(parts[:at])
    if text.isalnum() and len(parts) == 1:
        yield text + ("0" if text[-1].isdigit() else _other_case("x", text[-1]))


def _others(part: str) -> tuple[str, ...]:
    """Returns what nobody knows in the place of a run of letters, and numbers that are out of range
    in the place of one of digits."""
    if part.isalpha() and part.isascii():
        short = len(part) <= LONGEST_CODE
        return (_other_case("z" * len(part) if short else UNKNOWN, part),)
    if not part.isdigit():
        return ()
    return BEYOND if len(part) == 2 else ("9" * len(part), "0" * len(part))


def _other_case(word: str, like: str) -> str:
    """Returns a word spelt in capitals or small letters as another one is."""
    if like.isupper():
        return word.upper()
    return word.capitalize() if like[0].isupper() else word


def is_like(text: str, right: str) -> bool:
    """Whether a text has letters, digits and marks at the places where a right one has such."""
    return _shape(text) == _shape(right)


def _shape(text: str) -> str:
    """Returns ``9999-99 Aaa`` of ``2024-02 Jan``."""
    return re.sub(r"[a-z]", "a", re.sub(r"[A-Z]", "A", re.sub(r"\d", "9", text)))


def neighbours(value: str) -> tuple[str, ...]:
    """Returns the whole numbers beside one of several digits, and the letters beside a letter, as
    source: what is right like that, and gives something else."""
    if value.isdigit() and len(value) > 1:
        return str(int(value) + 1), str(int(value) - 1)
    letter = value[1:-1]
    if value[:1] != "'" or len(letter) != 1 or not (letter.isascii() and letter.isalpha()):
        return ()
    beside = (chr(ord(letter) + 1), chr(ord(letter) - 1))
    return tuple(repr(one) for one in beside if one.isalpha())
