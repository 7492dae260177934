"""Gives the arguments of calls that fail to calls of the same function that succeed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from pytest_lift.agents.offline.choosing.shrinking.simplifying import distance
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target

MOST_BASES = 3
"""Most calls of a function that succeed which get the arguments of one that fails, and most calls
on what such a function makes."""

Base = tuple[Call, Callable[[Call], Call]]
"""A call, and what makes it part of the whole that succeeds."""


def succeeding(
    kept: Sequence[KeptCase], known: Callable[[Target], Sequence[Call]]
) -> Iterator[Call]:
    """Yields calls that may show what an argument does which only calls that fail have: `known`
    calls of the same target, the plainest that succeed, and those on an object that it made, with
    all optional arguments of one that fails, then with each of its arguments.

    What such an argument leads to before the error has a visible effect only there, and the test of
    the error may go without it.
    """
    own: dict[str, list[Base]] = defaultdict(list)
    inside: dict[str, list[Base]] = defaultdict(list)
    for one in sorted(kept, key=distance):
        if one.call is not None and not one.seen.fails:
            own[one.call.target.key].append((one.call, _itself))
            for made, whole in _receivers(one.call):
                inside[made.target.key].append((made, whole))
    for one in kept:
        if one.call is None or one.call.target.entry or not one.seen.fails:
            continue
        target = one.call.target
        direct = [*((call, _itself) for call in known(target)), *own[target.key]]
        for base, around in (*direct[:MOST_BASES], *inside[target.key][:MOST_BASES]):
            yield from map(around, _with_arguments(base, one.call))


def _itself(call: Call) -> Call:
    return call


def _receivers(call: Call) -> Iterator[Base]:
    """Yields the calls that make the object of a call, the innermost last."""
    if call.receiver is not None:
        yield call.receiver, partial(_on, call)
        for base, whole in _receivers(call.receiver):
            yield base, partial(_around, call, whole)


def _on(call: Call, receiver: Call) -> Call:
    return call.but(receiver=receiver)


def _around(call: Call, whole: Callable[[Call], Call], inner: Call) -> Call:
    return call.but(receiver=whole(inner))


def _with_arguments(base: Call, failing: Call) -> Iterator[Call]:
    """Yields a call with all optional arguments of another one, and with each of its arguments."""
    optional = failing.target.optional_names
    different = [(name, value) for name, value in failing.values if base.given.get(name) != value]
    options = [(name, value) for name, value in different if name in optional]
    whole = base
    for name, value in options:
        whole = whole.with_value(name, value)
    if len(options) > 1:
        yield whole
    yield from (base.with_value(name, value) for name, value in different)
