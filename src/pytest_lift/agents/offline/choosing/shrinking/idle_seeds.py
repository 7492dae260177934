"""Leaves out the lines that seed generators from which nothing is drawn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.calls.call import SEEDING
from pytest_lift.calls.case import Case
from pytest_lift.calls.prober import Prober

SECONDS = 8.0


def without_idle_seeds(chosen: Sequence[Chosen], prober: Prober) -> list[Chosen]:
    """Returns the cases, those that draw nothing without the lines that seed the generators."""
    bare = {
        index: unseeded(item.kept.case)
        for index, item in enumerate(chosen)
        if item.kept.case.seeded and item.kept.case.origin == "searched"
    }
    seen = prober.observe(list(bare.values()), SECONDS, strict=True)
    found = list(chosen)
    for index, case in bare.items():
        kept, observed = chosen[index].kept, seen.get(case.key)
        same = observed is not None and observed.outcomes == kept.seen.outcomes
        if same and observed is not None and not observed.rejected:
            found[index] = replace(chosen[index], kept=replace(kept, case=case))
    return found


def unseeded(case: Case) -> Case:
    """Returns the case without the lines that seed generators, and imports for them alone."""
    seeding = dict(SEEDING.values())
    steps = tuple(step for step in case.steps if step.source not in seeding.values())
    text = "\n".join(step.source for step in steps)
    idle = {line for line in seeding if not re.search(rf"\b{line.split()[-1]}\.", text)}
    imports = tuple(line for line in case.imports if line not in idle)
    return replace(case, steps=steps, imports=imports, seeded=False)
