"""One suite's mutants measured: what to run after an edit, in which portions, with what time."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_lift import hostile
from pytest_lift.measure.lines import Lines
from pytest_lift.mutation.attempts import Attempts
from pytest_lift.mutation.command import IMPORT_ALIKE, Finished, processors
from pytest_lift.mutation.errors import MutationStopped, OtherModules, OutOfTime
from pytest_lift.mutation.increments import Plan, plan_increment
from pytest_lift.mutation.mutants import DETECTED, Mutant, Mutation, Verdict, function_of
from pytest_lift.mutation.project import ORDER, STATS
from pytest_lift.mutation.results import (
    Statistics,
    read_failures,
    read_mutants,
    read_statistics,
    read_verdicts,
    write_pending,
    write_statistics,
)
from pytest_lift.mutation.sampling import sampling_order
from pytest_lift.mutation.statements import passing_by
from pytest_lift.mutation.untouched import left_alone
from pytest_lift.program import Program
from pytest_lift.suite import Suite

OVERHEAD = 0.12
"""Seconds of processor time that a mutant costs beside its tests (a fork, a session of pytest)."""
STEP_SHARE = 0.5
"""Of the time that is left once mutants are made, what running them may take: there may be other
suites to come."""
LEAST_MUTANTS, LEAST_PART = 10, 0.25
"""A first sample of fewer than either says nothing."""
PILOT_SHARE, RUN_SHARE = 0.15, 0.8
"""Of the time left, what a first sample is estimated to take, and the second, that knows better."""
MOST_NAMES = 200
"""Mutants asked for by name; more are asked for by what mutmut believes to be undecided."""
FEW_TIMEOUTS, TIMEOUT_SHARE = 3, 0.05
"""Above both, mutants that seem to hang are run once more with more patience."""
OUT_OF_TIME = "the time for mutants was used up: not all were run"
NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Measured:
    """One suite, and all that is known of its mutants."""

    suite: Suite
    program: Program
    statistics: Statistics
    mutation: Mutation
    left_out: frozenset[str]


@dataclass
class Measurement:
    """One suite being measured; raises MutationError where it cannot be."""

    attempts: Attempts
    suite: Suite
    program: Program
    base: tuple[Measured, frozenset[str]] | None
    """What was measured before, and the test functions that may behave in another way now."""
    until: float | None
    seed: int
    fraction: float
    """Share of the mutants to be measured; what there was time for, at the end of a first one."""
    lines: Callable[[], Lines] = Lines
    """Asked which test executes which line."""

    def measured(self) -> Measured:
        project = self.attempts.project
        self._begin()
        self.attempts.prepare(self._left())
        if self.until is not None:
            self.until -= (1 - STEP_SHARE) * max(self.until - time.monotonic(), 0.0)
        statistics = self._statistics()
        mutants = read_mutants(project, self.program)
        _require_names(mutants.values(), statistics)
        order = sampling_order(mutants, self.seed)
        before = self._before(mutants)
        wanted = order[: round(self.fraction * len(order))]
        plan = plan_increment(before, statistics.tests, self._changed_nodes(statistics), wanted)
        cut = Statistics({**statistics.tests, **plan.tests}, statistics.seconds)
        write_statistics(project, cut)
        try:
            tests = self._tests([key for key in wanted if key in plan.keys], mutants, plan)
            found, failures = self._run_within(self._queue(wanted, tests, plan), cut)
        finally:
            write_statistics(project, statistics)
        statistics = self._statistics()  # without what was left out meanwhile
        if self.base is None and len(found) < len(wanted):
            self.fraction = len(found) / max(len(order), 1)
        verdicts = found if self.base is None else {**plan.known, **found}
        killers = {
            key: frozenset(failures.get(key, ())) or self._still_killing(before, key)
            for key, verdict in verdicts.items()
            if verdict in DETECTED
        }
        mutation = Mutation(
            mutants,
            {key: verdicts[key] for key in order if key in verdicts},
            {key: nodes for key, nodes in killers.items() if nodes},
            statistics.tests,
            left_alone(self.program),
        )
        left_out = self.attempts.left_out
        return Measured(self.suite, self.program, statistics, mutation, left_out)

    def _queue(
        self, keys: Sequence[str], tests: Mapping[str, frozenset[str]], plan: Plan
    ) -> dict[str, frozenset[str] | Verdict]:
        """Key -> the tests to run it against, or its verdict where that costs nothing.

        Of a first measurement, all that is known of it is in the queue: where time does not
        suffice, the sample is the beginning of the queue, and not what costs nothing.
        """
        queue: dict[str, frozenset[str] | Verdict] = {}
        for key in keys:
            if key in tests:
                queue[key] = tests[key] or "survived"
            elif self.base is None and key in plan.known:
                queue[key] = plan.known[key]
        return queue

    def _tests(
        self, keys: Sequence[str], mutants: Mapping[str, Mutant], plan: Plan
    ) -> dict[str, frozenset[str]]:
        """Key -> the tests that execute what is changed, or may do so."""
        lines = self.lines() if keys else Lines()
        return {
            key: plan.own.get(key, plan.tests.get(function_of(key), NONE))
            - passing_by(mutants[key], self.program, lines)
            for key in keys
        }

    def _begin(self) -> None:
        """What mutmut knows of tests: all of the base's that are the same, else nothing."""
        project = self.attempts.project
        if self.base is None:
            hostile.remove(project.mutants / STATS)
            hostile.remove(project.kills / ORDER)
            return
        known, changed = self.base
        kept = {n for n in known.statistics.seconds if n.partition("[")[0] not in changed}
        write_statistics(project, known.statistics.only(kept))

    def _statistics(self) -> Statistics:
        """Without those of tests that mutmut still remembers though they are left out."""
        found = read_statistics(self.attempts.project)
        gone = self.attempts.left_out
        nodes = found.seconds.keys() - gone
        return found.only({node for node in nodes if node.partition("[")[0] not in gone})

    def _before(self, mutants: Mapping[str, Mutant]) -> Mutation:
        """The base's verdicts, but of functions that are written in another way now."""
        if self.base is None:
            return Mutation()
        known = self.base[0].mutation
        same = {
            key
            for key, mutant in mutants.items()
            if key in known.mutants and known.mutants[key].diff_text == mutant.diff_text
        }
        return replace(known, verdicts={k: v for k, v in known.verdicts.items() if k in same})

    def _changed_nodes(self, statistics: Statistics) -> frozenset[str]:
        if self.base is None:
            return frozenset(statistics.seconds)
        changed = self.base[1]
        return frozenset(n for n in statistics.seconds if n.partition("[")[0] in changed)

    def _still_killing(self, before: Mutation, key: str) -> frozenset[str]:
        changed = self.base[1] if self.base else NONE
        nodes = before.killers.get(key, NONE)
        return frozenset(node for node in nodes if node.partition("[")[0] not in changed)

    def _left(self) -> float | None:
        return None if self.until is None else max(self.until - time.monotonic(), 0.0)

    def _run_within(
        self, queue: Mapping[str, frozenset[str] | Verdict], statistics: Statistics
    ) -> tuple[dict[str, Verdict], dict[str, set[str]]]:
        """As many mutants, from the first on, as there is time for. Raises OutOfTime where those
        of a first measurement are too few."""
        found: dict[str, Verdict] = {}
        failures: dict[str, set[str]] = {}
        costs = {key: _cost(own, statistics) for key, own in queue.items()}
        pace, share, rest = 1.0, PILOT_SHARE, list(queue)
        while rest:
            left = self._left()
            chunk = rest if left is None else _affordable(rest, costs, left * share / pace)
            running = {key: own for key in chunk if isinstance(own := queue[key], frozenset)}
            if not running and len(chunk) < len(rest):
                self.attempts.note(OUT_OF_TIME)
                break
            began = time.monotonic()
            if running:
                verdicts, failed, cut_short = self._run(running, statistics, left)
            else:
                verdicts, failed, cut_short = {}, {}, False
            found |= verdicts | _settled(chunk, queue, len(verdicts) if cut_short else len(chunk))
            for key, nodes in failed.items():
                failures.setdefault(key, set()).update(nodes)
            if cut_short:
                break
            rest = rest[len(chunk) :]
            estimated = sum(costs[key] for key in chunk)
            pace = max((time.monotonic() - began) / max(estimated, 0.1), 0.05)
            share = RUN_SHARE
        if self.base is None and len(found) < min(LEAST_MUTANTS, LEAST_PART * len(queue)):
            raise OutOfTime(OUT_OF_TIME, where="--lift-mutation-minutes", todo="allow more")
        return found, failures

    def _run(
        self, tests: Mapping[str, frozenset[str]], statistics: Statistics, left: float | None
    ) -> tuple[dict[str, Verdict], dict[str, set[str]], bool]:
        finished = self._ask(tests, statistics, left)
        verdicts = self._verdicts(tests)
        failures = dict(finished.failures)
        hung = [key for key, verdict in verdicts.items() if verdict == "timed-out"]
        if len(hung) > max(FEW_TIMEOUTS, TIMEOUT_SHARE * len(tests)) and not finished.cut_short:
            self.attempts.be_patient()
            again = {key: tests[key] for key in hung}
            finished = self._ask(again, statistics, self._left())
            verdicts |= self._verdicts(hung)
            failures |= finished.failures
        return verdicts, failures, finished.cut_short

    def _ask(
        self, tests: Mapping[str, frozenset[str]], statistics: Statistics, left: float | None
    ) -> Finished:
        named = tuple(tests) if len(tests) <= MOST_NAMES else ()
        wanted = frozenset(tests)
        for source in self.attempts.sources:
            write_pending(self.attempts.project, source, wanted)
        try:
            finished = self.attempts.run(named, tests, statistics, left)
        except MutationStopped as error:
            if not self._verdicts(tests):
                raise
            self.attempts.note(f"not all mutants were run: {error.what.partition(':')[0]}")
            return Finished(read_failures(self.attempts.project), cut_short=True)
        if finished.cut_short:
            self.attempts.note(OUT_OF_TIME)
        elif unknown := len(tests) - len(self._verdicts(tests)):
            self.attempts.note(f"{unknown} mutants have no verdict: pytest was interrupted on them")
        return finished

    def _verdicts(self, keys: Collection[str]) -> dict[str, Verdict]:
        wanted = frozenset(keys)
        found: dict[str, Verdict] = {}
        for source in self.attempts.sources:
            read = read_verdicts(self.attempts.project, source)
            found |= {key: verdict for key, verdict in read.items() if verdict and key in wanted}
        return found


