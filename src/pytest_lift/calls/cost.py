"""Costs of texts: how far they are from what a person would type."""

from __future__ import annotations

import re
from collections.abc import Mapping

EMPTY_FILE = 1.5


def cost_of_files(files: Mapping[str, str]) -> float:
    """Returns the cost of files that a test makes; one with nothing in it shows little."""
    empty = sum(not text for text in files.values())
    return sum(cost_of(repr(text)) / 2 for text in files.values()) + EMPTY_FILE * empty


def cost_of(source: str) -> float:
    """Returns how unnatural source reads: 0 for an empty text, about 1 for a plain short call."""
    odd = len(re.findall(r"\\x|\\u|\\U|\\0", source))
    heavy = len(re.findall(r"\blambda\b|SimpleNamespace|namedtuple|object\(|iter\(", source))
    big = sum(len(number) > 6 for number in re.findall(r"\d+", source))
    blank = len(re.findall(r"''|\"\"|\[\]|\{\}|\(\)(?!\.)|None", source))
    noise = len(re.findall(r"""=(['"])[^\w\s]{1,2}\1""", source))
    return len(source) / 40 + 0.3 * odd + 0.8 * heavy + 0.5 * big + 0.1 * blank + 0.6 * noise
