"""Blanks, line ends and brackets of texts, as a person types them."""

from __future__ import annotations

import re
from collections.abc import Iterator

BLANKS = re.compile(r"\s+")
BREAKS = re.compile(r"\n\s*\n+")
CLOSING = {"(": ")", "[": "]", "{": "}"}


def is_untidy(text: str) -> bool:
    """Whether a text begins or ends with blanks, has tabs, or a line end where it is one line; the
    last line of several may end."""
    lines = text.split("\n")
    if len(lines) > 2 and not lines[-1]:
        lines.pop()
    body = "\n".join(lines)
    return body != body.strip() or "\t" in body


def tidied(text: str) -> Iterator[str]:
    """Yields a text with one blank in the place of several, without those at its ends, and without
    any."""
    if BLANKS.search(text):
        changed = (" ".join(text.split()), text.strip(), BREAKS.sub("\n", text.strip()))
        known = dict.fromkeys((*changed, BLANKS.sub("", text)))
        yield from (one for one in known if one != text)


def open_brackets(text: str) -> str | None:
    """Returns the brackets that close those which are open at the end of a text; None for one
    with others that close none."""
    waiting: list[str] = []
    for char in text:
        if char in CLOSING:
            waiting.append(CLOSING[char])
        elif char in CLOSING.values() and (not waiting or waiting.pop() != char):
            return None
    return "".join(reversed(waiting))
