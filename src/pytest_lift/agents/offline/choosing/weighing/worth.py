"""Leaves out cases that reach too little for how far they are from what a person writes, or for
arguments that do not fit."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

from pytest_lift.agents.offline.choosing.conditions import BothAnswers
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.search.kept import KeptCase

DUE = (1.0, 2.0, 4.0, 8.0, 12.0, 16.0)
"""Distances from what a person writes, from each of which on a case has to reach one more branch
that no other case reaches."""
ENTRIES = frozenset({"enter", "except"})
"""Kinds of probes that count like branches: in a function or handler that only one case enters."""
MOST_LOST, MOST_LOST_UNFIT, MOST_LOST_FAR = 0.005, 0.015, 0.02
"""Shares of the branches reached that may go with such cases, with those whose arguments do not
fit, and with those that are far from what a person writes: nobody reads these to the end."""
UNFIT, DOUBTFUL, GUESSED = 3, 2, 1
"""Branches that a case has to reach alone where an argument does not fit, or nothing tells of two
that they do; where one hardly fits; and where nothing tells of one."""
MANY_EDITS = 3.0
"""Edits of a known text from which on a text is as doubtful as what hardly fits."""
FAR = 8.0
"""Distance from which a case is that far."""
LINE = 0.5
"""Distance that each line of a story after its first may take."""


def worthwhile(
    chosen: Sequence[Chosen],
    distance: Callable[[KeptCase], float],
    branches: AbstractSet[int],
    tested: AbstractSet[int] = frozenset(),
    unfit: Callable[[KeptCase], int] = lambda _: 0,
) -> list[Chosen]:
    """Returns the cases without those that nobody would write for the few branches that they alone
    reach, as long as little is lost; the worst goes first, since the others then reach more alone.

    `branches` are the probes that count, those `tested` have tests already. Being the only case of
    a function, showing what an option does, and alone reaching an error that the program raises,
    counts like a branch each; but not where arguments do not fit: then nothing counts but the
    branches, of which there have to be as many as `unfit` gives. The only yes of a function beside
    a no, and the only no beside a yes, counts in any case.
    """
    due = {
        number: _due(item.kept, distance)
        for number, item in enumerate(chosen)
        if item.kept.case.origin == "searched"
    }
    owed = {number: unfit(chosen[number].kept) for number in due}
    allowed = {
        number: MOST_LOST_FAR
        if distance(chosen[number].kept) >= FAR
        else MOST_LOST_UNFIT
        if owed[number]
        else MOST_LOST
        for number in due
    }
    hits = [item.kept.seen.hits & branches - tested for item in chosen]
    reached = Counter(number for own in hits for number in own)
    whole = len(reached) + len(tested & branches)
    spare = {share: share * whole for share in (MOST_LOST, MOST_LOST_UNFIT, MOST_LOST_FAR)}
    functions = Counter(item.function for item in chosen)
    answers = BothAnswers(item.kept for item in chosen)

    def alone_in(number: int) -> int:
        return sum(reached[probe] == 1 for probe in hits[number])

    def rank(number: int) -> tuple[int, float, int]:
        """Returns what a case lacks, below zero so that the worst is the least."""
        item, alone = chosen[number], alone_in(number)
        alone += answers.is_only(item.kept)
        only, shows = functions[item.function] == 1, bool(item.kept.case.effect)
        refuses = alone > 0 and _refuses(item.kept)
        lacks = alone + only + shows + refuses - due[number]
        lacks = min(lacks, alone - owed[number]) if owed[number] else lacks
        return lacks, -distance(item.kept), number

    # What a case lacks only gets less: the worst of those ranked earlier is the worst of all.
    waiting = [rank(number) for number in due]
    heapq.heapify(waiting)
    left_out: set[int] = set()
    while waiting and waiting[0][0] < 0:
        *_, number = heapq.heappop(waiting)
        now = rank(number)
        if waiting and waiting[0] < now:
            heapq.heappush(waiting, now)
        elif now[0] < 0 and (lost := alone_in(number)) <= spare[allowed[number]]:
            spare[allowed[number]] -= lost
            left_out.add(number)
            reached.subtract(hits[number])
            functions[chosen[number].function] -= 1
            answers.leave_out(chosen[number].kept)
    return [item for number, item in enumerate(chosen) if number not in left_out]


def _due(kept: KeptCase, distance: Callable[[KeptCase], float]) -> int:
    """Returns how many branches a case has to reach alone; one is enough for a single call, which
    may be a row of a table."""
    lines = kept.case.source.count("\n")
    due = sum(distance(kept) - LINE * lines >= least for least in DUE)
    return due if lines else min(due, 1)


def _refuses(kept: KeptCase) -> bool:
    """Whether a case ends in an error that the program itself raises."""
    return any(one.raised is not None and one.raised.explicit for one in kept.seen.outcomes)


def branches_owed(kept: KeptCase, natural: Naturalness) -> int:
    """Returns how many branches a searched case has to reach alone for what is known of its
    arguments, for a builtin in the place of the user's function, and for a text in which several
    things are changed; none where the program says that it refuses arguments."""
    call = kept.call
    if call is None or natural.is_refused(call, kept.seen):
        return 0
    wrong, guessed = natural.misfit(call), natural.guesses(call)
    edits = natural.edited.most_edits(call)
    if wrong >= 1 or guessed > 1:
        return UNFIT
    if wrong or natural.hands_on_others(call) or edits >= MANY_EDITS:
        return DOUBTFUL
    return GUESSED if guessed else 0
