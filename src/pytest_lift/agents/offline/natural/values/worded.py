"""Words for people: a name, a title or a description is no letter, no mark and no number."""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_lift.agents.offline.texts.known_texts import text_of
from pytest_lift.agents.offline.texts.shaped import SHAPED

WORDS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(^|_)(title|heading|headline|caption)$"), "Title"),
    (re.compile(r"(^|_)(description|desc|summary|help|epilog|explanation)$"), "A description"),
    (re.compile(r"(^|_)(message|msg)$"), "A message"),
    (re.compile(r"(^|_)label$"), "label"),
    (re.compile(r"(^|_)(group|section|category|topic|namespace|comment)$"), "hello"),
    (re.compile(r"(^|_)(display_?)?name$"), "hello"),
)
"""Names of parameters -> the word that a person types for it where any will do."""
LETTER, STRANGE = 0.25, 0.5
"""Oddness of a letter, and of marks, letters with accents, and numbers, where a word is meant."""


def oddness(name: str, value: str) -> float:
    """Returns the cost of an argument that is no word where the parameter's name asks for one."""
    text = text_of(value) if _word(name) is not None else ""
    if not text:
        return 0.0
    if len(text) == 1 and text.isalpha() and text.isascii():
        return LETTER
    wordless = re.search(r"[A-Za-z]{2}", text) is None and SHAPED.fullmatch(text) is None
    return STRANGE if wordless or not text.isascii() else 0.0


def instead(name: str, value: str) -> str | None:
    """Returns a word, as source, in the place of an argument that is none; None for others."""
    return repr(_word(name)) if oddness(name, value) else None


@lru_cache(maxsize=4096)
def _word(name: str) -> str | None:
    return next((word for pattern, word in WORDS if pattern.search(name)), None)
