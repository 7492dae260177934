"""Takes lines out of cases on which nothing that they show depends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.search.dullness import dullness
from pytest_lift.agents.offline.search.kept import KeptCase, Write
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.prober import Prober

MOST_LINES = 4
"""Lines that are taken out of a case, one after the other."""
SECONDS = 2.0
"""Seconds for each of them, over all cases."""
TELLS_LITTLE = 0.5
"""Dullness from which a line is no case of its own."""
WORTH_A_LINE, LEADING = 3.0, 1.0
"""Gain of what a line alone reaches, from which it stays where nothing that is shown depends on it;
of what lines after it alone reach since they go another way then, as one that asks an object which
is filled does."""

Show = Callable[[Sequence[KeptCase]], Sequence[object]]


def outcomes(kept: Sequence[KeptCase]) -> list[object]:
    """Returns what came out of each case."""
    return [one.seen.outcomes for one in kept]


def untangled(
    chosen: Sequence[Chosen],
    prober: Prober,
    write: Write,
    show: Show = outcomes,
    weigh: Callable[[int], float] = lambda _: WORTH_A_LINE,
) -> list[Chosen]:
    """Returns the cases without lines and arguments that leave what they `show` as it is.

    What such a line alone reaches becomes the last line of a case of its own, where that shows
    something, or changes what is shown, and no other case has it; a line that alone reaches much,
    as `weigh` tells, or without which those after it go another way, stays where it is else.
    """
    found = list(chosen)
    for _ in range(MOST_LINES):
        drafts = [(n, whole, apart) for n, item in enumerate(found) for whole, apart in less(item)]
        cases = {call: write(call) for _, *both in drafts for call in both if call is not None}
        seen = prober.observe([case for case in cases.values() if case is not None], SECONDS)
        wholes = {whole: _kept(whole, cases, seen) for _, whole, _ in drafts}
        shorter = [kept for kept in wholes.values() if kept is not None]
        shown = dict(zip((kept.call for kept in shorter), show(shorter), strict=True))
        numbers = sorted({number for number, whole, _ in drafts if whole in shown})
        before = dict(zip(numbers, show([found[n].kept for n in numbers]), strict=True))
        idle = [one for one in drafts if one[1] in shown and shown[one[1]] == before[one[0]]]
        alones = [kept for *_, apart in idle if (kept := _kept(apart, cases, seen)) is not None]
        looks = zip(alones, show(alones), strict=True)
        acting = {kept.call for kept, look in looks if look != kept.seen.outcomes}
        changed = set[int]()
        for number, whole, apart in idle:
            item, kept = found[number], wholes[whole]
            if number in changed or kept is None:
                continue
            lost = item.gain - kept.seen.hits
            others = _that_reach(lost, found, number)
            lost = lost.difference(*others.values())
            alone = _kept(apart, cases, seen) if lost else None
            led_to = lost - alone.seen.hits if alone is not None else frozenset[int]()
            told = alone is not None and (alone.call in acting or _tells(alone))
            if alone is None or not (told and not led_to):
                alone = None
            much = sum(map(weigh, lost)) >= WORTH_A_LINE
            much = much or (bool(lost) and _is_about_more(item, whole))
            if alone is None and (much or sum(map(weigh, led_to)) >= LEADING):
                continue
            case = replace(kept.case, effect=item.kept.case.effect, idle=item.kept.case.idle)
            kept = replace(kept, case=case, goals=item.kept.goals)
            found[number] = Chosen(kept, item.gain & kept.seen.hits)
            for at, shared in others.items():
                found[at] = Chosen(found[at].kept, found[at].gain | shared)
            found += [Chosen(alone, lost)] if alone is not None else []
            changed.add(number)
        if not changed:
            break
    return found


def _is_about_more(item: Chosen, whole: Call) -> bool:
    """Whether a call loses its own further arguments, as a key that is not there and changes
    nothing."""
    call = item.kept.call
    return call is not None and bool(call.extra) and not whole.extra


def _that_reach(
    lost: frozenset[int], found: Sequence[Chosen], number: int
) -> dict[int, frozenset[int]]:
    """Returns number of another case -> which of the probes it reaches, each probe once."""
    others: dict[int, frozenset[int]] = {}
    for at, other in enumerate(found):
        if at != number and (shared := lost & other.kept.seen.hits):
            others[at] = shared
            lost -= shared
    return others


def less(item: Chosen) -> Iterator[tuple[Call, Call | None]]:
    """Yields the call without one of the lines before it, and that line as a call of its own; the
    same for the calls of the chain that makes its object; then the call without a command line that
    no program gets, without its files, and the call and each line without their further arguments.
    """
    call, case = item.kept.call, item.kept.case
    if call is None or case.origin != "searched" or call.in_block or not shows(item.kept.seen):
        return
    for at, line in enumerate(call.before):
        rest = (*call.before[:at], *call.before[at + 1 :])
        others = (*rest, call)
        named = line.bound and any(line.bound in (one.subject, *one.names) for one in others)
        if not named:
            yield replace(call, before=rest), _alone(call, at)
    for shorter, link in _without_a_link(call):
        yield shorter, replace(link, seeds=call.seeds)
    if any(part.argv for part in call.chain) and not any(part.target.entry for part in call.chain):
        yield _without_command_line(call), None
    yield from ((bare, None) for bare in _without_files(call))
    if call.extra:
        yield replace(call, extra=()), None
    for at, line in enumerate(call.before):
        if line.extra:
            lines = (*call.before[:at], replace(line, extra=()), *call.before[at + 1 :])
            yield replace(call, before=lines), None


def _without_command_line(call: Call) -> Call:
    """Returns the call, and those before it, with ``sys.argv`` as it is."""
    return call.but(
        argv=(),
        receiver=None if call.receiver is None else _without_command_line(call.receiver),
        before=tuple(map(_without_command_line, call.before)),
    )


def _without_files(call: Call) -> Iterator[Call]:
    """Yields the call without any of its files, then without each: what nothing reads."""
    if not call.files:
        return
    yield replace(call, files={}, folder=False)
    yield replace(call, files={})
    if len(call.files) > 1:
        for name in call.files:
            yield replace(call, files={n: text for n, text in call.files.items() if n != name})


def _without_a_link(call: Call) -> Iterator[tuple[Call, Call]]:
    """Yields (the call on a chain without one of its calls, that call): ``every().until('a')`` for
    ``every().day.until('a')``, and ``every().day``."""
    link = call.receiver
    if link is None or link.receiver is None or link.before:
        return
    yield call.but(receiver=link.receiver), link
    for shorter, other in _without_a_link(link):
        yield call.but(receiver=shorter), other


def _alone(call: Call, at: int) -> Call | None:
    """Returns the line before a call as the last one, on the same object."""
    if call.receiver is None or call.subject:
        return None
    return replace(
        call.before[at], subject="", bound="", receiver=call.receiver, name=call.name,
        before=call.before[:at], seeds=call.seeds,
    )  # fmt: skip


def shows(seen: Observation) -> bool:
    return any(outcome.telling or outcome.raised for outcome in seen.outcomes)


def _kept(
    call: Call | None, cases: dict[Call, Case | None], seen: dict[str, Observation]
) -> KeptCase | None:
    case = cases.get(call) if call is not None else None
    observed = seen.get(case.key) if case is not None else None
    if case is None or observed is None or not observed.usable:
        return None
    return KeptCase(case, observed, call)


def _tells(kept: KeptCase) -> bool:
    """Whether a case gives something that is worth an assertion."""
    raised = kept.seen.fails
    return raised or dullness(kept.case, kept.seen) < TELLS_LITTLE
