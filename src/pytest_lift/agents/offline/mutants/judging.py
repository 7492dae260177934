"""Decides which mutants the assertions of a case kill, and whether it may become a test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.mutants.distinction import sees
from pytest_lift.agents.offline.search.search import KeptCase, ProgramSearch
from pytest_lift.agents.offline.writing.oracles import Verified, verify
from pytest_lift.calls.mutant_prober import RepeatableOutcome

OBSERVE_SECONDS = 6.0
EXACT_COST = 0.2
"""Extra cost of a test that asserts the whole message of an error."""


@dataclass(frozen=True)
class Killer:
    """Case that may become a test, and the mutants that its assertions kill."""

    kept: KeptCase
    kills: frozenset[str]


@dataclass(frozen=True)
class Judge:
    """Makes assertions from the program's own behaviour, as they will be printed."""

    search: ProgramSearch
    accepts: Callable[[Verified], bool]
    """Whether a case with these assertions may become a test."""

    def killers(
        self, items: Sequence[KeptCase], told: Mapping[str, RepeatableOutcome]
    ) -> list[Killer]:
        """Returns each case with plain assertions, and with exact ones if those kill more."""
        items = [item for item in items if item.case.key in told and told[item.case.key].others]
        seen = self.search.prober.observe([item.case for item in items], OBSERVE_SECONDS)
        found = []
        for item in items:
            key = item.case.key
            if key in seen and seen[key].usable:
                found += self._both(replace(item, seen=seen[key]), told[key])
        return found

    def _both(self, item: KeptCase, told: RepeatableOutcome) -> list[Killer]:
        plain = self._killer(item, told)
        found = [plain] if plain.kills else []
        if any(outcome.raised for outcome in item.seen.outcomes):
            exact = replace(item.case, exact=True, cost=item.case.cost + EXACT_COST)
            closer = self._killer(replace(item, case=exact), told)
            found += [closer] if closer.kills > plain.kills else []
        return found

    def _killer(self, item: KeptCase, told: RepeatableOutcome) -> Killer:
        program, resolver = self.search.prober.program, self.search.resolver
        verified = verify(item.case, item.seen, program, resolver)
        if verified is None or not self.accepts(verified):
            return Killer(item, frozenset())
        return Killer(item, frozenset(k for k, one in told.others.items() if sees(verified, one)))
