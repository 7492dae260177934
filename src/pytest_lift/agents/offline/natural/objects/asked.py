"""Calls before the last one that only ask something: nobody hears what they answer."""

from __future__ import annotations

import re

from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target

ASKED = 0.8
"""Cost of a line whose value nobody reads: what an object holds is put there by what sets it, not
by a default that asking for it leaves there."""
QUESTION = re.compile(r"(is|are|has|have|can|was|should|get)(_|$|(?=[A-Z]))")
"""Beginning of the name of a method that is called for what it gives."""
GOING_ON = frozenset({"__next__", "__aiter__", "__anext__"})
"""Operators that are used for what they do to an object, too."""


def oddness(call: Call) -> float:
    """Returns the cost of the questions before a call that it does not need the answers of."""
    return ASKED * sum(_asks(line.target) for line in call.before if not line.bound)


def _asks(target: Target) -> bool:
    if target.kind == "operator":
        return target.leaf not in GOING_ON
    return target.kind == "property" or (
        target.kind == "method" and QUESTION.match(target.leaf) is not None
    )
