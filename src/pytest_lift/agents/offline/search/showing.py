"""What tests show beside branches: that each function of the program's offer returns something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Set
from dataclasses import dataclass, field

from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.agents.offline.search.kept import HEARD, KeptCase, answer_goal
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.child.outcomes import EMPTY, answer_key
from pytest_lift.calls.targets.target import Target

MOST_ANSWERED = 3
"""Most calls of one target that are kept because they return something."""
SHOWN_BESIDE = ("property", "constructor", "main", "command")
"""Kinds of targets that need no test of their own: tests of others make and read them."""
HEARD_KINDS = ("function", "method", "static")
"""Kinds of targets that are worth a test for what callbacks get."""
REPRESENTATION = "__repr__"
"""Method whose result any change of wording breaks: it is called for what it reaches alone."""
Place = tuple[str, str]


@dataclass
class Showing:
    """The goals of a search that are no branches, and those that are reached."""

    wanted: bool
    """Whether anything but branches is a goal."""
    shown: set[str]
    """Goals that tests show already."""
    tested: Set[Place]
    """(path, symbol) of what the suite calls: it needs no test that only shows a result."""
    defined: Set[Place]
    """(path, symbol) of what the program defines; all else is inherited."""
    offer: Offer
    answered: Counter[str] = field(default_factory=Counter)
    """`answer_key` of ``path:symbol`` -> number of calls that were told since they return
    something."""
    _goals: Counter[str] = field(default_factory=Counter)

    @property
    def done(self) -> set[str]:
        """Symbols that have answered often enough, or often enough by yes or by no."""
        return {symbol for symbol, count in self.answered.items() if count >= MOST_ANSWERED}

    def is_internal(self, target: Target) -> bool:
        """Whether the program does not offer a target: it is called for what it reaches alone."""
        return not target.entry and self.offer.is_internal(target.path, target.symbol)

    def answer_of(self, call: Call, seen: Observation) -> frozenset[str]:
        """Returns the goal that a call shows by returning something, few times for each target,
        a yes and a no apart; what is only read is shown by other tests."""
        target, symbol = call.target, f"{call.target.path}:{call.target.symbol}"
        if not self._may_show(target):
            self.answered[symbol] = MOST_ANSWERED  # else each batch tells of some, in vain
            return frozenset()
        if seen.rejected or seen.fails:
            return frozenset()
        inherited = (target.path, target.symbol) not in self.defined
        whole = answer_goal(target.path, f"*.{target.leaf}" if inherited else target.symbol)
        source = seen.outcomes[-1].source
        goal = answer_key(whole, source)
        self.answered[answer_key(symbol, source)] += 1
        known = whole in self.shown or self._goals[goal] >= MOST_ANSWERED
        # what was written by the end may be the work of the calls before it
        wrote = bool(call.before) and target.kind != "statement"
        if known or not seen.outcomes[0 if wrote else -1].telling:
            return frozenset()
        self._goals[goal] += 1
        return frozenset({goal})

    def heard(self, call: Call, case: Case, seen: Observation) -> frozenset[str]:
        """Returns the goals that a call, and those before it, show by what callbacks got, or by the
        seconds that were waited."""
        if seen.rejected or not (self.wanted and case.steps[-1].aside):
            return frozenset()
        raised = seen.fails
        if raised or not seen.outcomes[-1].telling or seen.outcomes[-1].source in EMPTY:
            return frozenset()
        shown = [part.target for part in call.chain if part.target.kind in HEARD_KINDS]
        goals = {self._heard_goal(one) for one in shown if not self.is_internal(one)}
        new = {goal for goal in goals - self.shown if self._goals[goal] < MOST_ANSWERED}
        self._goals.update(new)
        return frozenset(new)

    def is_heard(self, target: Target) -> bool:
        """Whether a test shows a target by what a callback gets."""
        goal = self._heard_goal(target)
        return goal in self.shown or self._goals[goal] > 0

    def _heard_goal(self, target: Target) -> str:
        """Returns the goal that a target shows by what callbacks get; one for all classes that
        inherit a method."""
        inherited = (target.path, target.symbol) not in self.defined
        return f"{HEARD} {target.path}:{f'*.{target.leaf}' if inherited else target.symbol}"

    def _may_show(self, target: Target) -> bool:
        """Whether that a target returns something may be worth a test."""
        place = (target.path, target.symbol)
        beside = target.kind in SHOWN_BESIDE or target.leaf == REPRESENTATION
        tested = place in self.tested or (place not in self.defined and bool(self.tested))
        return self.wanted and not (beside or tested or self.is_internal(target))

    def reset(self, kept: Iterable[KeptCase]) -> None:
        """Leaves the goals of these cases alone reached."""
        self._goals = Counter(goal for one in kept for goal in one.goals)
