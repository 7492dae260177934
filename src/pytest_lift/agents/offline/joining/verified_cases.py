"""Knows verified cases by what they were when they ran: what they did not change is inline now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pytest_lift.agents.offline.writing.oracles.checks import Verified


@dataclass(frozen=True)
class VerifiedCases:
    """Verified cases, by `Case.key` of the ones that ran."""

    ran: Mapping[str, Verified]

    def keys(self, ran: Iterable[str]) -> set[str]:
        """Returns the keys that the verified ones have of cases that ran with the keys `ran`."""
        return {self.ran[key].case.key for key in ran if key in self.ran}

    def once(self) -> list[Verified]:
        """Returns the verified cases, one of those that have become the same."""
        found: dict[str, Verified] = {}
        for item in self.ran.values():
            found.setdefault(item.case.key, item)
        return [*found.values()]
