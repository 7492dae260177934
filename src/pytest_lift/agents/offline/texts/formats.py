"""Catalogue of well-known formats: the words that tell them, and short texts of each."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

CATALOGUE = Path(__file__).with_name("formats.toml")
CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
LEAST_INSIDE = 4
"""Letters of a word that tells a format also where it begins or ends another word."""
WHOLE = re.compile(r"(vali|up|candi|man|consoli|out)date|(run|real|life|down|over|some)time")
"""Words that end like the name of a format and have nothing to do with it."""


@dataclass(frozen=True)
class Format:
    """A format that people write, and what they write in it."""

    name: str
    words: tuple[str, ...]
    """What tells it in names and sentences."""
    texts: tuple[str, ...]
    broken: tuple[str, ...] = ()
    """Texts with one thing wrong."""
    suffixes: tuple[str, ...] = ()
    parsers: tuple[str, ...] = ()
    """Functions and classes that read it, by the ends of their names."""
    short: bool = False
    """Whether its texts are values, as a date is, and no documents."""

    @cached_property
    def every(self) -> tuple[str, ...]:
        """All its texts, those that are right first."""
        return self.texts + self.broken


@cache
def formats() -> Mapping[str, Format]:
    """Returns name -> format."""
    rows = tomllib.loads(CATALOGUE.read_text("utf-8"))
    lists = ("words", "texts", "broken", "suffixes", "parsers")
    return {
        name: Format(
            name, short=row.get("short", False), **{key: tuple(row.get(key, ())) for key in lists}
        )
        for name, row in rows.items()
    }


@cache
def by_suffix() -> Mapping[str, str]:
    """Returns suffix of a file name -> name of the format."""
    return {suffix: one.name for one in formats().values() for suffix in one.suffixes}


def told_by_parsers(names: Sequence[str]) -> list[Format]:
    """Returns the formats that the functions of these dotted names read, each by as much of its
    name as is known: ``re.compile`` reads no Python."""
    found: dict[str, Format] = {}
    for name in names:
        ends = [name.split(".", cut)[cut] for cut in range(name.count(".") + 1)]
        told = ([one for one in formats().values() if end in one.parsers] for end in ends)
        found |= {one.name: one for one in next(filter(None, told), ())}
    return list(found.values())


def texts_of(kind: str) -> tuple[str, ...]:
    """Returns the texts of a format; none of one that is not known."""
    return formats()[kind].every if kind in formats() else ()


def words_of(name: str) -> str:
    """Returns the words of an identifier in lower case: ``parse url`` for ``parseURL``."""
    return " ".join(re.findall(r"[a-z\d]+", CAMEL.sub(" ", name).lower()))


def told_by(text: str) -> list[Format]:
    """Returns the formats whose words stand in a text, those of a longer word first; a word inside
    a longer one tells nothing: that of a version range is no version."""
    by_word, pattern = _words()
    found = sorted(pattern.findall(words_of(text)), key=len, reverse=True)
    return list({by_word[word].name: by_word[word] for word in found}.values())


def told_by_name(name: str) -> list[Format]:
    """Returns the formats that the name of a package tells, also as the begin or end of a word:
    ``sqlfmt`` is about SQL."""
    told = told_by(name)
    if told:
        return told
    by_word, _ = _words()
    long = sorted((w for w in by_word if len(w) >= LEAST_INSIDE), key=len, reverse=True)
    words = (one.removesuffix("s") for one in words_of(name).split())
    names = [one for one in words if not WHOLE.fullmatch(one)]
    ending = (w for w in long if any(n.startswith(w) or n.endswith(w) for n in names))
    found = [by_word[word] for word in ending]
    found += [by_word[w] for w in by_word if len(w) == 3 and any(n.startswith(w) for n in names)]
    return list({one.name: one for one in found}.values())


@cache
def _words() -> tuple[Mapping[str, Format], re.Pattern[str]]:
    """Returns word -> format, and a pattern that finds these words, the longest first."""
    by_word = {word: one for one in formats().values() for word in one.words}
    longest: Sequence[str] = sorted(by_word, key=len, reverse=True)
    return by_word, re.compile(rf"\b({'|'.join(map(re.escape, longest))})(?:s|\d)?\b")
