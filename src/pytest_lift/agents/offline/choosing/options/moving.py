"""Moves options to inputs on which they make a difference, and reach what they are needed for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from pytest_lift.agents.offline.choosing.options.asked import OptionAnswers
from pytest_lift.agents.offline.choosing.options.elsewhere import Elsewhere
from pytest_lift.agents.offline.choosing.shrinking.simplifying import distance
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.options.effects import (
    Measurement,
    failing_cost,
    is_shown,
    setting,
)
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation

MOST_PAIRS = 2000
"""Most pairs of calls without and with an option, over all options."""
MOST_CHECKED = 3
"""Most calls that are checked to give the same once more, for each option."""
DRAFTING = 0.5
"""Part of the time of a step in which the calls are written."""
FAR = 0.02
"""Cost of each pair that is nearer to the call in which the option changes nothing."""
WHOLE = 1.0
"""Weight of a branch, or of another probe that counts as much."""

Weigh = Callable[[int], float]


@dataclass(frozen=True)
class Wanted:
    """An option that changes nothing in a call, and the probes that only it reaches."""

    number: int
    call: Call
    name: str
    lost: frozenset[int]


@dataclass(frozen=True)
class _Draft:
    """Calls without and with an option, as cases."""

    pair: Measurement
    plain: Case
    case: Case


@dataclass(frozen=True)
class Moving:
    """Looks for other inputs, in steps that each take so many seconds, until a moment."""

    search: ProgramSearch
    weigh: Weigh
    asked: OptionAnswers
    seconds: float
    until: float

    def elsewhere(self, idle: Sequence[Wanted]) -> tuple[dict[int, KeptCase], set[int]]:
        """Returns number of what is wanted -> another call with the option, in which that makes a
        difference and reaches what it alone reached; and the numbers of those for which there was
        the time to try all inputs, and none is such."""
        drafting = time.monotonic() + DRAFTING * self._left()
        drafts = {
            one.number: self._drafts(one, MOST_PAIRS // len(idle))
            for one in idle
            if time.monotonic() < drafting
        }
        in_turn = (one for some in zip_longest(*drafts.values()) for one in some if one)
        cases = {case.key: case for one in in_turn for case in (one.plain, one.case)}
        until, seen = time.monotonic() + self._left(), self.asked.pairs
        new = [case for key, case in cases.items() if key not in seen]
        seen |= self.search.prober.observe(new, self._left(), hurry=True)
        in_time = time.monotonic() < until
        best = {
            one.number: self._best(one, drafts[one.number], seen)
            for one in idle
            if one.number in drafts
        }
        tried = {number for number, found in best.items() if in_time and not found}
        waiting = [kept.case for found in best.values() for kept in found]
        again = self.search.prober.observe(waiting, self._left(), checked=True)
        moved: dict[int, KeptCase] = {}
        for number, found in best.items():
            for kept in found:
                if (checked := again.get(kept.case.key)) is not None and checked.usable:
                    moved.setdefault(number, replace(kept, seen=checked))
        return moved, tried

    def _left(self) -> float:
        return min(self.seconds, self.until - time.monotonic())

    def _drafts(self, one: Wanted, most: int) -> list[_Draft]:
        """Returns calls without and with the option, the nearest ones first."""
        found = []
        for pair in Elsewhere(self.search).pairs(one.call, one.name)[:most]:
            plain, case = map(self.search.drafts.unpriced, pair)
            if plain is not None and case is not None and self.search.natural.fits(pair[1]):
                found.append(_Draft(pair, plain, case))
        return found

    def _best(
        self, one: Wanted, drafts: Sequence[_Draft], seen: Mapping[str, Observation]
    ) -> list[KeptCase]:
        """Returns the plainest calls in which the option is shown and reaches what is wanted."""
        found: list[tuple[float, int, KeptCase]] = []
        for number, draft in enumerate(drafts):
            old, new = seen.get(draft.plain.key), seen.get(draft.case.key)
            if old is None or new is None or not is_shown(draft.pair, old, new):
                continue
            shown = setting(call := draft.pair[1], one.name)
            if self.asked.told.equal(old, new, [shown.removeprefix(f"{one.name}=")]):
                continue
            if sum(map(self.weigh, one.lost - new.hits)) < WHOLE:
                case = replace(self.search.drafts.priced(call, draft.case), effect=shown)
                kept = KeptCase(case, new, call)
                cost = distance(kept) + failing_cost(old, new) + FAR * number
                found.append((cost, number, kept))
        return [kept for *_, kept in sorted(found, key=lambda row: row[:2])[:MOST_CHECKED]]
