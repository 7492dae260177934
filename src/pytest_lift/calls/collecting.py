"""Moves objects that collect what a call writes into variables, so that a test can read it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pytest_lift.calls.blocks import ANSWER, ENTERED
from pytest_lift.calls.call import RECORDED, RESULT, Call
from pytest_lift.calls.names import BUILTINS

STREAM = re.compile(r"(io\.)?(StringIO|BytesIO)\(\)")
"""Empty stream in memory."""


def collected(
    call: Call, readers: Mapping[str, str], defined: Iterable[str] = ()
) -> tuple[list[tuple[str, str, str]], Call]:
    """Returns (variable, the object that collects, how it is read) of what a call, the calls before
    it and those that make its object are given, and the call with the variables in their place;
    none has a name that means something else there, such as those that tests have `defined`."""
    chain, found = call.chain, list[tuple[str, str, str]]()
    if not any(_reading(value, readers) for part in chain for _, value in part.values):
        return found, call
    variables = {name for part in chain for name in (part.name, part.bound, part.target.call)}
    taken = variables | call.names | BUILTINS | {RESULT, RECORDED, ANSWER, ENTERED, *defined}
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
    if not value.endswith("()"):
        return ""
    if value.endswith("IO()") and STREAM.fullmatch(value):
        return "{}.getvalue()"
    reader = readers.get(value.removesuffix("()"))
    return f"{{}}.{reader}()" if reader else ""
