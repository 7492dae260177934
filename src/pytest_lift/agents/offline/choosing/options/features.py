"""Plain values, each with something that an option may be about, and texts that get it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import islice

from pytest_lift.source.syntax import parsed_expression, written_with

DICTS = (
    "{'b': 1, 'a': 2}", "{'a': {'b': 1}}", "{'a': [1, 2]}", "{'a': None}", "{'a': 1.5}",
    "{'a': 'b c'}", "{'é': 1}", "{1: 'a', '1': 'b'}", "{'A': 1, 'a': 2}", "{}",
)  # fmt: skip
LISTS = (
    "[3, 1, 2]", "[1, 1, 2]", "[[1, 2], [3]]", "['b', 'a']", "['a', 'B']", "[{'a': 1}]",
    "[1, None]", "[0.5, 1.25]", "['é']", "[]",
)  # fmt: skip
TEXTS = (
    "'Hello World'", "' a '", "'a-b'", "'a,b'", "'é'", "'aab'", "'a\\nb'", "'a\\tb'", "'<b>'",
    "'1.50'", "'-1'", "'a.b'", "'a_b'", "'it\\'s'", "''",
)  # fmt: skip
NUMBERS = ("0", "-1", "1.5", "1.005", "12", "1234.5", "1000000")
BY_KIND = {"Dict": DICTS, "List": LISTS, "Tuple": LISTS, "str": TEXTS, "int": NUMBERS}
BY_KIND["float"] = BY_KIND["UnaryOp"] = NUMBERS
WORD = re.compile(r"[^\W\d_]\w*")
MOST_DOUBLED, MOST_BROKEN = 4, 3
"""Texts with a word twice, and with a word that another character divides."""
DIVIDING = ("\t", "\n")


def with_features(source: str) -> Iterator[str]:
    """Yields values of the kind of an argument, each with something that others lack: two keys in
    no order, equal items, what is nested, capital letters, blanks around."""
    node = parsed_expression(source)
    if node is None:
        return
    inner = [one for one in ast.walk(node) if _is_text(one)]
    text = inner[0] if len(inner) == 1 and isinstance(node, ast.Call | ast.Constant) else None
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        for other in changed_texts(text.value):
            if (written := written_with(node, text, ast.Constant(other))) is not None:
                yield written
    constant = isinstance(node, ast.Constant)
    kind = type(node.value).__name__ if isinstance(node, ast.Constant) else type(node).__name__
    if constant or not isinstance(node, ast.Call):
        yield from (one for one in BY_KIND.get(kind, ()) if one != source)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def changed_texts(text: str) -> Iterator[str]:
    """Yields a text with one of its words in the place of another one, with a character in a word
    that seldom stands there, and in capitals."""
    yield from islice(_doubled(text), MOST_DOUBLED)
    words = [one for one in WORD.finditer(text) if len(one[0]) > 1][:MOST_BROKEN]
    for one in words:
        at = one.start() + 1
        yield from (text[:at] + mark + text[at:] for mark in DIVIDING)
    if text.upper() != text:
        yield text.upper()


def _doubled(text: str) -> Iterator[str]:
    words = list(WORD.finditer(text))
    for first in words:
        for second in words:
            if first.end() <= second.start() and first[0] != second[0]:
                yield text[: second.start()] + first[0] + text[second.end() :]
