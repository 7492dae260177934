"""Follows calls that wrap a function by calls of what they give: the same ones twice, and of a
function that fails, with limits that are reached soon."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from pytest_lift.agents.offline.natural.values.failing import FAIL
from pytest_lift.agents.offline.natural.values.wrapped import drawn_for_wrapped, functions_handed
from pytest_lift.agents.offline.stories.objects import FUNCTION
from pytest_lift.calls.call import Call, as_line
from pytest_lift.calls.definitions import LocalDefinitions
from pytest_lift.calls.targets.target import Target

LIMIT = re.compile(
    r"(^|_)(max|limit|size|maxsize|threshold|attempts?|retries|tries|calls|times)(_|$)"
)
"""Names of options for how much, or how often, something may be."""
SOON = "1"
"""Limit that is reached at once."""
MOST_FAILED = 2
"""Most failures before what comes then."""
ERROR = re.compile(r"\braise (\w+)\(")


def wrapped_again(made: Target, call: Call, definitions: LocalDefinitions) -> Iterator[Call]:
    """Yields calls of what a call `made` of the function that it was given: a program that wraps
    functions keeps what they gave, or counts how often they failed."""
    for maker in (call, *_limited(call)):
        plain = Call(made, receiver=maker, name=FUNCTION)
        extra = drawn_for_wrapped(plain, definitions, random.Random(0), share=1.0)
        if extra is not None:
            once = plain.but(extra=extra)
            yield once.but(before=(as_line(once),))
        yield from _failing(plain, definitions)


def _failing(plain: Call, definitions: LocalDefinitions) -> Iterator[Call]:
    """Yields calls of what wraps a function that fails, after others that failed as well."""
    known, maker = definitions.known.get(FAIL), plain.receiver
    error = ERROR.search(known.source) if known is not None else None
    if error is None or maker is None:
        return
    wrapped = next((name for name, _ in functions_handed(maker, definitions) if name), None)
    if wrapped is None:
        return
    failing = plain.but(receiver=maker.with_value(wrapped, FAIL))
    line = as_line(failing.but(raises=error[1]))
    yield from (failing.but(before=(line,) * times) for times in range(MOST_FAILED + 1))


def _limited(call: Call) -> Iterator[Call]:
    """Yields a call with each limit that it, or what makes its object, may be given."""
    for one in call.target.parameters:
        if one.default is not None and LIMIT.search(one.name):
            yield call.with_value(one.name, SOON)
    if call.receiver is not None:
        yield from (call.but(receiver=limited) for limited in _limited(call.receiver))
