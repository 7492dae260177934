"""Leaves out options on which the result of a call does not depend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.choosing.selection import ENOUGH, Chosen
from pytest_lift.agents.offline.search.kept import KeptCase, Write
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case
from pytest_lift.calls.prober import Prober

SECONDS = 8.0


def without_idle_options(
    chosen: Sequence[Chosen], prober: Prober, write: Write, weigh: Callable[[int], float]
) -> list[Chosen]:
    """Returns the chosen cases without options on which their result does not depend.

    An option is idle if the call without it does the same. It is removed if the branches that the
    case was chosen for are still reached. Otherwise it stays but is not mentioned, or, if only
    conditions were gained, the case is dropped.
    """
    idle = idle_options(chosen, prober, write)
    plain: dict[int, tuple[Call, Case]] = {}
    for index, names in idle.items():
        call = chosen[index].kept.call
        case = write(without_options(call, names)) if call is not None else None
        if call is not None and case is not None:
            plain[index] = (without_options(call, names), case)
    seen = prober.observe([case for _, case in plain.values()], SECONDS)
    kept: list[Chosen] = []
    for index, item in enumerate(chosen):
        found = plain.get(index)
        observed = seen.get(found[1].key) if found else None
        if found is None or observed is None:
            kept.append(item)
        else:
            simpler = KeptCase(found[1], observed, found[0])
            kept += _settled(item, simpler, idle[index], weigh)
    return kept


def idle_options(chosen: Sequence[Chosen], prober: Prober, write: Write) -> dict[int, list[str]]:
    """Returns index of a chosen call -> its options that can each be left out without a
    difference."""
    measurements: list[tuple[int, str, Case]] = []
    for index, item in enumerate(chosen):
        call = item.kept.call
        for name in call.options if call is not None else ():
            case = write(without_options(call, [name])) if call is not None else None
            measurements += [(index, name, case)] if case is not None else []
    seen = prober.observe([case for _, _, case in measurements], SECONDS)
    found: dict[int, list[str]] = {}
    for index, name, case in measurements:
        if case.key in seen and seen[case.key].outcomes == chosen[index].kept.seen.outcomes:
            found.setdefault(index, []).append(name)
    return found


def without_options(call: Call, names: Sequence[str]) -> Call:
    """Returns the call without these options, including its receiver's."""
    for name in names:
        call = call.without(name)
    if call.receiver is None:
        return call
    return replace(call, receiver=without_options(call.receiver, names))


def _settled(
    item: Chosen, simpler: KeptCase, idle: Sequence[str], weigh: Callable[[int], float]
) -> list[Chosen]:
    """Returns the case without its idle options, the case not named after them, or nothing."""
    gain = frozenset(number for number in item.gain if weigh(number) >= ENOUGH)
    if simpler.seen.outcomes == item.kept.seen.outcomes:
        shown = item.kept.case.effect.partition("=")[0]
        simpler = replace(simpler, goals=item.kept.goals)
        if gain | item.kept.goals and gain <= simpler.seen.hits and shown not in idle:
            case = replace(simpler.case, effect=item.kept.case.effect)
            return [Chosen(replace(simpler, case=case), item.gain & simpler.seen.hits)]
        if not gain and not item.kept.goals:
            return []
    case = item.kept.case
    spoken = tuple(name for name in case.keywords if name not in idle)
    honest = replace(case, keywords=spoken, idle=tuple(sorted(idle)))
    return [Chosen(replace(item.kept, case=honest), item.gain)]
