"""Tries plain texts and simpler calls once more for what only others have reached."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice

from pytest_lift.agents.offline.choosing.options.succeeding import succeeding
from pytest_lift.agents.offline.choosing.shrinking.simpler import simpler
from pytest_lift.agents.offline.choosing.shrinking.simplifying import distance
from pytest_lift.agents.offline.natural.fitting.near_misses import near_misses
from pytest_lift.agents.offline.natural.fitting.wrong_values import misfits
from pytest_lift.agents.offline.natural.oddness import oddness
from pytest_lift.agents.offline.natural.replacing import Replacing
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.agents.offline.texts.known_texts import text_of, written_like
from pytest_lift.calls.call import Call
from pytest_lift.calls.cost import cost_of

MOST_INSTEAD, MOST_BROKEN = 60, 1500
"""Calls in the place of one that nobody types, and known texts with one thing less."""
MOST_SUCCEEDING, MOST_WRONG, MOST_NEAR = 600, 600, 600
"""Calls that succeed with the arguments of ones that fail, with an argument of a wrong kind, and
with a text that is nearly right."""
NEAR_OF_EACH = 12
"""Texts that are nearly right, of each argument."""
FAR = 1.5
"""Distance from what a person writes from which simpler calls are tried in the place of a call."""
MOST_TURNS, MOST_SIMPLER, MOST_AT_ONCE = 8, 12, 600
"""How often that is done for what is far then, how many simpler calls each has in a turn, and all
have: many more run here than where each is observed."""
LINE = 0.5
"""Weight of a call before another one."""


def retry_in_plain_words(search: ProgramSearch) -> None:
    """Tries plain texts and simpler calls once more as if texts that nobody types, calls that are
    far from what a person writes, those of what is not offered, and those that fail had found
    nothing: where they reach the same, tests may have them instead."""
    plain = search.plain
    calls = {one.case.key: one.call for one in search.kept if one.call is not None}
    noisy = {key: call for key, call in calls.items() if plain.is_noisy(call)}
    hidden = {key for key, call in calls.items() if search.ways.is_hidden(call)}
    internal = search.showing.is_internal
    own = (one for one in search.own if one.owner is not None or not internal(one))
    offered = search.offered_first(own)
    odd = {*noisy, *hidden} if noisy or search.inputs.read else set()
    if odd:
        others = (islice(plain.others(call), MOST_INSTEAD) for call in noisy.values())
        _explore_without(search, odd, [*search.maker.reading(offered), *chain(*others)])
    _look_at_errors(search)
    begun: dict[str, Iterator[Call]] = {}
    may_replace = Replacing(search.natural).may_replace
    for _ in range(MOST_TURNS):
        far = sorted(filter(_is_far, search.kept), key=distance, reverse=True)
        simpler_ones = _simpler(far, begun, may_replace)
        if not simpler_ones or time.monotonic() > search.deadline:
            break
        _explore_without(search, {one.case.key for one in far}, simpler_ones)
    if odd:
        readers = search.maker.reading(offered, most_readers=1, few=0)
        _explore_without(search, odd, list(islice(plain.broken(readers), MOST_BROKEN)))


def _look_at_errors(search: ProgramSearch) -> None:
    """Tries, as if calls that fail had reached nothing, what only these have on calls that succeed,
    and plain values of a wrong kind, and texts that are nearly right."""
    failing = {one.case.key for one in search.kept if one.seen.fails}
    others_ending = succeeding(search.kept, search.anchors.of)
    _explore_without(search, failing, [*islice(others_ending, MOST_SUCCEEDING)])
    fitting: dict[str, Call] = {}
    for one in sorted(search.kept, key=distance):
        if one.call is not None and not one.seen.fails:
            fitting.setdefault(one.call.target.key, one.call)
    wrong = chain.from_iterable(misfits(one, search.natural.fitness) for one in fitting.values())
    _explore_without(search, failing, [*islice(wrong, MOST_WRONG)], wrong=True)
    near = chain.from_iterable(map(_nearly, fitting.values()))
    _explore_without(search, failing, [*islice(near, MOST_NEAR)])


def _nearly(call: Call) -> Iterator[Call]:
    """Yields a call that succeeds with a text near one of its arguments in the place of that."""
    for name, value in call.values:
        for text in islice(near_misses(text_of(value)), NEAR_OF_EACH):
            yield call.with_value(name, written_like(value, text))


def _explore_without(
    search: ProgramSearch, odd: set[str], calls: Sequence[Call], *, wrong: bool = False
) -> None:
    """Runs calls as if the cases with these keys had reached nothing."""
    covered = search.covered
    others = (one.seen.hits for one in search.kept if one.case.key not in odd)
    search.covered = search.begun_with.union(*others)
    search.explore_again(calls, wrong=wrong)
    search.covered |= covered


def _is_far(one: KeptCase) -> bool:
    return one.call is not None and not one.call.target.entry and distance(one) >= FAR


def _simpler(
    kept: Sequence[KeptCase],
    begun: dict[str, Iterator[Call]],
    may_replace: Callable[[Call, Call], bool],
) -> list[Call]:
    """Returns the next simpler calls of all cases, the plainest first: what they reach needs no
    other. `begun` has those that are left of the cases which had a turn, by their keys."""
    found: dict[Call, float] = {}
    for one in kept:
        if one.call is not None and len(found) < MOST_AT_ONCE:
            if one.case.key not in begun:
                begun[one.case.key] = simpler(one.call)
            before = _weight(one.call)
            for call in islice(begun[one.case.key], MOST_SIMPLER):
                if (weight := _weight(call)) < before and may_replace(one.call, call):
                    found[call] = weight
    return sorted(found, key=found.__getitem__)


def _weight(call: Call) -> float:
    """Returns how much there is to read in the arguments of a call, of those before it included."""
    given = (value for part in call.chain for value in (*part.extra, *dict(part.values).values()))
    return LINE * len(call.before) + sum(cost_of(value) + oddness(value) for value in given)
