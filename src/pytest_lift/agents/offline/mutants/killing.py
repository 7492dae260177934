"""Searches for cases that kill surviving mutants: strong mutation testing.

Results, exceptions and written output of a call are compared between the program and its mutants,
as in Pynguin's mutation-driven assertions; here the inputs are searched for, too, and only
differences that a printed assertion detects count.
"""

from __future__ import annotations

import math
import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pytest_lift.agents.offline.mutants.guesses import Guesses
from pytest_lift.agents.offline.mutants.judging import Judge, Killer
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.mutant_prober import MutantProber, RepeatableOutcome
from pytest_lift.mutation.mutation import Mutant

BATCH_SECONDS = 3.0
JUDGE_SECONDS = 5.0
"""Interval at which the program itself is observed, since that takes a process of its own."""
SIZE, LARGEST = 300, 2400
"""Calls of a round; the number doubles after a round that took less than half of its time."""
AT_ONCE = 60
"""Most mutants that a case is tried on: the least tried ones."""
MOST_TRIES = 250
"""Cases on which a mutant is tried before it is given up."""
REMEMBERED = 12
"""Most calls that are remembered for a mutant or a function."""
KNOWN_SHARE = 0.85
"""Share of calls that vary one that is known to reach the mutant, or its function."""
LEAST_SECONDS = 0.2
PATIENCE = 6


