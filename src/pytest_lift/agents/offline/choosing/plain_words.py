"""Tries plain texts for what only made-up texts, or calls of what is not offered, have reached."""

from __future__ import annotations

from itertools import islice

from pytest_lift.agents.offline.search.search import ProgramSearch

MOST_INSTEAD, MOST_BROKEN = 30, 1500
"""Calls in the place of one that nobody types, and known texts with one thing less."""


def retry_in_plain_words(search: ProgramSearch) -> None:
    """Tries plain texts once more as if texts that nobody types, and calls of what is not offered,
    had found nothing: where they reach the same, tests may have them instead."""
    plain = search.plain
    calls = {one.case.key: one.call for one in search.kept if one.call is not None}
    noisy = {key: call for key, call in calls.items() if plain.is_noisy(call)}
    hidden = {key for key, call in calls.items() if search.ways.is_hidden(call)}
    if not noisy and not (hidden and search.inputs.read):
        return
    covered = search.covered
    odd = {*noisy, *hidden}
    others = (one.seen.hits for one in search.kept if one.case.key not in odd)
    search.covered = search.begun_with.union(*others)
    internal = search.showing.is_internal
    own = (one for one in search.own if one.owner is not None or not internal(one))
    offered = search.offered_first(own)
    tried = list(search.maker.reading(offered))
    tried += (one for call in noisy.values() for one in islice(plain.others(call), MOST_INSTEAD))
    readers = search.maker.reading(offered, most_readers=1, few=0)
    tried += islice(plain.broken(readers), MOST_BROKEN)
    search.explore_again(tried)
    search.covered |= covered
