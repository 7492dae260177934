"""Says values in the words of a sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from pytest_lift.source.syntax import leaf, parsed_expression

LONGEST_VALUE = 36
SPOKEN = {
    "[]": "an empty list", "{}": "an empty dict", "''": "an empty text", "()": "an empty tuple",
    "set()": "an empty set", "b''": "empty bytes",
}  # fmt: skip


KINDS_SPOKEN = {"str": "a text", "int": "a number", "float": "a number", "bytes": "bytes"}
CONTAINERS = (ast.List, ast.Tuple, ast.Set, ast.Dict)


def value_words(source: str) -> str:
    """Returns a value as a sentence has it: ``'I'``, ``an empty list``, ``a list of 12 items``."""
    node = parsed_expression(source)
    if node is None:
        return ""
    if isinstance(node, ast.Call) and leaf(node.func) == "approx" and node.args:
        number = isinstance(node.args[0], ast.Constant | ast.UnaryOp)
        return f"{'about ' if number else ''}{value_words(ast.unparse(node.args[0]))}"
    text = ast.unparse(node)
    if text in SPOKEN:
        return SPOKEN[text]
    if len(text) <= LONGEST_VALUE and "\\" not in text and text.isprintable():
        return text
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return text_words(node.value)
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return f"a {type(node).__name__.lower()} of {len(node.elts)} items"
    if isinstance(node, ast.Dict):
        return f"a dict of {len(node.keys)} items"
    return with_article(leaf(node.func)) if isinstance(node, ast.Call) and leaf(node.func) else ""


def kind_words(source: str) -> str:
    """Returns what kind of value a source is: ``a text``, ``a list``, ``None``, ``a Version``."""
    node = parsed_expression(source)
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if isinstance(node, ast.Constant):
        if node.value is None or isinstance(node.value, bool):
            return str(node.value)
        kind = type(node.value).__name__
        return KINDS_SPOKEN.get(kind) or with_article(kind)
    if isinstance(node, ast.Call) and leaf(node.func):
        return with_article(leaf(node.func))
    return with_article(type(node).__name__.lower()) if isinstance(node, CONTAINERS) else "a value"


def text_words(text: str) -> str:
    """Returns a text that is too long for a sentence as its number of lines or its beginning."""
    lines = text.splitlines()
    if len(lines) > 1:
        return f"a text of {len(lines)} lines"
    text = (lines or [""])[0].strip()
    begin = re.split("['\"]", text)[0][:24]
    begin = begin.rpartition(" ")[0] or begin[:16]
    if not begin.strip():
        return "a text"
    plain = begin.isprintable() and "\\" not in repr(begin)
    return f"a text that begins with {begin!r}" if plain else "a text"


def with_article(noun: str) -> str:
    """Returns the noun after ``a`` or ``an``."""
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"


def listed(words: Sequence[str]) -> str:
    """Returns ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
