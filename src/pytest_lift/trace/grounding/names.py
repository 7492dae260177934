"""The words of a requirement that may be names of the program, by how they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pytest_lift.expectations.requirement_match import CODE_SPAN, code_spans
from pytest_lift.requirements.requirement import Requirement

SHORTEST = 3
"""Letters of a name that is taken for one although it is not called."""
WORD = re.compile(r"[A-Za-z_]\w*")
_CALLED = re.compile(r"([A-Za-z_]\w*)\(")
_DOTTED = re.compile(r"([A-Za-z_]\w*)\.(?=([A-Za-z_]\w*))")
_INNER_CAPITAL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")


@dataclass(frozen=True)
class TextNames:
    """Words of a requirement that may be names, by how they are written."""

    code: frozenset[str]
    """In backticks, or called by an example."""
    prose: frozenset[str]
    """Elsewhere, but no ordinary words: with an underscore, an inner capital letter, or called."""
    owners: frozenset[tuple[str, str]]
    """(module or class, name) of names with a dot, as code: (``dates``, ``total``)."""
    words: frozenset[str]
    """Every word that may be the name of a symbol; a short one is a variable if it is not
    called."""


@lru_cache(maxsize=4096)
def names_in(requirement: Requirement) -> TextNames:
    """Returns the words of its whole text."""
    text = requirement.text
    code = {word for span in code_spans(text) for word in WORD.findall(span)}
    code.update(word for example in requirement.examples for word in _CALLED.findall(example))
    prose = CODE_SPAN.sub(" ", text)
    telling = {word for word in WORD.findall(prose) if is_telling(word)}
    called = {*_CALLED.findall(text)}
    words = {word for word in WORD.findall(text) if len(word) >= SHORTEST}
    return TextNames(
        frozenset(code),
        frozenset(telling.union(_CALLED.findall(prose))),
        dotted_names(requirement),
        frozenset(words | called),
    )


@lru_cache(maxsize=4096)
def dotted_names(requirement: Requirement) -> frozenset[tuple[str, str]]:
    """Returns (what stands before the dot, name) of the names in its code and examples."""
    spans = (*code_spans(requirement.text), *requirement.examples)
    return frozenset(pair for span in spans for pair in _DOTTED.findall(span))


def is_telling(word: str) -> bool:
    """Whether a word is a name by its looks: it has an underscore or an inner capital letter."""
    return "_" in word.strip("_") or _INNER_CAPITAL.search(word) is not None


def called_names(text: str) -> list[str]:
    """Returns the names before an opening bracket."""
    return _CALLED.findall(text)
