"""Moves lines without an effect on what a case shows to cases whose result they change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.shrinking.simplifying import distance
from pytest_lift.agents.offline.choosing.untangling import less, shows
from pytest_lift.agents.offline.search.kept import KeptCase, Write
from pytest_lift.calls.call import Call, as_lines
from pytest_lift.calls.prober import Prober

SECONDS = 3.0
MOST_PLACES = 8
"""Most cases to which one line is moved for a try, the plainest first."""


def with_effects(chosen: Sequence[Chosen], prober: Prober, write: Write) -> list[Chosen]:
    """Returns the cases, those with an idle line (``Table().precision(1).header(["a"]).draw()``)
    without it, where the line changes the result of another case: that with the line is a case of
    its own, and reaches what the idle line did."""
    idle = _idle(chosen, prober, write)
    drafts = [
        (number, kept, host, call)
        for number, kept, line in idle
        for host, call in _hosted(chosen, number, line)
    ]
    cases = {call: write(call) for *_, call in drafts}
    seen = prober.observe([case for case in cases.values() if case is not None], SECONDS)
    found, moved = list(chosen), set[int]()
    for number, kept, host, call in drafts:
        case = cases[call]
        observed = seen.get(case.key) if case is not None else None
        if number in moved or case is None or observed is None or not observed.usable:
            continue
        lost = found[number].gain - kept.seen.hits
        fails = observed.fails
        changed = observed.outcomes != chosen[host].kept.seen.outcomes
        if fails or not changed or not shows(observed) or not lost <= observed.hits:
            continue
        found[number] = Chosen(kept, found[number].gain & kept.seen.hits)
        found.append(Chosen(KeptCase(case, observed, call), lost))
        moved.add(number)
    return found


def _idle(
    chosen: Sequence[Chosen], prober: Prober, write: Write
) -> list[tuple[int, KeptCase, Call]]:
    """Returns (number of a case, the case without one of its lines, that line), where the case
    shows the same without it."""
    drafts = [
        (number, whole, line)
        for number, item in enumerate(chosen)
        for whole, line in less(item)
        if line is not None and line.target.owner is not None
    ]
    cases = {whole: write(whole) for _, whole, _ in drafts}
    seen = prober.observe([case for case in cases.values() if case is not None], SECONDS)
    found = []
    for number, whole, line in drafts:
        case, before = cases[whole], chosen[number].kept
        observed = seen.get(case.key) if case is not None else None
        if case is None or observed is None or observed.outcomes != before.seen.outcomes:
            continue
        case = replace(case, effect=before.case.effect, idle=before.case.idle)
        found.append((number, KeptCase(case, observed, whole, before.goals), line))
    return found


def _hosted(chosen: Sequence[Chosen], number: int, line: Call) -> Iterator[tuple[int, Call]]:
    """Yields (number of another case of the class, its call with the line before it)."""
    owner = line.target.owner
    assert owner is not None
    hosts = [
        (distance(item.kept), at, item.kept.call)
        for at, item in enumerate(chosen)
        if at != number and item.kept.call is not None and item.kept.call.target.owner == owner
    ]
    hosts.sort(key=lambda host: host[:2])
    for _, at, call in hosts[:MOST_PLACES]:
        if call.receiver is None or call.in_block or call.subject:
            continue
        if call.before:
            yield at, call.but(before=(*call.before, *as_lines(line, call.name)))
        elif line.receiver is not None:
            link = line.but(receiver=call.receiver, name="", before=(), seeds=())
            yield at, call.but(receiver=link)
