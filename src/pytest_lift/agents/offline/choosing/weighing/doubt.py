"""Leaves out doubtful cases, those that reach fewest branches first, where they are too many."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.choosing.conditions import BothAnswers
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.shrinking.simplifying import distance
from pytest_lift.agents.offline.choosing.weighing.plain_literals import (
    is_shortened,
    is_typed_like,
)
from pytest_lift.agents.offline.choosing.weighing.worth import GUESSED, branches_owed
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.oddness import oddness
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.writing.oracles.checks import Verified
from pytest_lift.calls.case import Case
from pytest_lift.calls.cost import CHARACTERS
from pytest_lift.calls.targets.target import Target

DOUBTFUL = 1.5
"""Distance from what a person writes, from which a reader keeps one test of seven; below it is
every second."""
ODD = 1.15
"""The same of the arguments that are typed, whatever comes out and whatever it takes to get there:
names of variables, classes and methods cost nothing."""
OF_LOOP, OF_BLOCK = 2.0, 0.5
"""Distance that the lines around a story add which needs an event loop, or enters its object."""
LONG = 4
"""Calls of a searched story that hardly any reader follows to its end."""
MOST_DOUBTFUL = 0.25
"""Share of doubtful cases that a suite may have, whatever they reach."""
MOST_LOST = 0.015
"""Share of the counted probes reached that may go with further ones: the first few go for next to
nothing, each of those after them for more."""
ADDED = 3
"""Probes that a doubtful case has to reach alone, to be added to a suite."""


def is_doubtful(
    kept: KeptCase,
    distance: Callable[[KeptCase], float],
    owed: Callable[[KeptCase], int],
    least: float = DOUBTFUL,
) -> bool:
    """Whether a searched case is unlike what a person writes: its values, its arguments that fit
    nothing that is known, or its length. Command lines and documented programs are not: what is
    typed there is words, whatever they cost."""
    call, case = kept.call, kept.case
    if case.origin != "searched" or (call and (call.target.entry or call.target.defined)):
        return False
    calls = len(call.chain if call is not None else case.source.splitlines())
    around = OF_LOOP if case.looped else OF_BLOCK if call is not None and call.entered else 0.0
    return calls >= LONG or distance(kept) >= least + around or owed(kept) > 0


@dataclass(frozen=True)
class DoubtfulCases:
    """Judges searched cases by what is known of the parameters of their calls."""

    natural: Naturalness

    def among(self, kept: Sequence[KeptCase], *, again: bool) -> set[str]:
        """Returns the keys of doubtful cases. What is added to a suite `again` mostly says little,
        since what says more is there: only what is typed decides then."""
        doubted = self.of_values if again else self.of_case
        return {one.case.key for one in kept if doubted(one)}

    def of_case(self, kept: KeptCase) -> bool:
        """Whether a case, with what comes out, is unlike what a person writes."""
        return is_doubtful(kept, lambda one: distance(one) - self._refused(one), self._owed)

    def of_values(self, kept: KeptCase) -> bool:
        """Whether a person would not type a case, whatever comes out; texts that are known to be
        right, or wrong, in the format of a parameter are typed, however strange they are."""
        return not (self._is_shown(kept) or self._is_simple(kept)) and is_doubtful(
            kept, lambda one: self._typed(one) - self._refused(one), self._owed, ODD
        )

    def marked(self, kept: Sequence[KeptCase], more: AbstractSet[str] = frozenset()) -> list[Case]:
        """Returns cases, with a mark on those that a person would not type, and on those with one
        of the keys of `more`."""
        odd = {one.case.key for one in kept if self.of_values(one)} | more
        return [replace(one.case, doubtful=one.case.key in odd) for one in kept]

    def _typed(self, kept: KeptCase) -> float:
        """Returns how far the arguments of a case are from what a person types, without the cost of
        what stands around them."""
        chain = kept.call.chain if kept.call is not None else ()
        values = [value for one in chain for value in (*one.given.values(), *one.extra)]
        around = len(kept.case.source) - sum(map(len, values))
        odd = sum(oddness(step.source) for step in kept.case.steps)
        return kept.case.cost + odd - around / CHARACTERS

    def _is_shown(self, kept: KeptCase) -> bool:
        """Whether a case is one call, with arguments that the documentation or a format has."""
        call = kept.call
        if call is None or call.receiver is not None or call.extra or not call.values:
            return False
        return all(value in self._known(call.target, name) for name, value in call.values)

    def _is_simple(self, kept: KeptCase) -> bool:
        """Whether a case is one call with literals that anybody types, or with what is known of its
        parameters: it is taken, and nothing tells against it, or a known text that is cut short is
        refused."""
        call = kept.call
        if call is None or call.receiver is not None or call.extra or not call.values:
            return False
        raised = [one.raised for one in kept.seen.outcomes if one.raised is not None]
        if not all(one.explicit for one in raised) or self._owed(kept) > GUESSED:
            return False
        known = (self._known(call.target, name) for name, _ in call.values)
        return all(
            is_shortened(value, pool) if raised else is_typed_like(value, pool)
            for (_, value), pool in zip(call.values, known, strict=True)
        )

    def _known(self, target: Target, name: str) -> list[str]:
        """Returns the arguments that the documentation, or the format that is read, has for a
        parameter."""
        inputs = self.natural.inputs
        pools = (pool.get((target.key, name), ()) for pool in (inputs.documented, inputs.read))
        return [value for pool in pools for value in pool]

    def _owed(self, kept: KeptCase) -> int:
        return branches_owed(kept, self.natural)

    def _refused(self, kept: KeptCase) -> float:
        """Returns what an argument costs that does not fit, where the program says that it refuses
        it: this is what the test shows."""
        call = kept.call
        if call is None or not self.natural.is_refused(call, kept.seen):
            return 0.0
        return self.natural.misfit(call)


def with_few_doubtful(
    chosen: Sequence[Chosen],
    doubtful: AbstractSet[str],
    counted: AbstractSet[int],
    tested: AbstractSet[int] = frozenset(),
    *,
    again: bool = False,
) -> list[Chosen]:
    """Returns the cases without those `doubtful` (by `Case.key`) that alone reach nothing and show
    no answer, then without those that reach least, until they are few enough or as much is lost as
    may be.

    `counted` are the probes that count; those `tested` have tests already. A suite that is added to
    `again` gets none that does not add enough, however few they are.
    """
    hits = [item.kept.seen.hits & counted - tested for item in chosen]
    reached = Counter(number for own in hits for number in own)
    spare = MOST_LOST * (len(reached) + len(tested & counted))

    answers = BothAnswers(item.kept for item in chosen)

    def alone(number: int) -> int:
        only = answers.is_only(chosen[number].kept)
        return sum(reached[probe] == 1 for probe in hits[number]) + only

    odd = {n for n, item in enumerate(chosen) if item.kept.case.key in doubtful}
    # What a case reaches alone only gets more: the least of those ranked earlier is the least.
    waiting = [(alone(number), number) for number in odd]
    heapq.heapify(waiting)
    left_out: set[int] = set()
    while waiting:
        _, number = heapq.heappop(waiting)
        lost = alone(number)
        if waiting and waiting[0] < (lost, number):
            heapq.heappush(waiting, (lost, number))
            continue
        few = len(odd) <= MOST_DOUBTFUL * (len(chosen) - len(left_out))
        if lost > spare or (lost >= ADDED if again else few and lost > 0):
            break
        spare -= lost
        left_out.add(number)
        odd.remove(number)
        answers.leave_out(chosen[number].kept)
        reached.subtract(hits[number])
    return [item for number, item in enumerate(chosen) if number not in left_out]


def still_adding(
    items: Sequence[Verified],
    counted: AbstractSet[int],
    tested: AbstractSet[int],
    stays: Callable[[Verified], bool],
    beside: Sequence[Verified] = (),
    *,
    again: bool = False,
) -> list[Verified]:
    """Returns the cases, as they are told after all that was taken from them, without doubtful ones
    that alone reach none of the `counted` probes that are not `tested`; of a suite that is added to
    `again`, without any that reaches nothing new.

    Those `beside` reach something, too. What `stays` does whatever it reaches.
    """
    new = {n: item.hits - tested for n, item in enumerate(items)}
    reached = Counter(hit for own in new.values() for hit in own)
    reached.update(hit for item in beside for hit in item.hits)
    found = dict(enumerate(items))
    order = sorted(found, key=lambda n: (not items[n].case.doubtful, -items[n].case.cost))
    for number in order:
        item = items[number]
        own = new[number] & counted if item.case.doubtful else new[number]
        asked = item.case.doubtful or again
        if asked and not stays(item) and all(reached[hit] > 1 for hit in own):
            reached.subtract(new[number])
            del found[number]
    return [*found.values()]
