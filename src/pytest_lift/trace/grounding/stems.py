"""Splits texts and identifiers into terms: snake and camel case apart, and without endings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_][^\W_]*|\d+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ENDINGS = (
    *("ization", "isation", "ational", "ation", "ating", "ator", "ated", "able", "ible"),
    *("ment", "ing", "ion", "ity", "ate", "ive", "ers", "er", "or", "ed", "ly", "al"),
)
"""The longest that fits is taken away, once."""
SHORTEST_STEM = 3
"""Letters that are left of a word at least."""
STOPWORDS = frozenset(
    """a about above after again all also an and any are as at be because been before behind
    being below between both but by can cannot could did do does doing done down during each
    either else ever every few for from further get gets give given gives go goes had has have
    having he here how i if in instead into is it its itself just like made make makes many
    may me might more most much must neither never no nor not nothing of off on once one only
    onto or other others our out over own per rather same several shall she should so some
    still such take taken takes than that the their them then there these they this those
    through to together too two under unless until up upon use used uses using very was way we
    well were what whatever when where whether which while who whole whose why will with
    within without would yet you""".split()
)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Returns a word in lower case without its ending: ``encod`` of encodes, encoding, encoder."""
    word = word.lower()
    if word.endswith(("ies", "ied")) and len(word) > SHORTEST_STEM + 2:
        word = f"{word[:-3]}y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > SHORTEST_STEM:
        word = word[:-1]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            word = word[: -len(ending)]
            break
    if word[-1] in "ey" and len(word) > SHORTEST_STEM:
        word = word[:-1]
    return word[:-1] if len(word) > SHORTEST_STEM and word[-1] == word[-2] else word


@lru_cache(maxsize=65536)
def identifier_terms(identifier: str) -> tuple[str, ...]:
    """Returns the terms of a name: ``item``, ``sort``, ``key`` of ``item_sort_key``; of several
    parts the whole name, too."""
    parts = [part for word in _WORD.findall(identifier) for part in _CAMEL.split(word)]
    found = [stem(part) for part in parts if len(part) > 1 and part.lower() not in STOPWORDS]
    return tuple(found)


def text_terms(text: str) -> Iterator[str]:
    """Yields the terms of a text, stop words left out."""
    for word in _WORD.findall(text):
        yield from identifier_terms(word)
