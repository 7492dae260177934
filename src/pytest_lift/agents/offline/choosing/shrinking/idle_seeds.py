"""Leaves out the lines that seed generators from which nothing is drawn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.calls.case import SEEDING, SEEDS, Case
from pytest_lift.calls.prober import Prober

SECONDS = 8.0


def without_idle_seeds(chosen: Sequence[Chosen], prober: Prober) -> list[Chosen]:
    """Returns the cases, those that draw nothing without the lines that seed the generators, and
    those that draw from one generator without those of others."""
    found = [*chosen]
    for seeds in (SEEDS, *({seed} for seed in SEEDS)):
        fewer = {
            index: without_seeds(item.kept.case, seeds)
            for index, item in enumerate(found)
            if item.kept.case.origin == "searched" and _may_lack(item.kept.case, seeds)
        }
        seen = prober.observe([*fewer.values()], SECONDS, strict=True)
        for index, case in fewer.items():
            kept, observed = found[index].kept, seen.get(case.key)
            same = observed is not None and observed.outcomes == kept.seen.outcomes
            if same and observed is not None and not observed.rejected:
                found[index] = replace(found[index], kept=replace(kept, case=case))
    return found


def _may_lack(case: Case, seeds: AbstractSet[str]) -> bool:
    """Whether a case seeds generators, and these lines are all there are or not its only ones."""
    own = {step.source for step in case.steps} & SEEDS if case.seeded else frozenset()
    return bool(own) and (seeds == SEEDS or own > seeds)


def without_seeds(case: Case, seeds: AbstractSet[str]) -> Case:
    """Returns the case without these lines that seed generators, and imports for them alone."""
    seeding = {line: seed for line, seed in SEEDING.values() if seed in seeds}
    steps = tuple(step for step in case.steps if step.source not in seeds)
    text = "\n".join(step.source for step in steps)
    idle = {line for line in seeding if not re.search(rf"(?<!\.)\b{line.split()[-1]}\.", text)}
    imports = tuple(line for line in case.imports if line not in idle)
    left = any(step.source in SEEDS for step in steps)
    return replace(case, steps=steps, imports=imports, seeded=left)
