"""Compares what comes out of calls, without what says nothing of their options."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from pytest_lift.calls.case import Observation, Outcome


@dataclass
class ToldOutcomes:
    """What is told by the attributes of results: not those that differ from one run to the next,
    and not those that are what a call was given."""

    unsteady: set[tuple[str, str]] = field(default_factory=set)
    """(type, attribute) of what equal calls differ in."""

    def note(self, seen: Observation, again: Observation) -> None:
        """Notes what differs in two runs of one case."""
        for one, other in zip(seen.outcomes, again.outcomes, strict=False):
            if one.type == other.type:
                differing = {*one.attributes} ^ {*other.attributes}
                self.unsteady |= {(one.type, name) for name, _ in differing}

    def equal(self, one: Observation, other: Observation, given: Collection[str]) -> bool:
        """Whether two calls tell the same, apart from attributes that are what one was `given`."""
        if len(one.outcomes) != len(other.outcomes):
            return False
        pairs = zip(one.outcomes, other.outcomes, strict=True)
        return all(self._agree(first, second, given) for first, second in pairs)

    def _agree(self, one: Outcome, other: Outcome, given: Collection[str]) -> bool:
        both = [(kind.type, *pair) for kind in (one, other) for pair in kind.attributes]
        read = {(kind, name) for kind, name, value in both if value in given}
        return self._without(one, read) == self._without(other, read)

    def _without(self, outcome: Outcome, read: set[tuple[str, str]]) -> Outcome:
        left_out = self.unsteady | read
        kept = tuple(pair for pair in outcome.attributes if (outcome.type, pair[0]) not in left_out)
        return replace(outcome, attributes=kept)
