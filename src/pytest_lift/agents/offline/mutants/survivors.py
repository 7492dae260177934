"""Makes cases that kill the surviving mutants of a brief: search, cover, simplification."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.mutants.judging import Judge
from pytest_lift.agents.offline.mutants.killers import cover, named_honestly, shrink_killers, whole
from pytest_lift.agents.offline.mutants.killing import Killing
from pytest_lift.agents.offline.search.search import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case
from pytest_lift.calls.mutant_prober import MutantProber
from pytest_lift.mutation.mutants import Mutant
from pytest_lift.mutation.mutation import Mutation

KILL_SECONDS = 18.0
"""Seconds for all steps; after the first share, finds are covered and simplified."""
SEARCHING, COVERING = 0.75, 0.12


def killing_cases(
    brief: Brief, judge: Judge, chosen: Sequence[KeptCase], calls: Sequence[Call]
) -> list[Case]:
    """Returns cases to add to `chosen`; `calls` are those of documentation and existing tests."""
    living = targets_of(brief.mutation) if brief.mutation else []
    if not living or brief.mutated is None or not brief.mutated.is_dir():
        return []
    started = time.monotonic()
    seconds = KILL_SECONDS
    if brief.deadline is not None:
        seconds = min(seconds, 0.7 * (brief.deadline - started))
    if seconds < 1.0:
        return []
    with tempfile.TemporaryDirectory(prefix="lift-") as folder:
        prober = MutantProber(
            brief.mutated.resolve(), brief.copy, brief.program, brief.jail, living, Path(folder)
        )
        prober.deadline = started + seconds
        rng = random.Random(brief.seed + brief.iteration)
        every = frozenset(mutant.key for mutant in living)
        killing = Killing(judge, prober, rng, started + SEARCHING * seconds, every)
        killing.without_those_of(chosen)
        killers = killing.run(calls)
        hidden = (killing.living - killing.shown) & prober.tries.keys()
        brief.learn({key: prober.tries[key] for key in hidden})
        if not killers:
            return []
        killers = cover(whole(killers, judge, prober, COVERING * seconds))
        killers = shrink_killers(killers, judge, prober, started + seconds)
        return [kept.case for kept in named_honestly(killers, judge.search)]


def targets_of(mutation: Mutation) -> list[Mutant]:
    """Returns mutants that no test detects, including those that no test executes."""
    missed = ("survived", "untested")
    return [m for key, m in mutation.mutants.items() if mutation.verdicts.get(key) in missed]
