"""Known texts with one token changed, and how many changes lie between a text and known ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

TOKEN = re.compile(r"[^\W\d_]+|\d+|\s+|[\W_]")
LONGEST = 40
"""Tokens of a text that is changed, or compared with others."""
MOST_OTHERS, MOST_MORE = 12, 8
"""Most tokens of other texts that are tried in the place of one, and beside one."""
MOST_NEAR = 3
"""Most known texts to which a text is brought nearer."""


@lru_cache(maxsize=16384)
def tokens(text: str) -> tuple[str, ...]:
    """Returns the runs of letters, digits and blanks, and the marks of a text."""
    return tuple(TOKEN.findall(text))


def without_one(text: str) -> Iterator[str]:
    """Yields a text with one token less, then cut before or after one."""
    parts = tokens(text)
    places = [at for at, token in enumerate(parts) if not token.isspace()]
    yield from ("".join(parts[:at] + parts[at + 1 :]) for at in places)
    for at in places[1:]:
        yield "".join(parts[:at]).rstrip()
        yield "".join(parts[at:])


def with_another(text: str, others: Iterable[str]) -> Iterator[str]:
    """Yields a text with one token of other texts in the place of one of its kind, and numbers that
    may be out of bounds in the place of its own."""
    parts = tokens(text)
    known = _tokens_of(others)
    for at, token in enumerate(parts):
        alike = [one for one in known if one != token and _kind(one) == _kind(token)]
        far = [digit * len(token) for digit in "90"] if token.isdigit() else []
        for one in dict.fromkeys([*far, *alike[:MOST_OTHERS]]):
            if one != token:
                yield "".join((*parts[:at], one, *parts[at + 1 :]))


def with_one_more(text: str, others: Iterable[str]) -> Iterator[str]:
    """Yields a text with a token twice, or with one of other texts before one of its own or at its
    end."""
    parts = tokens(text)
    for at, token in enumerate(parts):
        if not token.isspace():
            yield "".join((*parts[:at], token, *parts[at:]))
    known = [one for one in _tokens_of(others) if not one.isspace()]
    for at in range(len(parts) + 1):
        yield from ("".join((*parts[:at], one, *parts[at:])) for one in known[:MOST_MORE])


@lru_cache(maxsize=16384)
def apart(text: str, other: str, most: int = LONGEST) -> int:
    """Returns in how many tokens two texts differ, `most` where it is more: as many have to be put
    in, left out or replaced to make one of the other (Ukkonen, "Algorithms for approximate string
    matching", 1985: what is so far from the diagonal is not looked at)."""
    old, new = tokens(text)[:LONGEST], tokens(other)[:LONGEST]
    if abs(len(old) - len(new)) >= most:
        return most
    row = list(range(len(new) + 1))
    for number, token in enumerate(old, start=1):
        first, last = max(number - most, 1), min(number + most, len(new))
        corner, row[first - 1] = row[first - 1], number if first == 1 else most
        for at in range(first, last + 1):
            least = min(row[at] + 1, row[at - 1] + 1, corner + (token != new[at - 1]))
            corner, row[at] = row[at], least
        if min(row[first - 1 : last + 1]) >= most:
            return most
    return min(row[-1], most)


def least_apart(text: str, known: Sequence[str], most: int = LONGEST) -> int:
    """Returns in how many tokens a text differs from the nearest of the known ones, `most` where it
    is more; 0 where none is known."""
    return min((apart(text, other, most) for other in known), default=0)


def nearer(text: str, known: Iterable[str]) -> Iterator[str]:
    """Yields texts between a text and the known ones that are nearest to it: the known ones with
    one of the differences, and it without one of them."""
    parts = tokens(text)
    for other in sorted(known, key=lambda one: apart(text, one))[:MOST_NEAR]:
        old = tokens(other)
        changes = SequenceMatcher(None, old, parts, autojunk=False).get_opcodes()
        for kind, first, last, start, end in changes:
            if kind == "equal" or last - first == len(old):
                continue
            yield "".join((*old[:first], *parts[start:end], *old[last:]))
            yield "".join((*parts[:start], *old[first:last], *parts[end:]))
            for one in parts[start:end] if end - start > 1 else ():
                yield "".join((*old[:first], one, *old[last:]))


def _tokens_of(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(token for text in texts for token in tokens(text)))


def _kind(token: str) -> str:
    return "digit" if token.isdigit() else "letter" if token.isalpha() else "mark"
