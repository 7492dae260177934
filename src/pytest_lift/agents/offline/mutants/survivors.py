"""Makes cases that kill the surviving mutants of a brief: search, cover, simplification."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.choosing.options.removing import idle_options
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.shrinking.simpler import simpler
from pytest_lift.agents.offline.choosing.weighing.doubt import DoubtfulCases
from pytest_lift.agents.offline.mutants.judging import Judge, Killer
from pytest_lift.agents.offline.mutants.killing import Killing
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case
from pytest_lift.calls.mutant_prober import MutantProber
from pytest_lift.mutation.mutation import Mutant, Mutation

MOST_CANDIDATES = 300
MOST_TESTS = 60
"""Most cases that one iteration adds for mutants, so that a person can still read them."""
MOST_VARIANTS = 30
ROUNDS = 3


KILL_SECONDS = 18.0
"""Seconds for all steps; after the first share, finds are covered and simplified."""
SEARCHING, COVERING = 0.75, 0.12


def whole(
    killers: Sequence[Killer], judge: Judge, mutants: MutantProber, seconds: float
) -> list[Killer]:
    """Returns the cases with all the mutants that each kills, not only the first to be found."""
    best = sorted(killers, key=lambda killer: (killer.kept.case.cost, killer.kept.case.key))
    cases = {k.kept.case.key: k.kept for k in best[:MOST_CANDIDATES]}
    every = frozenset().union(*(killer.kills for killer in killers))
    plain = [
        KeptCase(replace(item.case, exact=False), item.seen, item.call) for item in cases.values()
    ]
    told = mutants.run([item.case for item in plain], every, seconds, wanted=[every for _ in plain])
    return [*killers, *judge.killers(plain, told)]


def cover(killers: Sequence[Killer], most: int = MOST_TESTS) -> list[Killer]:
    """Returns the cases that kill most mutants for their cost, by greedy choice.

    `kills` of each holds only the mutants that no earlier one kills.
    """
    chosen: list[Killer] = []
    waiting = list(killers)
    done: frozenset[str] = frozenset()
    while len(chosen) < most:
        waiting = [killer for killer in waiting if killer.kills - done]
        if not waiting:
            break
        best = max(waiting, key=lambda k: (_worth(k, done), -k.kept.case.cost, k.kept.case.key))
        chosen.append(Killer(best.kept, best.kills - done))
        done |= best.kills
    exact = {k.kept.case.key for k in chosen if k.kept.case.exact}
    return [k for k in chosen if k.kept.case.exact or k.kept.case.key not in exact]


def _worth(killer: Killer, done: frozenset[str]) -> float:
    return len(killer.kills - done) / (0.6 + killer.kept.case.cost)


def shrink_killers(
    chosen: Sequence[Killer], judge: Judge, mutants: MutantProber, deadline: float
) -> list[Killer]:
    """Simplifies the calls as long as they kill the same mutants."""
    current = list(chosen)
    for _ in range(ROUNDS):
        left = deadline - time.monotonic()
        if left < 1.0:
            break
        smaller = _shrunk(current, judge, mutants, left)
        if smaller == current:
            break
        current = smaller
    return current


def _shrunk(
    chosen: list[Killer], judge: Judge, mutants: MutantProber, seconds: float
) -> list[Killer]:
    variants: dict[str, tuple[int, KeptCase]] = {}
    for index, killer in enumerate(chosen):
        call, case = killer.kept.call, killer.kept.case
        for smaller in list(simpler(call))[:MOST_VARIANTS] if call is not None else ():
            new = judge.search.write(smaller)
            if new is not None and new.cost < case.cost:
                variants.setdefault(new.key, (index, KeptCase(new, killer.kept.seen, smaller)))
    items = [item for _, item in variants.values()]
    wanted = [chosen[index].kills for index, _ in variants.values()]
    told = mutants.run(
        [item.case for item in items], frozenset().union(*wanted), seconds, wanted=wanted
    )
    result = list(chosen)
    for killer in judge.killers(items, told):
        plain = replace(killer.kept.case, exact=False)
        index = variants[plain.key][0]
        best = result[index]
        if chosen[index].kills <= killer.kills and killer.kept.case.cost < best.kept.case.cost:
            result[index] = Killer(killer.kept, best.kills)
    return result


def named_honestly(chosen: Sequence[Killer], search: ProgramSearch) -> list[KeptCase]:
    """Returns cases without mention of options that make no difference to the program's result."""
    items = [Chosen(killer.kept, frozenset()) for killer in chosen]
    idle = idle_options(items, search.prober, search.write)
    found = []
    for index, killer in enumerate(chosen):
        case = killer.kept.case
        names = idle.get(index, [])
        spoken = tuple(name for name in case.keywords if name not in names)
        honest = replace(case, keywords=spoken, idle=tuple(sorted(names)))
        found.append(replace(killer.kept, case=honest))
    return found


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
        honest = named_honestly(killers, judge.search)
        return DoubtfulCases(judge.search.natural).marked(honest)


def targets_of(mutation: Mutation) -> list[Mutant]:
    """Returns mutants that no test detects, including those that no test executes."""
    missed = ("survived", "untested")
    return [m for key, m in mutation.mutants.items() if mutation.verdicts.get(key) in missed]
