"""Moves objects that collect what a call writes into variables, so that a test can read it."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from pytest_lift.calls.call import Call
from pytest_lift.source.syntax import shared_expression

STREAM = re.compile(r"(io\.)?(StringIO|BytesIO)\(\)")
"""Empty stream in memory."""
EMPTY = frozenset({"''", "b''", "[]", "()", "{}", "None"})
"""What is read where nothing was written."""


def collected(call: Call, readers: Mapping[str, str]) -> tuple[list[tuple[str, str, str]], Call]:
    """Returns (variable, the object that collects, how it is read) of what a call, the calls before
    it and those that make its object are given, and the call with the variables in their place."""
    taken = {name for part in call.chain for name in (part.name, part.bound, part.target.call)}
    found: list[tuple[str, str, str]] = []
    return found, _with_variables(call, readers, found, taken)


def _with_variables(
    call: Call, readers: Mapping[str, str], found: list[tuple[str, str, str]], taken: set[str]
) -> Call:
    if call.receiver is not None:
        call = call.but(receiver=_with_variables(call.receiver, readers, found, taken))
    if call.before:
        before = [_with_variables(line, readers, found, taken) for line in call.before]
        call = call.but(before=tuple(before))
    for name, value in call.values:
        if reading := _reading(value, readers):
            variable = name if len(name) > 1 and name not in taken else "stream"
            while variable in taken:
                variable = f"other_{variable}"
            taken.add(variable)
            found.append((variable, value, reading.format(variable)))
            call = call.with_value(name, variable)
    return call


def _reading(value: str, readers: Mapping[str, str]) -> str:
    """Returns how an argument is read of what was written to it, with ``{}`` for it; "" for what
    collects nothing."""
    if not value.endswith(")"):
        return ""
    if value.endswith("IO()") and STREAM.fullmatch(value):
        return "{}.getvalue()"
    reader = readers.get(value.partition("(")[0])
    node = shared_expression(value) if reader else None
    made = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return f"{{}}.{reader}()" if made else ""
