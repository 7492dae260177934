"""Tokens of a command line: which of them are values of which option, as pytest's parser says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import pytest

from pytest_lift.options import OPTIONS

Arity = Literal["none", "one", "optional", "several"]
"""How many values follow an option that has none after ``=``."""

Arities = Mapping[str, Arity]
"""An option as it is typed (``--cov``, ``-k``) -> its arity."""


def arities(parser: pytest.Parser) -> Arities:
    """Of every option that the plugins of this session have added."""
    actions = _argparse(parser)._option_string_actions
    return {name: _arity(action.nargs) for name, action in actions.items()}


def _argparse(parser: pytest.Parser) -> Any:
    """pytest 8 makes it for each parse, pytest 9 once."""
    made = getattr(parser, "optparser", None)
    return made if made is not None else parser._getparser()  # type: ignore[attr-defined]


def _arity(nargs: int | str | None) -> Arity:
    if nargs is None or nargs == 1:
        return "one"
    return "none" if nargs == 0 else "optional" if nargs == "?" else "several"


def arity_of(name: str, *known: Arities) -> Arity | None:
    return next((arities[name] for arities in known if name in arities), None)


def values_after(token: str, known: Arities) -> Arity:
    """How many values follow an option as it is typed, which may be several short ones."""
    if token.startswith("--"):
        return known.get(token, "none")
    for place, letter in enumerate(token[1:], start=2):
        arity = known.get(f"-{letter}", "none")
        if arity != "none":
            return "none" if token[place:] else arity
    return "none"


def expanded(parser: pytest.Parser, tokens: Sequence[str]) -> list[str]:
    """`tokens` with the lines of each file that is named as ``@file``, where pytest reads them."""
    found = _argparse(parser)
    if found.fromfile_prefix_chars is None:
        return list(tokens)
    read: list[str] = found._read_args_from_files(list(tokens))
    return read


class Tokens:
    """An iterator over tokens that can be asked for the values that come next."""

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
        """The values of an option of this arity; what looks like an option is no value, unless
        one is needed."""
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
"""Our own options: no inner run gets any of them."""
