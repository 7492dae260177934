"""Functions that tell whether something holds: a test shows one input of each answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.child.outcomes import CONDITIONS


class BothAnswers:
    """The cases of functions that answer by yes in one case, and by no in another."""

    def __init__(self, kept: Iterable[KeptCase]) -> None:
        shown = [(_function(one), _answer(one)) for one in kept]
        yes, no = ({place for place, answer in shown if answer == one} for one in CONDITIONS)
        self._both = yes & no
        self._counts = Counter(shown)

    def is_one(self, kept: KeptCase) -> bool:
        """Whether a case shows one of two answers."""
        return _answer(kept) != "" and _function(kept) in self._both

    def is_only(self, kept: KeptCase) -> bool:
        """Whether a case shows one of two answers, and none that is left shows the same."""
        return self.is_one(kept) and self._counts[_function(kept), _answer(kept)] == 1

    def leave_out(self, kept: KeptCase) -> None:
        """Counts one case less."""
        self._counts[_function(kept), _answer(kept)] -= 1


def _function(kept: KeptCase) -> tuple[str, str]:
    return kept.case.path, kept.case.symbol


def _answer(kept: KeptCase) -> str:
    """Returns the yes or no, as Python writes it, that a searched case shows and nothing else."""
    outcomes = kept.seen.outcomes
    alone = kept.case.origin == "searched" and len(outcomes) == 1
    return (outcomes[0].source or "") if alone and outcomes[0].source in CONDITIONS else ""
