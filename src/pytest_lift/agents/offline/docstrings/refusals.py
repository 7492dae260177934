"""Reads what a block expects to be refused: ``raises MultipleInvalid: expected int``."""

from __future__ import annotations

import ast
import re

from pytest_lift.calls.matching import EXPECTING
from pytest_lift.source.syntax import leaf

PATTERN = re.compile(r"[\\^$*+?(){}\[\]|]")
"""Signs by which a text to be matched is none of the message itself."""


def refused_in(node: ast.stmt) -> tuple[ast.stmt, str] | None:
    """Returns the one statement of a block that expects an error, and ``raises ValueError: no`` of
    it; None for all other statements."""
    match node:
        case ast.With(
            items=[
                ast.withitem(
                    context_expr=ast.Call(func=function, args=[error, *rest], keywords=keywords),
                    optional_vars=None,
                )
            ],
            body=[ast.Expr() | ast.Assign() as inner],
        ) if EXPECTING.fullmatch(leaf(function)) and isinstance(error, ast.Name | ast.Attribute):
            message = _message(rest, keywords)
            return inner, f"raises {leaf(error)}" + (f": {message}" if message else "")
    return None


def _message(rest: list[ast.expr], keywords: list[ast.keyword]) -> str:
    """Returns the message that is expected of the error, of one line; "" for none."""
    matched = next((one.value for one in keywords if one.arg == "match"), None)
    told = matched if matched is not None else next(iter(rest), None)
    text = told.value if isinstance(told, ast.Constant) else None
    if not isinstance(text, str) or "\n" in text or (matched is not None and PATTERN.search(text)):
        return ""
    return text
