"""Arguments with which calls block the process: it has to be ended, which costs seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from pytest_lift.agents.offline.natural.kinds import ENDLESS, maker_of
from pytest_lift.calls.call import Call

MOST_BLOCKED = 3
"""Calls that one of them may block before nothing is tried with it any more."""


@dataclass(frozen=True)
class BlockingArguments:
    """What made the argument of a blocked call (``count`` of ``count(1, 2)``) is not tried again
    with the same target, and an iterator without end not with any other after a few."""

    _of_target: set[tuple[str, str]] = field(default_factory=set)
    _blocked: Counter[str] = field(default_factory=Counter)

    def note(self, call: Call) -> None:
        """Notes a call that blocked the process."""
        for maker in _makers(call):
            self._of_target.add((call.target.key, maker))
            self._blocked[maker] += maker in ENDLESS

    def have(self, call: Call) -> bool:
        """Whether an argument of a call is made by what blocked others."""
        return bool(self._of_target) and any(
            (call.target.key, maker) in self._of_target or self._blocked[maker] >= MOST_BLOCKED
            for maker in _makers(call)
        )


def _makers(call: Call) -> Iterator[str]:
    for text in call.sources:
        if maker := maker_of(text):
            yield maker