@dataclass
class Killing:
    """State of a search: what it has found so far."""

    judge: Judge
    prober: MutantProber
    rng: random.Random
    deadline: float
    living: frozenset[str]
    found: list[Killer] = field(default_factory=list)
    reaching: dict[str, list[Call]] = field(default_factory=lambda: defaultdict(list))
    """Mutant key -> calls that execute its line."""
    calling: dict[str, list[Call]] = field(default_factory=lambda: defaultdict(list))
    """`Mutant.function` -> calls that execute something of it."""
    spent: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    """`Mutant.function` -> seconds that calls aimed at it have taken."""
    gained: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """`Mutant.function` -> number of its mutants that seem killed."""
    shown: set[str] = field(default_factory=set)
    """Mutants that ever behaved differently, even if no assertion detects the difference."""
    aims: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Mutant key -> number of calls that were made for it."""

    def __post_init__(self) -> None:
        self.mutants = {mutant.key: mutant for mutant in self.prober.mutants}
        self.guesses = Guesses(self.judge.search, self.rng)
        self._seen: set[str] = set()
        self._size = SIZE
        self._waiting: dict[str, tuple[KeptCase, RepeatableOutcome]] = {}
        """Cases for which a mutant behaves differently, not yet checked against assertions."""
        self._judge_at = time.monotonic() + JUDGE_SECONDS

    def without_those_of(self, chosen: Sequence[KeptCase]) -> None:
        """Removes the mutants that the chosen cases kill anyway."""
        told = self._told([item.case for item in chosen])
        for killer in self.judge.killers(chosen, told):
            self.living -= killer.kills

    def run(self, seeds: Sequence[Call]) -> list[Killer]:
        """Tries the known calls, then variations of those that reach a living mutant."""
        more = self.guesses.seeds()
        self.rng.shuffle(more)
        seeds = [*seeds, *more]
        for start in range(0, len(seeds), 2 * SIZE):
            if time.monotonic() > self.deadline:
                break
            self._try(dict.fromkeys(seeds[start : start + 2 * SIZE], ""))
        idle = 0
        while idle < PATIENCE and self._worth_trying() and time.monotonic() < self.deadline:
            idle = 0 if self._try(self._round()) else idle + 1
        self._judge()
        return self.found

    def _try(self, calls: Mapping[Call, str]) -> int:
        """Runs `calls`, each aimed at a function; returns how many more mutants seem to be
        killed."""
        items: dict[str, KeptCase] = {}
        for call in calls:
            case = self.judge.search.write(call)
            if case is not None and case.key not in self._seen:
                self._seen.add(case.key)
                items[case.key] = KeptCase(case, Observation(), call)
        before = len(self.living)
        told = self._told([item.case for item in items.values()])
        for key, one in told.items():
            self._remember(items[key].call, one, calls)
            self.living -= one.others.keys()
            self.shown |= one.others.keys()
            if one.others:
                self._waiting[key] = (items[key], one)
        if time.monotonic() > self._judge_at:
            self._judge()
        return before - len(self.living)

    def _judge(self) -> None:
        """Confirms the mutants that assertions of a test detect, and revives the others."""
        telling = [item for item, _ in self._waiting.values()]
        told = {key: one for key, (_, one) in self._waiting.items()}
        killers = self.judge.killers(telling, told)
        seen = frozenset().union(*(killer.kills for killer in killers))
        self.living |= frozenset().union(*(one.others for one in told.values())) - seen
        self.found += killers
        self._waiting = {}
        self._judge_at = time.monotonic() + JUDGE_SECONDS

    def _told(self, cases: Sequence[Case]) -> dict[str, RepeatableOutcome]:
        left = min(BATCH_SECONDS, self.deadline - time.monotonic())
        if left < 0.2 or not cases or not self.living:
            return {}
        started = time.monotonic()
        told = self.prober.run(cases, self.living, left, at_once=AT_ONCE, most_tries=MOST_TRIES)
        if time.monotonic() - started < BATCH_SECONDS / 2:
            self._size = min(2 * self._size, LARGEST)
        return told

    def _remember(
        self, call: Call | None, told: RepeatableOutcome, aims: Mapping[Call, str]
    ) -> None:
        for key in told.others.keys() & self.living:
            self.gained[self.mutants[key].function] += 1
        if call is not None:
            self.spent[aims[call]] += told.seconds
            for calls in (
                *(self.reaching[key] for key in told.reached),
                *(self.calling[function] for function in told.called),
            ):
                if len(calls) < REMEMBERED:
                    calls.append(call)
                elif self.rng.random() < 0.1:
                    calls[self.rng.randrange(REMEMBERED)] = call

    def _worth_trying(self) -> dict[str, list[Mutant]]:
        """Returns `Mutant.function` -> living mutants that may be tried more often."""
        found: dict[str, list[Mutant]] = {}
        for key in sorted(self.living):
            if self.prober.tries.get(key, 0) < MOST_TRIES:
                found.setdefault(self.mutants[key].function, []).append(self.mutants[key])
        return found

    def _round(self) -> dict[Call, str]:
        """Returns calls aimed at single mutants: least tried ones, of functions where kills are
        cheap."""
        waiting = self._worth_trying()
        functions = list(waiting)
        rarity = {f: [self._rarity(mutant) for mutant in waiting[f]] for f in functions}
        weights = [math.sqrt(sum(rarity[f])) * self._paid(f) for f in functions]
        found: dict[Call, str] = {}
        for function in self.rng.choices(functions, weights, k=self._size):
            mutant = self.rng.choices(waiting[function], rarity[function])[0]
            self.aims[mutant.key] += 1
            call = self._aimed(mutant)
            if call is not None:
                found[call] = function
        return found

    def _rarity(self, mutant: Mutant) -> float:
        """Returns a weight that is small for mutants that were tried often or are never reached."""
        return 1 / (4 + self.prober.tries.get(mutant.key, 0) + 2 * self.aims[mutant.key])

    def _paid(self, function: str) -> float:
        """Returns kills per second spent on the function, optimistic for new functions."""
        return (1 + self.gained[function]) / (LEAST_SECONDS + self.spent[function])

    def _aimed(self, mutant: Mutant) -> Call | None:
        known = self.reaching[mutant.key] or self.calling[mutant.function]
        if known and self.rng.random() < KNOWN_SHARE:
            return self.guesses.near(self.rng.choice(known), mutant)
        return self.guesses.towards(mutant)
