"""How far texts of well-known formats are from the plainest of these: few use all features."""

from __future__ import annotations

import re
from functools import cache

from pytest_lift.agents.offline.texts.formats import formats

ESCAPED = re.compile(
    r"\\[uU][\da-fA-F]{2}|\\x[\da-fA-F]|[^\x00-\x7f]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
)
SIGN = re.compile(r"\w")
ODD, BROKEN, BARE = 0.6, 0.4, 0.3
"""Oddness of a text with characters that are written by their numbers, or are not ASCII, of one
with one thing wrong, and of a document with hardly anything in it."""


def is_of_one_feature(text: str) -> bool:
    """Whether a text of a format shows one feature of documents: the first one of each format, and
    the last one, show several at once."""
    return text in _features()


def strangeness(text: str) -> float:
    """Returns how seldom a person types a text, beside others of its format; 0 for what is no text
    of a format that is known."""
    known = _known().get(text)
    if known is None:
        return 0.0
    short, broken = known
    bare = not short and len(SIGN.findall(text)) < 2
    return ODD * bool(ESCAPED.search(text)) + BARE * bare + BROKEN * broken


def is_of_format(text: str) -> bool:
    """Whether a text is one of those that are known of some format, right or not."""
    return text in _known()


def is_broken(text: str) -> bool:
    """Whether a text is known that is right in no format."""
    return _known().get(text, (False, False))[1]


@cache
def _features() -> frozenset[str]:
    documents = [one for one in formats().values() if not one.short]
    whole = {text for one in documents for text in (one.texts[0], one.texts[-1])}
    return frozenset(text for one in documents for text in one.every) - whole


@cache
def _known() -> dict[str, tuple[bool, bool]]:
    """Returns text -> whether it is a value, and whether it is right in no format."""
    found: dict[str, tuple[bool, bool]] = {}
    for one in formats().values():
        found |= {text: (one.short, True) for text in one.broken if text not in found}
    for one in formats().values():
        found |= dict.fromkeys(one.texts, (one.short, False))
    return found
