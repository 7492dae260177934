"""Costs of texts: how far they are from what a person would type."""

from __future__ import annotations

import re
from collections.abc import Mapping

CHARACTERS = 40
"""Characters of source that cost as much as one call."""
EMPTY_FILE = 1.5
LITERAL = re.compile(r"""(b?)('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")""")
"""Text in source, with the letter of bytes before it."""
ESCAPED = re.compile(r"\\([nt'\"\\])")
STRANGE = re.compile(r"\\[xuUrabfv0]|[\u2600-\u27bf\U0001f000-\U0001faff]")
"""Character that nobody types: it controls, is written by its number, or is a picture."""
RUN = re.compile(r"[^\w\s'\"\\]{3,}")
CONTROL, MIXED, BARE = 1.0, 0.5, 0.4
"""Costs of such a character, of three or more marks in a row that differ, and of a text with more
marks than letters that does not close what it opens."""
MOST_NOISE = 3
PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}


def cost_of_files(files: Mapping[str, str]) -> float:
    """Returns the cost of files that a test makes; one with nothing in it shows little."""
    empty = sum(not text for text in files.values())
    return sum(cost_of(repr(text)) / 2 for text in files.values()) + EMPTY_FILE * empty


def cost_of(source: str) -> float:
    """Returns how unnatural source reads: 0 for an empty text, about 1 for a plain short call."""
    heavy = len(re.findall(r"\blambda\b|SimpleNamespace|namedtuple|object\(|iter\(", source))
    big = sum(len(number) > 6 for number in re.findall(r"\d+", source))
    blank = len(re.findall(r"''|\"\"|\[\]|\{\}|\(\)(?!\.)|None", source))
    marks = len(re.findall(r"""=(['"])[^\w\s]{1,2}\1""", source))
    odd = 0.8 * heavy + 0.5 * big + 0.1 * blank + 0.6 * marks + noise_of(source)
    return len(source) / CHARACTERS + odd


def noise_of(source: str) -> float:
    """Returns what the texts in source cost for characters and marks that nobody types."""
    return sum(_noise(text[1:-1], bool(letter)) for letter, text in LITERAL.findall(source))


def _noise(text: str, is_bytes: bool) -> float:
    plain = ESCAPED.sub(" ", text)
    strange = len(STRANGE.findall(plain))
    if is_bytes:
        return 0.3 * strange
    mixed = sum(len(set(run)) > 2 and not _closes(run) for run in RUN.findall(plain))
    marks = sum(not (char.isalnum() or char.isspace()) for char in plain)
    bare = marks > 2 and 2 * marks > len(plain.replace(" ", "")) and len(set(plain)) > 2
    noise = CONTROL * min(strange, MOST_NOISE) + MIXED * min(mixed, MOST_NOISE)
    return noise + (BARE if bare and not _closes(plain) else 0.0)


def _closes(text: str) -> bool:
    """Whether every bracket in a text is closed, and there is one."""
    still_open: list[str] = []
    for char in text:
        if char in PAIRS.values():
            still_open.append(char)
        elif char in PAIRS and (not still_open or still_open.pop() != PAIRS[char]):
            return False
    return not still_open and any(char in PAIRS for char in text)
