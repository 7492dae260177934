"""Known texts with one token changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

TOKEN = re.compile(r"[^\W\d_]+|\d+|\s+|[\W_]")
MOST_OTHERS, MOST_MORE = 12, 8
"""Most tokens of other texts that are tried in the place of one, and beside one."""


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


def _tokens_of(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(token for text in texts for token in tokens(text)))


def _kind(token: str) -> str:
    return "digit" if token.isdigit() else "letter" if token.isalpha() else "mark"
