"""Command lines that documents show as users type them in a terminal."""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from pytest_lift.agents.offline.examples.shown_data import blocks_of

TYPED_IN = frozenset("console bash sh shell shell-session none text zsh".split()) | {""}
"""Languages of blocks in which commands stand."""
PROMPT = re.compile(r"^\s*(?:\([\w.-]+\)\s*)?(?:[$%>]|\S*\$|\S+#)\s+(?=\S)")
"""Beginning of a line that somebody types."""
RUN_BY = re.compile(r"^(?:python[\d.]*|py)\s+(?:-m\s+)?(?:\S*/)?([\w.-]+?)(?:\.py)?(?=\s|$)")
"""Beginning of a command line by which Python runs a module or a script."""
END = re.compile(r"^(?:[|&;<>]+|\d?>+.*)$")
"""Word at which a command line ends, and what a shell does with it begins."""
PLACEHOLDER = re.compile(r"^<.*>$|^\[|\]$|\.\.\.|…|^[A-Z][A-Z_]{2,}$|[$`{]")
"""Word that stands for others, or that a shell replaces."""
LONGEST, MOST = 12, 40
"""Most words of a command line, and most of one program."""

CommandLines = Mapping[str, list[tuple[str, ...]]]
"""Name of a program -> the words after it."""


def typed_commands(documents: Iterable[str], names: Collection[str]) -> CommandLines:
    """Returns the command lines that run programs of these names, each once."""
    found: dict[str, dict[tuple[str, ...], None]] = defaultdict(dict)
    for line in (line for text in documents for line in _lines(text)):
        name, _, rest = RUN_BY.sub(r"\1", line, count=1).partition(" ")
        words = _words(rest) if name in names else None
        if words is not None and len(found[name]) < MOST:
            found[name].setdefault(words)
    return {name: [*lines] for name, lines in found.items()}


def _lines(document: str) -> Iterator[str]:
    """Yields the lines that somebody types, without prompts."""
    for language, block in blocks_of(document):
        if language in TYPED_IN:
            joined = re.sub(r"\\\n\s*", " ", block)
            yield from (PROMPT.sub("", line).strip() for line in joined.split("\n"))


def _words(text: str) -> tuple[str, ...] | None:
    """Returns the words of a command line; None where they are none that can be typed."""
    try:
        words = shlex.split(text, comments=True)
    except ValueError:
        return None
    end = next((n for n, word in enumerate(words) if END.match(word)), len(words))
    words = words[:end]
    if len(words) > LONGEST or any(PLACEHOLDER.search(word) for word in words):
        return None
    return tuple(map(_inside, words))


def _inside(word: str) -> str:
    """Returns a word with a path in the working directory in the place of one elsewhere."""
    if not word.startswith(("/", "~", "..")):
        return word
    return PurePosixPath(word).name.strip(".~") or "data"
