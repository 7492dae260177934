"""Values near right ones: wrong texts of the same letters and length, with one part that is out of
its range, or cut short; and the numbers and letters beside one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from pytest_lift.agents.offline.texts.edits import tokens

LONGEST = 40
"""Characters of a text of which near misses are made."""
LONGEST_CODE, UNKNOWN = 3, "unknown"
"""Letters of a word that reads as a code: an unknown one is as long; and what says of itself that
nobody knows it."""
BEYOND = ("13", "32", "25", "60", "99", "00")
"""Numbers beyond a month, a day, an hour and a minute, the nearest first, and beyond all."""

NAMED = (
    ("month", 1, 12), ("day", 1, 31), ("hour", 0, 23), ("minute", 0, 59), ("second", 0, 59),
)  # fmt: skip
"""Last word of a name -> least and most of what it takes."""
RANGE = re.compile(r"(?<![\d.])(-?\d+)(?: ?\.\.\.? ?| ?- ?| to | and |, )(-?\d+)(?![\d.])")
"""Least and most of what is right, as messages say it: ``1..12``, ``between 0 and 100``."""


def beyond(given: Mapping[str, str], message: str) -> Iterator[tuple[str, str]]:
    """Yields (parameter, number just past its range) for wrong ones that are far out: past the
    range that the message of an error says, or past what a parameter of this name takes."""
    said = [(int(one), int(other)) for one, other in RANGE.findall(message)]
    numbers = {n: int(value) for n, value in given.items() if value.removeprefix("-").isdigit()}
    wrong = [n for n in numbers if _past(numbers[n], said)]
    named = [n for n in wrong if re.search(rf"\b{re.escape(n)}\b", message)]
    told = named or (wrong if len(wrong) == 1 else [])
    for name, number in numbers.items():
        own = [(least, most) for word, least, most in NAMED if name.lower().split("_")[-1] == word]
        past = _past(number, [*(said if name in told else ()), *own])
        if number not in past:
            yield from ((name, repr(one)) for one in past)


def _past(number: int, ranges: Iterable[tuple[int, int]]) -> list[int]:
    """Returns the numbers beside the ranges in which a number is not."""
    wrong = ((least, most) for least, most in ranges if least < most)
    return [
        one for least, most in wrong if not least <= number <= most for one in (most + 1, least - 1)
    ]


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
