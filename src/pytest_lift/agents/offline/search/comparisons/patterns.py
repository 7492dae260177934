"""Texts that match a regular expression."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any

parser: Any = import_module("re._parser")
op: Any = import_module("re._constants")
MOST_REPEATS = 3
"""Most repetitions beyond those that a pattern requires."""
LONGEST = 120
CLASSES = {
    op.CATEGORY_DIGIT: "0123456789", op.CATEGORY_WORD: "abcxyzAZ019_", op.CATEGORY_SPACE: " \t\n",
    op.CATEGORY_NOT_DIGIT: "abcx -", op.CATEGORY_NOT_WORD: " -.,;", op.CATEGORY_NOT_SPACE: "abcx1-",
}  # fmt: skip
ANY = "abcxyz012 -_.A"


LETTERS, DIGITS, YEAR = "abcdefgh", "123456789", "2024"
"""What a person types where any letters, any digits, and four digits may stand."""
WORD, NUMBER = 3, 2
"""Letters of a word, and digits of a number, of any length."""


def text_matching(pattern: str, rng: random.Random, *, plain: bool = False) -> str | None:
    """Returns a text that the pattern matches from its beginning to its end, a short one of plain
    words and numbers if asked for; None where none is found, as with look-around."""
    tree = _tree(pattern)
    if tree is None:
        return None
    try:
        text = (_PlainWriter if plain else _Writer)(rng).text(tree)
    except (RecursionError, NotImplementedError):
        return None
    matches = len(text) <= LONGEST and re.fullmatch(pattern, text) is not None
    return text if matches else None


@lru_cache(maxsize=256)
def _tree(pattern: str) -> Any:
    try:
        return parser.parse(pattern)
    except (re.error, RecursionError, OverflowError):
        return None


class _Writer:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.groups: dict[int, str] = {}

    def text(self, tree: Sequence[tuple[Any, Any]]) -> str:
        return "".join(self._part(code, value) for code, value in tree)

    def _part(self, code: Any, value: Any) -> str:
        if code is op.LITERAL:
            return chr(value)
        if code is op.NOT_LITERAL:
            return self._other_than(value)
        if code is op.ANY:
            return self._any()
        if code is op.IN:
            return self._one_of(value)
        if code is op.BRANCH:
            return self.text(self.rng.choice(value[1]))
        if code is op.SUBPATTERN:
            group, *_, inner = value
            found = self.text(inner)
            if group is not None:
                self.groups[group] = found
            return found
        if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            return self._repeated(*value)
        if code is op.GROUPREF:
            return self.groups.get(value, "")
        if code is op.ATOMIC_GROUP:
            return self.text(value)
        if code in (op.AT, op.ASSERT, op.ASSERT_NOT):
            return ""
        if code is op.GROUPREF_EXISTS:
            group, then, otherwise = value
            return self.text(then if group in self.groups else otherwise or ())
        raise NotImplementedError(code)

    def _any(self) -> str:
        return self.rng.choice(ANY)

    def _other_than(self, barred: int) -> str:
        return next(char for char in ANY if ord(char) != barred)

    def _repeated(self, least: int, most: int, inner: Sequence[tuple[Any, Any]]) -> str:
        most = min(most, least + MOST_REPEATS)
        return "".join(self.text(inner) for _ in range(self.rng.randint(least, most)))

    def _one_of(self, items: Sequence[tuple[Any, Any]]) -> str:
        if items[0][0] is op.NEGATE:
            barred = re.compile(_set_of(items[1:]))
            return next((c for c in self.rng.sample(ANY, len(ANY)) if not barred.match(c)), "é")
        code, value = self.rng.choice(items)
        if code is op.RANGE:
            return chr(self.rng.randint(*value))
        if code is op.CATEGORY:
            return self.rng.choice(CLASSES[value])
        return chr(value)


class _PlainWriter(_Writer):
    """Writes ``abc`` for letters, ``12`` and ``2024`` for digits, as few of them as may be, and the
    marks that a keyboard has."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.at = 0
        """Characters of the run that is written."""
        self.marks: dict[str, str] = {}
        """Set of characters, as source -> the mark that is written where one of them may stand."""
        self.groups_open = 0
        """Groups around what is written, in which something is looked for."""
        self.repeats_open = 0

    def _part(self, code: Any, value: Any) -> str:
        """Returns the text of a part; nothing for what a pattern only skips."""
        if code is op.MIN_REPEAT and not self.groups_open and not value[0]:
            return ""
        inside = code is op.SUBPATTERN and value[0] is not None
        self.groups_open += inside
        text = super()._part(code, value)
        self.groups_open -= inside
        return text

    def _any(self) -> str:
        """Returns a letter; a dot where one character stands alone: it was hardly meant for any."""
        return self._next(LETTERS) if self.repeats_open else "."

    def _other_than(self, barred: int) -> str:
        return self._one_of([(op.NEGATE, None), (op.LITERAL, barred)])

    def _repeated(self, least: int, most: int, inner: Sequence[tuple[Any, Any]]) -> str:
        self.at = 0
        self.repeats_open += 1
        text = self._several(least, most, inner)
        self.repeats_open -= 1
        self.at = 0
        return text

    def _several(self, least: int, most: int, inner: Sequence[tuple[Any, Any]]) -> str:
        example = self.text(inner)
        number = least or (0 if example == "\r" else self.rng.randint(0, 1))
        if example == DIGITS[0] and least == most == len(YEAR) and _takes(inner, YEAR):
            return YEAR
        for run, usual in ((LETTERS, WORD), (DIGITS, NUMBER)):
            if number and example == run[0]:
                number = max(least, min(most, usual))
        self.at = 0
        return "".join(self.text(inner) for _ in range(number))

    def _one_of(self, items: Sequence[tuple[Any, Any]]) -> str:
        source = _set_of(items)
        fits = re.compile(source).fullmatch
        for run in (LETTERS, LETTERS.upper(), DIGITS):
            if all(map(fits, run)):
                return self._next(run)
        typed = [char for char in map(chr, range(ord(" "), ord("~") + 1)) if fits(char)]
        if source not in self.marks:
            self.marks[source] = self.rng.choice(typed) if typed else super()._one_of(items)
        return self.marks[source]

    def _next(self, run: str) -> str:
        self.at += 1
        return run[(self.at - 1) % len(run)]


def _takes(part: Sequence[tuple[Any, Any]], characters: str) -> bool:
    """Whether a part of a pattern is a set with all of these characters."""
    items = part[0][1] if len(part) == 1 and part[0][0] is op.IN else None
    return items is not None and all(map(re.compile(_set_of(items)).fullmatch, characters))


def _set_of(items: Sequence[tuple[Any, Any]]) -> str:
    """Returns the source of a set of characters."""
    names = {
        op.CATEGORY_DIGIT: r"\d", op.CATEGORY_WORD: r"\w", op.CATEGORY_SPACE: r"\s",
        op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_NOT_WORD: r"\W", op.CATEGORY_NOT_SPACE: r"\S",
    }  # fmt: skip
    parts = []
    for code, value in items:
        if code is op.NEGATE:
            parts.append("^")
        elif code is op.RANGE:
            parts.append(f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}")
        else:
            parts.append(names[value] if code is op.CATEGORY else re.escape(chr(value)))
    return f"[{''.join(parts)}]"
