"""Cases worth a test, the goals that they show, and what the search has learnt of each target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pytest_lift.agents.offline.search.reach import Function
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.child.outcomes import CONDITIONS

Write = Callable[[Call], Case | None]
"""Returns a call as a case; None where it cannot be written."""
BELIEVED = 10
"""Tries of a target that count as new ones, before it is known how often it only repeats itself."""


@dataclass(frozen=True)
class KeptCase:
    """Case worth a test, its observation, and the call that made it (None for documentation)."""

    case: Case
    seen: Observation
    call: Call | None = None
    goals: frozenset[str] = frozenset()
    """Options that it shows, as ``option <target> <parameter>``, and what it shows by its result,
    as of `answer_goal`."""

    def is_answered_by(self, seen: Observation) -> bool:
        """Whether another observation has the yes or no which is a goal of the case, if one is."""
        wanted = {goal.rpartition(" ")[2] for goal in self.goals}.intersection(CONDITIONS)
        return not wanted or (bool(seen.outcomes) and seen.outcomes[-1].source in wanted)


@dataclass
class Progress:
    """Statistics of the calls of one target."""

    tries: int = 0
    repeats: int = 0
    """Tries that were written before."""
    hangs: int = 0
    """Calls that crashed the child or hung."""
    found: int = 0
    calls: list[Call] = field(default_factory=list)
    functions: set[Function] = field(default_factory=set)

    @property
    def novelty(self) -> float:
        """The share of the tries that were not written before."""
        return 1 - self.repeats / (self.tries + BELIEVED)


HEARD = "heard"
"""First word of the goals that are shown by what callbacks get, or by the seconds of waits."""


def answer_goal(path: str, symbol: str) -> str:
    """Returns the goal that a call of a function shows by returning something."""
    return f"answer {path}:{symbol}"
