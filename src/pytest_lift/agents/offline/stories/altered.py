"""Learns which arguments calls change in place, so that tests look at them after the call."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Outcome
from pytest_lift.calls.collecting import container
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober

MOST_TRIED = 8
"""Most calls of one target that are tried."""


def note_altered(
    calls: Sequence[Call], resolver: Resolver, prober: Prober, seconds: float
) -> list[Call]:
    """Notes the parameters of functions that change the list, dict or set that they are given, and
    do not give it back; returns the calls in which that was seen."""
    given: dict[str, list[Call]] = {}
    for call in calls:
        if not _containers(call) or call.target.entry or call.target.key in resolver.altered:
            continue
        of_target = given.setdefault(call.target.key, [])
        if len(of_target) < MOST_TRIED:
            of_target.append(call)
    drafts: list[tuple[Call, Case]] = []
    for key, several in given.items():
        for call in several:
            resolver.altered[key] = frozenset(_containers(call))
            case = as_case(call, resolver, priced=False)
            drafts += [(call, case)] if case is not None else []
        del resolver.altered[key]
    seen = prober.observe([case for _, case in drafts], seconds, hurry=True)
    found = []
    for call, case in drafts:
        observed = seen.get(case.key)
        names = _changed(call, case, observed.outcomes) if observed is not None else frozenset()
        if names:
            key = call.target.key
            resolver.altered[key] = resolver.altered.get(key, frozenset()) | names
            found.append(call)
    return found


def _containers(call: Call) -> list[str]:
    """Returns the parameters that are given a list, dict or set of literals."""
    return [name for name, value in call.values if container(value)]


def _changed(call: Call, case: Case, outcomes: Sequence[Outcome]) -> frozenset[str]:
    """Returns the parameters whose argument is another one after the call, and not its result."""
    pairs = list(zip((step for step in case.steps if step.check), outcomes, strict=False))
    looks = [(step, outcome) for step, outcome in pairs if step.began]
    results = [outcome.source for step, outcome in pairs if not step.began]
    return frozenset(
        name
        for name, (step, outcome) in zip(_containers(call), looks, strict=False)
        if outcome.source not in (None, "None", step.began, *results)
    )
