"""Changes known texts in one feature: a line, a token, a pair of marks, the end."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
WORD = re.compile(r"\w+")
BEFORE_LINES = ("> ", "- ", "    ", "  ", "# ", "\t")
"""What may nest lines, or quote them."""
NUMBERS = ("0", "1", "-1", "2.5", "10", "100", "007")


def changed(text: str, rng: random.Random, known: Sequence[str]) -> str:
    """Returns a text with one feature changed; `known` are other texts of its format, at least
    one."""
    steps = (_of_lines, _of_tokens, _of_tokens, _cut, _nested, _joined)
    return rng.choice(steps)(text, rng, known)


def _of_lines(text: str, rng: random.Random, known: Sequence[str]) -> str:
    """Returns a text with a line left out, doubled, moved, or in the place of another one."""
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        return _joined(text, rng, known)
    at = rng.randrange(len(lines))
    choice = rng.random()
    if choice < 0.3:
        del lines[at]
    elif choice < 0.45:
        lines.insert(at, lines[at])
    elif choice < 0.6:
        lines.insert(rng.randrange(len(lines)), lines.pop(at))
    else:
        others = rng.choice(known).splitlines(keepends=True)
        other = rng.choice(others or lines)
        lines[at : at + (choice < 0.8)] = [other if other.endswith("\n") else f"{other}\n"]
    return "".join(lines)


def _of_tokens(text: str, rng: random.Random, known: Sequence[str]) -> str:
    """Returns a text with a token left out, doubled, or with one of another text in its place."""
    tokens = TOKEN.findall(text)
    if not tokens:
        return _joined(text, rng, known)
    at = rng.randrange(len(tokens))
    choice = rng.random()
    if choice < 0.35:
        del tokens[at]
    elif choice < 0.5:
        tokens.insert(at, tokens[at])
    elif choice < 0.6 and tokens[at][:1].isdigit():
        tokens[at] = rng.choice(NUMBERS)
    else:
        others = TOKEN.findall(rng.choice(known))
        alike = [one for one in others if one[:1].isalnum() == tokens[at][:1].isalnum()]
        tokens[at] = rng.choice(alike or others or tokens)
    return "".join(tokens)


def _cut(text: str, rng: random.Random, known: Sequence[str]) -> str:
    """Returns a text without its end or, now and then, its beginning."""
    tokens = TOKEN.findall(text)
    at = rng.randrange(len(tokens)) if tokens else 0
    return "".join(tokens[at:] if rng.random() < 0.2 else tokens[:at])


def _nested(text: str, rng: random.Random, known: Sequence[str]) -> str:
    """Returns a text inside of another one: in the place of a word of it, or all its lines moved
    in."""
    if rng.random() < 0.4:
        before = rng.choice(BEFORE_LINES)
        return "".join(before + line for line in text.splitlines(keepends=True))
    outer = rng.choice(known)
    words = list(WORD.finditer(outer))
    if not words:
        return outer + text
    found = rng.choice(words)
    return outer[: found.start()] + text + outer[found.end() :]


def _joined(text: str, rng: random.Random, known: Sequence[str]) -> str:
    """Returns a text before or after another one, with nothing, a blank or a line between them."""
    other = rng.choice(known)
    between = rng.choice(("", " ", "\n", "\n\n"))
    return f"{text}{between}{other}" if rng.random() < 0.5 else f"{other}{between}{text}"
