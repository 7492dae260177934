"""Texts that hold the marks at which a function cuts them, or for which it looks in them, or the
fields that it fills."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from pytest_lift.source.syntax import FunctionNode, chain, leaf, parts_of, texts

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

FIELD = re.compile(r"\{\w*\}|%(\(\w+\))?s")
MOST_FIELDS = 4
"""Fields of a text of which one is given."""


def filled_texts(node: ast.AST, variable: str) -> Iterator[str]:
    """Yields ``'{name}'`` as source for code that calls ``text.format(name=own)``, and ``'%s'`` for
    one that works out ``text % (own,)``, what is a variable itself there last: `variable` is
    ``text``, or ``self.text``."""
    for part in parts_of(node):
        match part:
            case ast.Call(func=ast.Attribute(value=filled, attr="format"), args=[], keywords=given):
                named = sorted(given, key=lambda one: isinstance(one.value, ast.Name))
                found = [f"{{{one.arg}}}" for one in named if one.arg]
            case ast.BinOp(left=filled, op=ast.Mod(), right=ast.Dict(keys=keys)):
                found = [f"%({key})s" for key in texts(filter(None, keys))]
            case ast.BinOp(left=filled, op=ast.Mod(), right=ast.Tuple(elts=items)):
                found = [" ".join(["%s"] * len(items))]
            case _:
                continue
        if ".".join(chain(filled)) == variable:
            yield from map(repr, found[:MOST_FIELDS])


def has_fields(sources: Iterable[str]) -> bool:
    """Whether one of some texts has a field that is filled."""
    return any(map(FIELD.search, sources))


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
