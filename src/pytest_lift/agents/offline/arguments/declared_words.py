"""Words that a person types for what a command line declares, by its type and its name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

TYPES = {"integer": "int", "integer range": "int", "float range": "float", "long": "int"}
"""Names by which libraries call types of numbers -> the types."""
NUMBERS = frozenset({"int", "float"})
OF_TYPE = {
    "int": ("1", "2", "3", "0", "10", "-1", "100"), "float": ("1.5", "0.5", "2", "-1", "0"),
    "bool": ("True", "False"), "boolean": ("true", "false"),
    "uuid": ("123e4567-e89b-12d3-a456-426614174000",), "datetime": ("2024-02-29",),
}  # fmt: skip
"""Types, in lower case -> words."""
BY_NAME = (
    (re.compile(r"date|day|since|until"), ("2024-02-29", "today", "2024-13-01")),
    (re.compile(r"time"), ("12:30",)),
    (re.compile(r"url|link"), ("https://example.org/a",)),
    (re.compile(r"mail"), ("ada@example.org",)),
    (re.compile(r"colou?r"), ("red", "#ff0000")),
    (re.compile(r"regex|pattern|glob"), ("a", "*", "^a.*b$")),
    (re.compile(r"encoding"), ("utf-8",)),
    (re.compile(r"\blog.?level"), ("INFO", "DEBUG", "ERROR")),
    (re.compile(r"num|count|size|width|height|length|depth|limit|max|min|year|amount|age|seed|"
                r"level|priority|port|id$|^n$|price|weight"), ("1", "2", "10", "0")),
    (re.compile(r"expr|formula|calc"), ("1 + 2", "(1 + 2) * 3", "1 / 0")),
    (re.compile(r"name|user|title"), ("Ada", "Bob")),
)  # fmt: skip
"""Pattern of the name of an argument -> texts for it."""


def is_numeric(kind: str) -> bool:
    """Whether a type, as a library calls it, is one of numbers."""
    return TYPES.get(kind, kind) in NUMBERS


def words_of_type(kind: str) -> Sequence[str]:
    """Returns what is typed for a type, as a library calls it; nothing for one of texts."""
    return OF_TYPE.get(TYPES.get(kind, kind).lower(), ())


def words_named(name: str) -> Iterator[Sequence[str]]:
    """Yields what is typed for an argument of this name, once for each word in it that tells."""
    return (words for pattern, words in BY_NAME if pattern.search(name))
