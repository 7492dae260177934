"""Weighs targets by what is left to be reached near them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from pytest_lift.agents.offline.search.kept import Progress
from pytest_lift.agents.offline.search.reach import Reach
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.target import CALLED, Target

LEAST, OF_LIBRARY = 0.15, 0.02
"""Weight of a target near which nothing is left to be reached, and of one that a class has from a
library."""
OF_ALL = 0.1
"""Share of all that is left which is near a way into the program from the command line, at least:
how it gets there is seldom seen in the source."""
UNMADE = re.compile(r"^(setup|import): ")
"""What the reason begins with why a case ends before what it is about."""
SLOW_AS_HUNG = 0.25
"""Weight of a call that took too long, beside one that hung."""
IN_VAIN = 0.9
"""What is left of the weight of a target, of which no call succeeded, for each that did not come so
far: what it needs could not be made."""


class Prospects:
    """What calls of the targets of a program promise."""

    def __init__(self, reach: Reach, progress: Mapping[str, Progress], prober: Prober) -> None:
        self.reach = reach
        self.progress = progress
        self.prober = prober

    def weight(self, target: Target, covered: AbstractSet[int]) -> float:
        """Returns how often a target is to be called, beside others."""
        progress = self.progress[target.key]
        functions = progress.functions | {(target.path, target.symbol)}
        if (maker := target.owner) is not None and target.symbol.endswith(CALLED):
            # they define what it calls; what only makes a function is often told by nothing else
            functions |= {*self.progress[maker.key].functions, (maker.path, maker.symbol)}
        missing = float(len(self.reach.near(functions) - covered))
        if target.entry and not target.defined:
            missing = max(missing, OF_ALL * (len(self.prober.sites) - len(covered)))
        slowed = math.pow(1 + progress.tries / 150, 0.7)
        hung = progress.hangs + SLOW_AS_HUNG * self.prober.failures[target.key]["timeout"]
        least = OF_LIBRARY if target.library else LEAST
        weight = (missing + least) * (1 + 2 * progress.found) / slowed * math.pow(0.3, hung)
        return weight * progress.novelty * math.pow(IN_VAIN, self._unmade(target))

    def _unmade(self, target: Target) -> int:
        """Returns how many calls of a target failed before they came to it, where none succeeded:
        its object cannot be made, or not be imported."""
        if self.prober.successes[target.key]:
            return 0
        reasons = self.prober.failures[target.key].items()
        return sum(count for why, count in reasons if UNMADE.match(why))
