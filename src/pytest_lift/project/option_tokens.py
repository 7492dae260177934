"""Tokens of a command line assigned to options, and values mistaken for places of tests.

pytest looks for its ini file before any plugin is loaded. It does not know our options then, and
takes a value that follows one after a space for a path to collect.
"""

from __future__ import annotations

import os
import shlex
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.options import OPTIONS
from pytest_lift.project.ini_files import find_ini_file

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
    """Tokens one after another, of which those after an option can be taken as its values."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._left = deque(tokens)

    def __iter__(self) -> Iterator[str]:
        while self._left:
            yield self._left.popleft()

    def take(self, arity: Arity) -> list[str]:
        """Takes the values of an option; one that begins with a dash only where it is required."""
        most = {"none": 0, "several": len(self._left)}.get(arity, 1)
        taken: list[str] = []
        while len(taken) < most and self._left:
            if arity != "one" and self._left[0].startswith("-"):
                break
            taken.append(self._left.popleft())
        return taken


OWN: Arities = {
    "--lift": "none",
    "--requirements": "one",
    **{option.typed: option.arity for option in OPTIONS},
}
"""Options of this package, which no inner run gets."""


def typed_tokens(config: pytest.Config) -> list[str]:
    """Returns the tokens of `PYTEST_ADDOPTS` and of the command line."""
    addopts = shlex.split(os.environ.get("PYTEST_ADDOPTS", ""))
    return expanded(config._parser, [*addopts, *map(str, config.invocation_params.args)])


def refuse_mistaken_root(config: pytest.Config, root: Path) -> None:
    """Raises UsageError if pytest found a wrong `root` because of such a value."""
    here = config.invocation_params.dir
    known = config.known_args_namespace
    if known.inifilename or known.rootdir or hasattr(config, "workerinput"):
        return
    mistaken = [(option, value) for option, value in _apart(config) if (here / value).exists()]
    if not mistaken:
        return
    intended, _ = find_ini_file(_common(here, known.file_or_dir))
    if intended != root:
        option, value = mistaken[0]
        raise UsageError(
            f"pytest looks for the project in {root} instead of {intended}, since it takes {value} "
            "for a place of tests",
            where=option,
            todo=f"write {option}={value}",
        )


def _apart(config: pytest.Config) -> Iterator[tuple[str, str]]:
    """Yields our options that have their value after a space, with it."""
    known, rest = arities(config._parser), Tokens(typed_tokens(config))
    for token in rest:
        if token == "--":
            return
        values = rest.take(known.get(token, "none"))
        if token in OWN:
            yield from ((token, value) for value in values)


def _common(here: Path, places: Sequence[str]) -> Path:
    """Returns the common folder of `places` (paths or node ids), else `here`."""
    paths = [Path(os.path.abspath(here / place.partition("::")[0])) for place in places]
    folders = [path if path.is_dir() else path.parent for path in paths if path.exists()]
    return Path(os.path.commonpath(folders)) if folders else here
