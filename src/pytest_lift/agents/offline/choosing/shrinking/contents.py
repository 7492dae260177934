"""Makes texts, also those of files, shorter: by whole entries, statements, lines and words."""

from __future__ import annotations

import ast
import contextlib
import json
import re
from collections.abc import Iterator
from typing import Any

from pytest_lift.agents.offline.arguments.trees.changing import SUFFIXES
from pytest_lift.agents.offline.arguments.trees.nodes import stays_python
from pytest_lift.agents.offline.texts.shaped import SHAPED
from pytest_lift.source.syntax import first_line, parsed

SHORT = 16
"""Characters up to which a text is made shorter by one after the other, and of letters."""
MARK = re.compile(r"[^\w\s]|\n")
LETTERS = ("a", "b", "c", "d")
"""A mark in a text, and what stands between marks in the plainest one."""
TELLING = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)
"""Statements by which a text is Python and no other."""


def shorter_contents(name: str, text: str) -> Iterator[str]:
    """Yields the text of a file with a part left out: of JSON a key or an item, of Python a
    statement, of other lines one."""
    with contextlib.suppress(ValueError, RecursionError):
        value = json.loads(text)
        if isinstance(value, dict | list):
            yield from (json.dumps(smaller) for smaller in _without_a_part(value))
            return
    lines = text.splitlines(keepends=True)
    is_code = name.endswith(SUFFIXES)
    tree = parsed(text) if is_code else None
    if tree is not None:  # what is left stays as it was written, with its comments
        shorter = ("".join(lines[:at] + lines[end:]) for at, end in _statements(tree))
        yield from (one for one in shorter if stays_python(text, one))
    elif len(lines) > 1:
        yield from ("".join(lines[:at] + lines[at + 1 :]) for at in range(len(lines)))
    elif not is_code:  # a line of Python that is cut by letters is none that a person breaks
        yield from shorter_texts(text)


def shorter_input(text: str) -> Iterator[str]:
    """Yields a text to read with a part left out: of Python that is told by its statements, one."""
    tree = parsed(text)
    is_code = any(isinstance(node, TELLING) for node in ast.walk(tree)) if tree else False
    yield from shorter_contents("-.py", text) if is_code else shorter_texts(text)


def _lettered(text: str) -> Iterator[str]:
    """Yields ``a;b`` for ``[;2]``: letters with each kind of the marks of a text between them."""
    for mark in () if SHAPED.fullmatch(text) else dict.fromkeys(MARK.findall(text)):
        parts = text.count(mark) + 1
        if parts <= len(LETTERS):
            yield mark.join(LETTERS[:parts])


def _statements(tree: ast.AST) -> Iterator[tuple[int, int]]:
    """Yields the lines, the first and the one behind the last, of each statement that is not alone
    in its block, outer ones first."""
    for node in ast.walk(tree):
        for block in ("body", "orelse", "finalbody"):
            inner = getattr(node, block, None)
            for one in inner if isinstance(inner, list) and len(inner) > 1 else ():
                yield first_line(one) - 1, one.end_lineno or one.lineno


def _without_a_part(value: Any) -> Iterator[Any]:
    """Yields a container without one of its entries, or of theirs."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {one: other for one, other in value.items() if one != key}
            yield from ({**value, key: smaller} for smaller in _without_a_part(inner))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield [*value[:at], *value[at + 1 :]]
            yield from ([*value[:at], one, *value[at + 1 :]] for one in _without_a_part(inner))


def shorter_texts(text: str) -> Iterator[str]:
    """Yields letters with one kind of its marks between them in the place of a short text, then it
    with a part left out: of lines and words, whole ones first."""
    yield from _lettered(text) if len(text) <= SHORT else ()
    lines = text.splitlines(keepends=True)
    if len(lines) > 1:
        for size in {len(lines) // 2, 1}:
            yield from (
                "".join(lines[:at] + lines[at + size :]) for at in range(0, len(lines), size)
            )
    words = text.split(" ")
    if len(words) > 1:
        yield from (" ".join(words[:at] + words[at + 1 :]) for at in range(len(words)))
    if all(word.isalpha() for word in words):
        return
    half = len(text) // 2
    if half:
        yield text[:half]
        yield text[half:]
    if len(text) <= SHORT:
        yield from (text[:i] + text[i + 1 :] for i in range(len(text)))
    else:
        step = len(text) // 8
        yield from (text[:i] + text[i + step :] for i in range(0, len(text), step))
