"""Functions that tell whether something holds: a test shows one input of each answer."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from pytest_lift.agents.offline.search.kept import KeptCase, answer_goal
from pytest_lift.agents.offline.writing.grouping import COMPARING
from pytest_lift.calls.child.outcomes import CONDITIONS, answer_key


class BothAnswers:
    """The cases of functions that answer by yes in one case, and by no in another."""

    def __init__(self, kept: Iterable[KeptCase]) -> None:
        shown = [(_function(one), answer_of(one)) for one in kept]
        yes, no = ({place for place, answer in shown if answer == one} for one in CONDITIONS)
        self._both = yes & no
        self._counts = Counter(shown)

    def is_one(self, kept: KeptCase) -> bool:
        """Whether a case shows one of two answers."""
        return answer_of(kept) != "" and _function(kept) in self._both

    def is_only(self, kept: KeptCase) -> bool:
        """Whether a case shows one of two answers, and none that is left shows the same."""
        return self.is_one(kept) and self._counts[_function(kept), answer_of(kept)] == 1

    def leave_out(self, kept: KeptCase) -> None:
        """Counts one case less."""
        self._counts[_function(kept), answer_of(kept)] -= 1


def other_answers(shown: Iterable[KeptCase], known: Iterable[KeptCase]) -> Iterator[KeptCase]:
    """Yields the plainest known case of the answer that is lacking of each function of which one of
    two is shown; of an operator, which is there for what it gives, only a yes where it compares."""
    told: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in shown:
        told[_function(one)].add(answer_of(one))
    lacking = {place: found for place, found in told.items() if len(found - {""}) == 1}
    found: dict[tuple[str, str], KeptCase] = {}
    for one in sorted(known, key=lambda one: one.case.cost):
        place, answer = _function(one), answer_of(one)
        other = answer and answer not in lacking.get(place, (answer,))
        name = place[1].rpartition(".")[2]
        if other and (not name.startswith("__") or (name in COMPARING and answer == "True")):
            found.setdefault(place, one)
    yield from found.values()


def for_its_answer(kept: KeptCase) -> KeptCase:
    """Returns a case with the answer that it shows as one of its goals."""
    goal = answer_key(answer_goal(*_function(kept)), answer_of(kept))
    return replace(kept, goals=kept.goals | {goal})


def _function(kept: KeptCase) -> tuple[str, str]:
    return kept.case.path, kept.case.symbol


def answer_of(kept: KeptCase) -> str:
    """Returns the yes or no, as Python writes it, that a searched case shows and nothing else; ""
    for another case."""
    outcomes = kept.seen.outcomes
    alone = kept.case.origin == "searched" and len(outcomes) == 1
    return (outcomes[0].source or "") if alone and outcomes[0].source in CONDITIONS else ""
