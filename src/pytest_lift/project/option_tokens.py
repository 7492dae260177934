"""Tokens of a command line, assigned to options as pytest's parser does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import pytest

from pytest_lift.options import OPTIONS

Arity = Literal["none", "one", "optional", "several"]
"""Number of values that follow an option without ``=``."""

Arities = Mapping[str, Arity]
"""Name of an option on the command line (``--cov``, ``-k``) -> its arity."""


def arities(parser: pytest.Parser) -> Arities:
    """Returns the arity of every option of pytest and its plugins in this session."""
    actions = _argparse(parser)._option_string_actions
    return {name: _arity(action.nargs) for name, action in actions.items()}


def _argparse(parser: pytest.Parser) -> Any:
    """Returns the parser of argparse; pytest 8 makes one for each parse, pytest 9 only one."""
    made = getattr(parser, "optparser", None)
    return made if made is not None else parser._getparser()  # type: ignore[attr-defined]


def _arity(nargs: int | str | None) -> Arity:
    if nargs is None or nargs == 1:
        return "one"
    return "none" if nargs == 0 else "optional" if nargs == "?" else "several"


def arity_of(name: str, *known: Arities) -> Arity | None:
    return next((arities[name] for arities in known if name in arities), None)


def values_after(token: str, known: Arities) -> Arity:
    """Returns the number of values after a token, which may combine several short options."""
    if token.startswith("--"):
        return known.get(token, "none")
    for place, letter in enumerate(token[1:], start=2):
        arity = known.get(f"-{letter}", "none")
        if arity != "none":
            return "none" if token[place:] else arity
    return "none"


def expanded(parser: pytest.Parser, tokens: Sequence[str]) -> list[str]:
    """Returns the tokens with each ``@file`` replaced by its lines, if pytest reads such files."""
    found = _argparse(parser)
    if found.fromfile_prefix_chars is None:
        return list(tokens)
    read: list[str] = found._read_args_from_files(list(tokens))
    return read


class Tokens:
    """Iterator over tokens that can take the values of an option."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = list(tokens)
        self._next = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._next >= len(self._tokens):
            raise StopIteration
        self._next += 1
        return self._tokens[self._next - 1]

    def take(self, arity: Arity) -> list[str]:
        """Takes the values of an option; a token that begins with a dash is a value only where one
        is required."""
        if arity == "none":
            return []
        most = len(self._tokens) if arity == "several" else 1
        taken: list[str] = []
        while len(taken) < most and self._next < len(self._tokens):
            if arity != "one" and self._tokens[self._next].startswith("-"):
                break
            taken.append(next(self))
        return taken


OWN: Arities = {
    "--lift": "none",
    "--requirements": "one",
    **{option.typed: option.arity for option in OPTIONS},
}
"""Options of this package, which no inner run gets."""
