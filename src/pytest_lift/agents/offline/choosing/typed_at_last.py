"""Gives cases, when they are chosen, the values that a person types where these reach the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from pytest_lift.agents.offline.choosing.options.removing import without_options
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.shrinking.simplifying import distance, naturalness_cost
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.natural.replacing import Replacing
from pytest_lift.agents.offline.search.kept import KeptCase, Write
from pytest_lift.agents.offline.search.options.effects import setting
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.prober import Prober

SECONDS = 2.0
MOST_TURNS, MOST_TRIED, MOST_WRITTEN = 2, 10, 30
"""How often values of a case are replaced, most calls that are tried in its place, and most that
are written to see which are plainer."""
PLAINER = 0.1
"""Least by which a case has to become plainer."""


def typed_at_last(
    chosen: Sequence[Chosen],
    prober: Prober,
    write: Write,
    proposals: Proposals,
) -> list[Chosen]:
    """Returns the cases, those that options or other lines were put into since they were made
    simpler once more as a person types them: as long as they reach all that they are for, and end
    alike."""
    found = list(chosen)
    waiting = {number for number, item in enumerate(found) if may_change(item, write)}
    for _ in range(MOST_TURNS):
        tried = {number: _others(found[number], write, proposals) for number in sorted(waiting)}
        pairs = [pair for several in tried.values() for pair in several]
        cases = {one.case.key: one.case for one, _ in pairs}
        cases |= {plain.key: plain for _, plain in pairs if plain is not None}
        seen = prober.observe(list(cases.values()), SECONDS, checked=True)
        waiting = set()
        for number, several in tried.items():
            same = [
                new
                for one, plain in several
                if one.case.key in seen
                for new in [replace(one, seen=seen[one.case.key])]
                if _shows_as_much(found[number], new, seen.get(plain.key) if plain else None)
            ]
            if same:
                best = min(same, key=distance)
                found[number] = replace(found[number], kept=best)
                waiting.add(number)
    return found


def may_change(item: Chosen, write: Write) -> bool:
    """Whether a case is what its call says: nothing else was put into it."""
    call, case = item.kept.call, item.kept.case
    if call is None or call.target.kind == "main" or case.origin != "searched":
        return False
    written = write(call)
    return written is not None and replace(written, effect=case.effect).key == case.key


def _others(item: Chosen, write: Write, proposals: Proposals) -> list[tuple[KeptCase, Case | None]]:
    """Returns the case with other values, where it may then be plainer, each with the one without
    the option that it is to show."""
    call, old = item.kept.call, item.kept.case
    assert call is not None
    option = old.effect.partition("=")[0]
    may_replace = Replacing(proposals.natural).may_replace
    most = distance(item.kept) - PLAINER
    others = (one for one in proposals.mended(call) if may_replace(call, one))
    found: list[tuple[KeptCase, Case | None]] = []
    for one in islice(others, MOST_WRITTEN):
        if len(found) == MOST_TRIED:
            break
        case = write(one)
        if case is None or naturalness_cost(case) >= most or case.keywords != old.keywords:
            continue
        plain = write(without_options(one, [option])) if option else None
        effect = setting(one, option) if option else ""
        if plain is not None or not option:
            found.append((replace(item.kept, case=replace(case, effect=effect), call=one), plain))
    return found


def _shows_as_much(old: Chosen, new: KeptCase, plain: Observation | None) -> bool:
    """Whether a case is plainer than another one, reaches all that this is for, and ends with the
    same errors; where it is to show an option, it ends otherwise without that."""
    seen, before = new.seen, old.kept.seen
    if not (seen.usable and old.gain <= seen.hits and old.kept.is_answered_by(seen)):
        return False
    if distance(new) > distance(old.kept) - PLAINER:
        return False
    if new.case.effect and (plain is None or plain.outcomes == seen.outcomes):
        return False
    errors = [[one.raised.type if one.raised else "" for one in x.outcomes] for x in (before, seen)]
    telling = [any(one.telling for one in x.outcomes) for x in (before, seen)]
    return errors[0] == errors[1] and telling[0] <= telling[1]