def _require_names(mutants: Iterable[Mutant], statistics: Statistics) -> None:
    """mutmut knows a function by the name of its module: as a test imports it, and by its file.

    Raises OtherModules where none is the same.
    """
    mutated = {mutant.function for mutant in mutants}
    executed = statistics.tests.keys()
    if mutated and executed and mutated.isdisjoint(executed):
        raise OtherModules(
            f"the tests import {_module(executed)}, which by its file is {_module(mutated)}",
            todo=IMPORT_ALIKE,
        )


def _module(functions: Collection[str]) -> str:
    return min(functions).rpartition(".")[0]


def _affordable(keys: Sequence[str], costs: Mapping[str, float], seconds: float) -> list[str]:
    total, chosen = 0.0, []
    for key in keys:
        total += costs[key]
        if total > seconds:
            break
        chosen.append(key)
    return chosen


def _settled(
    chunk: Sequence[str], queue: Mapping[str, frozenset[str] | Verdict], ran: int
) -> dict[str, Verdict]:
    """Verdicts of the chunk that cost nothing; of one that was cut short as large a part of them
    as of the others, `ran` of which were run."""
    free = [(key, own) for key in chunk if isinstance(own := queue[key], str)]
    share = min(ran / max(len(chunk) - len(free), 1), 1.0)
    return dict(free[: round(share * len(free))])


def _cost(tests: frozenset[str] | Verdict, statistics: Statistics) -> float:
    """Seconds that a mutant takes if it survives these tests, two or more at a time."""
    if isinstance(tests, str):
        return 0.0
    taken = OVERHEAD + sum(statistics.seconds.get(node, 0.0) for node in tests)
    return taken / processors()
