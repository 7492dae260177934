"""Marks that a person gives in the place of others: an underscore for a hyphen."""

from __future__ import annotations

import ast

from pytest_lift.source.syntax import shared_expression

INSTEAD = {
    "\n": "\r\n", "\r\n": "\n", ",": ";", ";": ",", ", ": "; ", "-": "_", "_": "-", " ": "-",
    ":": "=", "=": ":", "/": ".", ".": "/", "\t": ",", "*": "#", "#": "*", "|": ",", "+": "-",
    "'": '"', '"': "'", "(": "[", ")": "]", "[": "(", "]": ")", "{": "<", "}": ">", "<": "[",
    ">": "]", "%": "$", "$": "%", "&": "+", "@": "#", "~": "-",
}  # fmt: skip
"""Mark -> what a person gives in its place."""
LONGEST = 4
"""Characters of a text that is a mark."""


def is_mark(text: str) -> bool:
    """Whether a text is one of a few marks or blanks, without a letter or digit."""
    return 0 < len(text) <= LONGEST and not any(map(str.isalnum, text))


def instead_of(source: str | None) -> str:
    """Returns the mark, as source, that a person gives in the place of a default; "" for what is no
    mark."""
    node = shared_expression(source) if source else None
    text = node.value if isinstance(node, ast.Constant) else None
    if not isinstance(text, str) or not is_mark(text):
        return ""
    if text in INSTEAD:
        return repr(INSTEAD[text])
    return repr("--" if set(text) != {"-"} else "==") if text.strip() else repr("\t")
