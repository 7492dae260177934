"""A search for cases that tell surviving mutants from the program: strong mutation testing.

What a call returns, raises or writes is compared between the program and its mutants, as Pynguin's
mutation-driven assertions do; here the inputs are searched for too, and only what a printed
assertion sees counts.
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
from pytest_lift.agents.offline.search.search import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.mutant_prober import MutantProber, RepeatableOutcome
from pytest_lift.mutation.mutants import Mutant

BATCH_SECONDS = 3.0
JUDGE_SECONDS = 5.0
"""As often as that the program itself is asked what it does: it takes a process of its own."""
SIZE, LARGEST = 300, 2400
"""Calls of a round; twice as many after one that took less than half of its time."""
AT_ONCE = 60
"""Mutants that a case is tried on: those that were tried least."""
MOST_TRIES = 250
"""Cases on which a mutant is tried before it is given up."""
REMEMBERED = 12
"""Calls that are known to reach a mutant."""
KNOWN_SHARE = 0.85
"""Calls that vary one that is known to reach the mutant, or its function."""
LEAST_SECONDS = 0.2
PATIENCE = 6


@dataclass
class Killing:
    """One search; what it has found so far."""

    judge: Judge
    prober: MutantProber
    rng: random.Random
    deadline: float
    living: frozenset[str]
    found: list[Killer] = field(default_factory=list)
    reaching: dict[str, list[Call]] = field(default_factory=lambda: defaultdict(list))
    """Mutant -> calls that execute its line."""
    calling: dict[str, list[Call]] = field(default_factory=lambda: defaultdict(list))
    """`Mutant.function` -> calls that execute something of it."""
    spent: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    """`Mutant.function` -> seconds that calls aimed at it have taken."""
    gained: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """`Mutant.function` -> mutants of it that were told apart."""
    shown: set[str] = field(default_factory=set)
    """Mutants that did something else at times, be it nothing that an assertion sees."""
    aims: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Mutant -> calls that were made for it."""

    def __post_init__(self) -> None:
        self.mutants = {mutant.key: mutant for mutant in self.prober.mutants}
        self.guesses = Guesses(self.judge.search, self.rng)
        self._seen: set[str] = set()
        self._size = SIZE
        self._waiting: dict[str, tuple[KeptCase, RepeatableOutcome]] = {}
        """Cases for which a mutant does something else, not judged yet."""
        self._judge_at = time.monotonic() + JUDGE_SECONDS

    def without_those_of(self, chosen: Sequence[KeptCase]) -> None:
        """What the cases that become tests anyway tell apart need not be searched for."""
        told = self._told([item.case for item in chosen])
        for killer in self.judge.killers(chosen, told):
            self.living -= killer.kills

    def run(self, seeds: Sequence[Call]) -> list[Killer]:
        """Try the calls that are known, then variations of those that reach a living mutant."""
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
        """Run `calls`, each aimed at a function; how many mutants more seem to be told apart."""
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
        """Only those are told apart that the assertions of a test see."""
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
        """`Mutant.function` -> living mutants that were not tried too often yet."""
        found: dict[str, list[Mutant]] = {}
        for key in sorted(self.living):
            if self.prober.tries.get(key, 0) < MOST_TRIES:
                found.setdefault(self.mutants[key].function, []).append(self.mutants[key])
        return found

    def _round(self) -> dict[Call, str]:
        """Calls towards single mutants: of functions that pay, those that were tried least."""
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
        """Little for what was tried often, and for what is never reached."""
        return 1 / (4 + self.prober.tries.get(mutant.key, 0) + 2 * self.aims[mutant.key])

    def _paid(self, function: str) -> float:
        """What a second spent on the function has brought, with hope for what is new."""
        return (1 + self.gained[function]) / (LEAST_SECONDS + self.spent[function])

    def _aimed(self, mutant: Mutant) -> Call | None:
        known = self.reaching[mutant.key] or self.calling[mutant.function]
        if known and self.rng.random() < KNOWN_SHARE:
            return self.guesses.near(self.rng.choice(known), mutant)
        return self.guesses.towards(mutant)
