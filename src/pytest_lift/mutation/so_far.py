"""How many mutants of a run have a verdict, and the score so far, for those who wait for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pytest_lift.mutation.mutants import DETECTED, SCORED, Verdict
from pytest_lift.mutation.sampling import LEAST_MUTANTS, interval


@dataclass
class SoFar:
    """Of one run of mutants."""

    read: Callable[[], Mapping[str, Verdict | None]]
    """Key -> verdict of each mutant of the run, None where there is none yet; empty where nothing
    can be read at the moment."""
    _counts: Counter[Verdict | None] = field(default_factory=Counter)

    def count(self) -> tuple[int, int]:
        """(mutants with a verdict, mutants of the run); what was read last where it cannot be."""
        self._counts = Counter(self.read().values()) or self._counts
        total = self._counts.total()
        return total - self._counts[None], total

    def told(self) -> str:
        """``, 62% of them detected (44 to 77% of all)``; nothing as long as there are too few."""
        scored = sum(self._counts[verdict] for verdict in SCORED)
        if scored < LEAST_MUTANTS:
            return ""
        detected = sum(self._counts[verdict] for verdict in DETECTED)
        text = f", {100 * detected / scored:.0f}% of them detected"
        if not self._counts[None]:
            return text
        found = interval(detected, scored, scored + self._counts[None])
        return f"{text} ({found.low:.0f} to {found.high:.0f}% of all)"
