"""Learns which arguments calls change in place, so that tests look at them after the call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.search.kept import KeptCase, Write
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Outcome
from pytest_lift.calls.collecting import container
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.target import Target

MOST_TRIED = 8
"""Most calls of one target that are tried."""


class AlteredArguments:
    """The parameters of functions whose list, dict or set is another one after the call; what
    writes cases looks at those in `Resolver.altered`."""

    def __init__(self, resolver: Resolver, prober: Prober) -> None:
        self.known = resolver.altered
        self.resolver = resolver
        self.prober = prober

    def note(self, calls: Sequence[Call], seconds: float) -> list[Call]:
        """Notes the parameters of functions that change the list, dict or set that they are given,
        and do not give it back; returns the calls in which that was seen."""
        given: dict[str, list[Call]] = {}
        for call in calls:
            if not _containers(call) or call.target.entry or call.target.key in self.known:
                continue
            of_target = given.setdefault(call.target.key, [])
            if len(of_target) < MOST_TRIED:
                of_target.append(call)
        drafts: list[tuple[Call, Case]] = []
        for key, several in given.items():
            for call in several:
                self.known[key] = frozenset(_containers(call))
                case = as_case(call, self.resolver, priced=False)
                drafts += [(call, case)] if case is not None else []
            del self.known[key]
        seen = self.prober.observe([case for _, case in drafts], seconds, hurry=True)
        found = []
        for call, case in drafts:
            observed = seen.get(case.key)
            names = _changed(call, case, observed.outcomes) if observed is not None else frozenset()
            if names:
                key = call.target.key
                self.known[key] = self.known.get(key, frozenset()) | names
                found.append(call)
        return found

    def suspects(self, calls: Sequence[Call], found: Iterable[Call]) -> list[Target]:
        """Returns the targets of calls that were given a list or dict, none of which was `found`
        to show anything: perhaps they change it, for other arguments; tests look at it."""
        shown = {call.target.key for call in found}
        filled = (one for one in calls if _containers(one))
        targets = {one.target.key: one.target for one in filled if not one.target.entry}
        silent = [target for key, target in targets.items() if key not in shown]
        for target in silent:
            self.known[target.key] = frozenset(p.name for p in target.parameters)
        return silent

    def seen_again(self, kept: Sequence[KeptCase], write: Write, seconds: float) -> list[KeptCase]:
        """Returns what was kept, looking at arguments that were not known to change then."""
        stale = {
            number: case
            for number, one in enumerate(kept)
            if one.call is not None and one.call.target.key in self.known
            if (case := write(one.call)) is not None and case.key != one.case.key
        }
        seen = self.prober.observe([*stale.values()], seconds, hurry=True)
        again = [*kept]
        for number, case in stale.items():
            observed = seen.get(case.key)
            if observed is not None and observed.usable:
                again[number] = replace(again[number], case=case, seen=observed)
        return again


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
