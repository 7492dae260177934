"""Finds what takes the place of a program's connections."""

from __future__ import annotations

from pytest_lift.calls.case import Awake
from pytest_lift.calls.child.isolation.connections import CONNECTS, FUNCTIONS, METHODS, NAMED
from pytest_lift.source.program import Program


def connection_of(program: Program) -> Awake:
    """Returns what takes the place of the connections of a program, with the methods that it names;
    with all of them where it leaves that to a library."""
    texts = [file.text for file in program.files.values()]
    words = {one: NAMED.get(one, f".{one}(") for one in METHODS}
    named = [one for one, word in words.items() if any(word in text for text in texts)]
    return tuple((name, CONNECTS) for name in (*(named or METHODS), *FUNCTIONS))
