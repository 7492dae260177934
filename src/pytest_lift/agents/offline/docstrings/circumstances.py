"""Says what a test depends on beside its arguments: seeds, files, command line, standard input."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from pytest_lift.agents.offline.writing.values import listed, value_words
from pytest_lift.calls.case import Case

SEED = re.compile(r"[\w.]+\.seed\(\d+\)")
"""Line that seeds a shared random generator."""
SHORT = 32
"""Most characters of a file, or of what is read, that a sentence holds."""


def circumstances(case: Case) -> list[str]:
    """Returns the seeds, the command line, the short files and the short input without which a case
    is another one."""
    read = [repr(text) for text in (*case.files.values(), case.stdin) if 0 < len(text) <= SHORT]
    return [*_seeds(case), *filter(None, [_command_line(case)]), *read]


def with_circumstances(case: Case, sentence: str) -> Iterator[str]:
    """Yields a sentence with what a call depends on beside its arguments: the command line and
    what is read from standard input, the seed of a shared random generator, and files."""
    around = [*filter(None, [_command_line(case), _input(case)])]
    given = f"With {listed(around)}{_after_with(sentence)}" if around else sentence
    drawn = [one for one in _seeds(case) if one not in sentence]
    told = f"{given}, after {listed(drawn)}" if drawn else given
    yield from _with_files(case, told)
    yield from [told] if told != sentence else []


def with_input(case: Case, sentence: str) -> Iterator[str]:
    """Yields a sentence of a command that names no file with what it is given to read; first of
    all where the sentence ends in a message."""
    named = any(not word.startswith("-") for word in case.command[1:])
    if not case.stdin or case.files or named or len(case.stdin) > SHORT:
        return
    given = f"{value_words(repr(case.stdin))} on its standard input"
    ends = " exits " in sentence
    yield f"With {given}, {sentence}" if ends else f"{sentence}, with {given}"


def _seeds(case: Case) -> list[str]:
    """Returns the lines that seed what a case draws from."""
    lines = [step.source for step in case.steps if SEED.fullmatch(step.source)]
    return lines if case.seeded else []


def _command_line(case: Case) -> str:
    """Returns what is given on the command line to a call that reads it by itself; "" for a
    command, which is told as one."""
    if case.argv is None or case.command:
        return ""
    words = shlex.join(case.argv[1:])
    return f"{words!r} on the command line" if words else "an empty command line"


def _input(case: Case) -> str:
    """Returns what a call that is no command is given to read."""
    told = case.stdin and not case.command and len(case.stdin) <= SHORT
    return f"{value_words(repr(case.stdin))} on standard input" if told else ""


def _after_with(sentence: str) -> str:
    """Returns a sentence as it goes on after ``With a, ``."""
    first, _, rest = sentence.partition(" ")
    if first == "With":
        return f" and {rest}"
    return f", {first.lower() if first in ('After', 'For') else first} {rest}"


def _with_files(case: Case, sentence: str) -> Iterator[str]:
    """Yields a sentence with what the files hold that it names; of a command with those, too, that
    it finds by itself."""
    held = [
        f"{name} holds {value_words(repr(text), SHORT + 2)}"
        for name, text in case.files.items()
        if text and (name in sentence or case.command)
    ]
    if held:
        yield f"{sentence}, where {listed(held)}"
