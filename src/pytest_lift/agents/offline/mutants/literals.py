"""Reads from a mutant's diff the values that may kill it."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from keyword import iskeyword

from pytest_lift.mutation.mutants import Mutant

PLAIN = ("None", "''", "[]", "{}", "0", "1", "-1", "True", "False", "'a'", "1.5", "[1]")
LONGEST = 40


@dataclass(frozen=True)
class Literals:
    """Source of values, and names of arguments, that a changed statement mentions."""

    own: tuple[str, ...]
    """Values of the diff, neighbours of its numbers, and objects with the methods that it names."""
    texts: tuple[str, ...]
    names: frozenset[str]
    """Parameters and attributes: ``indent`` of ``indent=indent`` and of ``self.indent``."""

    @property
    def values(self) -> tuple[str, ...]:
        """Values of the diff, and values that are often a special case."""
        return (*self.own, *PLAIN)


def literals_of(mutant: Mutant) -> Literals:
    """Reads the program's side of the change, and its surroundings in the diff."""
    hunk = [line for line in mutant.diff.splitlines() if not line.startswith("---")]
    near = [line[1:] for line in hunk if line[:1] in (" ", "-")]
    lines = [*mutant.before.splitlines(), *near]
    texts: dict[str, None] = {}
    values: dict[str, None] = {}
    names: set[str] = set()
    for line in lines:
        for kind, word in _words(line):
            if kind == tokenize.NAME:
                names.add(word.strip("_"))
                continue
            value = _value(word)
            if isinstance(value, str) and 0 < len(value) <= LONGEST:
                texts[value] = None
                values[repr(value)] = None
            elif type(value) in (int, float):
                values.update(dict.fromkeys(_boundary(value)))
    ducks = [f"SimpleNamespace({text}=lambda: {{'a': 1}})" for text in texts if _is_method(text)]
    return Literals((*values, *ducks), tuple(texts), frozenset(names))


def _is_method(text: str) -> bool:
    """Whether a text may name a method that the program looks up on its arguments."""
    return len(text) > 3 and text.isidentifier() and text.islower() and not iskeyword(text)


def _boundary(number: object) -> Iterator[str]:
    assert isinstance(number, int | float)
    yield from (repr(number), repr(number + 1), repr(number - 1))


def _value(word: str) -> object:
    try:
        return ast.literal_eval(word)
    except (ValueError, SyntaxError):
        return None


def _words(line: str) -> Iterator[tuple[int, str]]:
    """Yields (kind, text) of the literals and names of a line, which may be incomplete code."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(line.strip() + "\n").readline):
            if token.type in (tokenize.NAME, tokenize.NUMBER, tokenize.STRING):
                yield token.type, token.string
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return
