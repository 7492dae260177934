"""Gives parameters plain values of a wrong kind, and calls that fail the plainest of these."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_lift.agents.offline.natural.fitting.fitness import Fitness
from pytest_lift.agents.offline.natural.typed_values import is_plain
from pytest_lift.calls.call import Call

WRONG = ("'a'", "1", "None")
"""Values of which two are of a wrong kind wherever one is refused."""


def variants(call: Call, fitness: Fitness) -> Iterator[Call]:
    """Yields the call with plain values in the place of functions, objects, containers and what is
    computed, where nothing tells that these fit: an error that they meet is no other one."""
    for name, value in call.values:
        if is_plain(value) or value == "None":
            continue
        given = (call.target, name, value)
        if fitness.misfit(*given) or fitness.is_guess(*given):
            yield from (call.with_value(name, wrong) for wrong in WRONG)


def misfits(call: Call, fitness: Fitness) -> Iterator[Call]:
    """Yields the call with a plain value that does not fit in the place of each argument: where the
    program refuses those of a wrong kind, that shows it."""
    for name, _ in call.values:
        wrong = (one for one in WRONG if not fitness.fits(call.target, name, one))
        yield from (call.with_value(name, one) for one in wrong)
