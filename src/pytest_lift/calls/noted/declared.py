"""Command lines that a program declares, as values, read from what its child processes told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

DEEPEST = 4


@dataclass(frozen=True)
class DeclaredArgument:
    """Option or positional argument of a command line."""

    flags: tuple[str, ...] = ()
    """Words by which an option is given, such as ``-v`` and ``--verbose``; none if positional."""
    dest: str = ""
    nargs: str = ""
    """How many words it takes: ``""`` is one, ``0`` none, else a number, ``?``, ``*`` or ``+``."""
    type: str = ""
    """Name of what converts it: ``int``, ``FileType``, ``path``; empty for a text."""
    choices: tuple[str, ...] = ()
    required: bool = False
    help: str = ""
    metavar: str = ""
    ends: bool = False
    """Whether it prints something and ends the program: ``--help``, ``--version``."""
    default: str = "None"
    """Source of its value where it is not given, as far as the program writes one out; empty where
    that is worked out."""


@dataclass(frozen=True)
class CommandLine:
    """What one command or subcommand takes."""

    arguments: tuple[DeclaredArgument, ...] = ()
    commands: Mapping[str, CommandLine] = field(default_factory=dict)
    text: str = ""
    """What its help says of it."""


def command_line_from(raw: Mapping[str, Any], depth: int = 0) -> CommandLine:
    """Reads what a child told; raises TypeError, KeyError or ValueError if it is malformed."""
    inner = raw["commands"].items() if depth < DEEPEST else ()
    return CommandLine(
        tuple(_argument(one) for one in raw["arguments"]),
        {str(name): command_line_from(one, depth + 1) for name, one in inner},
        str(raw["text"]),
    )


def _argument(raw: Mapping[str, Any]) -> DeclaredArgument:
    return DeclaredArgument(
        _words(raw["flags"]),
        str(raw["dest"]),
        str(raw["nargs"]),
        str(raw["type"]),
        _words(raw["choices"]),
        bool(raw["required"]),
        str(raw["help"]),
        str(raw.get("metavar", "")),
        bool(raw.get("ends")),
    )


def _words(raw: Iterable[Any]) -> tuple[str, ...]:
    return tuple(str(word) for word in raw)
