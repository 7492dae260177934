"""Texts that hold the marks at which a function cuts them, or for which it looks in them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from pytest_lift.source.syntax import FunctionNode, leaf

CUTTING = frozenset(
    {
        *("split", "rsplit", "partition", "rpartition", "replace", "find", "rfind", "index"),
        *("rindex", "count"),
    }
)
"""Methods of a text that look for the text which they are given."""
MARKS = re.compile(r"[^\w\s]{1,2}|_{1,2}|\n")
SHAPED = re.compile(r"[abc](?:[^\w\s]{1,2}[abc]|_{1,2}[abc])+")
"""Text of letters with marks between them."""


def shaped_texts(node: FunctionNode) -> Iterator[str]:
    """Yields ``'a.b'`` as source for a function that calls ``text.split('.')``, or asks
    ``'.' in text``."""
    for part in ast.walk(node):
        match part:
            case ast.Call(args=[ast.Constant(value=str(mark)), *_]) if leaf(part.func) in CUTTING:
                found = mark
            case ast.Compare(left=ast.Constant(value=str(mark)), ops=[ast.In() | ast.NotIn()]):
                found = mark
            case _:
                continue
        if MARKS.fullmatch(found):
            yield repr(f"a{found}b")
