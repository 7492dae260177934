"""Measures mutants with one suite after another; what is known is not run again."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pytest_lift import hostile
from pytest_lift.mutation.attempts import Attempts, Setting
from pytest_lift.mutation.command import IMPORT_ALIKE, Finished
from pytest_lift.mutation.configuration import Configuration, read_filters
from pytest_lift.mutation.edits import changed_functions, changed_tests
from pytest_lift.mutation.errors import MutationStopped, OtherModules, OutOfTime
from pytest_lift.mutation.increments import plan_increment
from pytest_lift.mutation.mutants import DETECTED, Mutant, Mutation, Verdict, function_of
from pytest_lift.mutation.project import ORDER, STATS, MutationProject
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
from pytest_lift.mutation.untouched import left_alone
from pytest_lift.program import Program
from pytest_lift.sandbox.jail import Jail
from pytest_lift.suite import Suite

OVERHEAD = 0.12
"""Seconds of processor time that a mutant costs beside its tests (a fork, a session of pytest)."""
PILOT_SHARE, RUN_SHARE = 0.25, 0.8
"""Of the time left, what a first sample is estimated to take, and the second, that knows better."""
MOST_NAMES = 200
"""Mutants asked for by name; more are asked for by what mutmut believes to be undecided."""
STEP_SHARE = 0.5
"""Of the budget that is left, what one measurement may take: there may be others to come."""
LEAST_SECONDS = 2.0
"""Below which it is not worth while to begin."""
FEW_TIMEOUTS, TIMEOUT_SHARE = 3, 0.05
"""Above both, mutants that seem to hang are run once more with more patience."""
OUT_OF_TIME = "the time for mutants was used up: not all were run"
OPTIONS = ("-o", "addopts=", "--tb=no", "-p", "no:pastebin")
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
class Mutator:
    """Mutants of the program in a private copy; `seconds` is the budget of all measuring together.

    Nothing is written but below `root`. Raises MutationError when mutants cannot be measured.
    """

    root: Path
    copy: Path
    jail: Jail
    selection: Sequence[str]
    addopts: Sequence[str] = ()
    seconds: float | None = None
    seed: int = 0
    spent: float = 0.0
    fraction: float = 1.0
    """Share of the mutants that is measured: less than 1 is a sample."""
    _known: list[Measured] = field(default_factory=list)
    _attempts: Attempts | None = None
    _before: tuple[list[Measured], Setting] | None = None
    """What was known before the last measurement."""

    @property
    def left(self) -> float | None:
        """Seconds that may still be spent; None: as many as it takes."""
        return None if self.seconds is None else max(self.seconds - self.spent, 0.0)

    @property
    def has_time(self) -> bool:
        """Whether another suite can be measured."""
        return self.left is None or STEP_SHARE * self.left >= LEAST_SECONDS

    @property
    def mutated(self) -> Path:
        """mutmut's folder of mutated sources."""
        return self.root / "project" / "mutants"

    def measure(
        self,
        suite: Suite,
        program: Program,
        left_out: Collection[str] = (),
        until: float | None = None,
    ) -> Mutation:
        """What the tests of `suite`, which stands in the copy, make of the mutants of `program`.

        `left_out` are tests (nodes, or functions) that do not count: what fails anyway, and what
        is expected to fail. `until` is the `time.monotonic()` at which it must be over.
        """
        started, self._before = time.monotonic(), None
        limit = _earliest(until, None if self.left is None else started + STEP_SHARE * self.left)
        if limit is not None and limit - started < LEAST_SECONDS:
            raise OutOfTime("the time for mutants is used up", where="--lift-mutation-minutes")
        attempts = self._setting_up(suite, program, frozenset(left_out))
        self._before = self._known, attempts.setting
        base = self._nearest(suite, program, attempts.left_out)
        try:
            measured = _Measurement(self, attempts, suite, program, base, limit).measured()
        finally:
            taken = time.monotonic() - started
            self.spent += taken
        mutation = replace(measured.mutation, seconds=taken, notes=attempts.notes)
        self._known = [*self._known[-3:], replace(measured, mutation=mutation)]
        return mutation

    def forget(self) -> None:
        """Measure everything anew next time; mutants that are made stay."""
        self._known.clear()

    def undo(self) -> None:
        """Forget what the last measurement found out, and how it had to be made: its suite was
        turned down."""
        if self._attempts is not None and self._before is not None:
            self._known, self._attempts.setting = self._before
        self._before = None

    def _setting_up(self, suite: Suite, program: Program, left_out: frozenset[str]) -> Attempts:
        """The folder of mutmut in step with the copy; what had to be left out before stays so."""
        if self._attempts is None:
            project = MutationProject(self.root / "project", self.copy, program)
            configuration = Configuration(
                tuple(project.layout.sources(program)),
                tuple(map(project.layout.placed, self.selection)),
                (*self.addopts, *OPTIONS),
                read_filters(self.copy, project.layout),
            )
            setting = Setting(configuration, fast=True)
            self._attempts = Attempts(project, self.jail, self.root / "scratch", setting)
        self._attempts.begin(suite, program, left_out)
        return self._attempts

    def _nearest(
        self, suite: Suite, program: Program, left_out: frozenset[str]
    ) -> tuple[Measured, frozenset[str]] | None:
        """What was measured before and differs least, with the test functions that may behave in
        another way; None where nothing of it can be used."""
        found = []
        for known in self._known:
            changed = _changed(known, suite, program)
            if changed is not None:
                found.append((known, changed | (known.left_out ^ left_out)))
        return min(found, key=lambda pair: len(pair[1]), default=None)


def _changed(known: Measured, suite: Suite, program: Program) -> frozenset[str] | None:
    tests = changed_tests(known.suite, suite)
    functions = changed_functions(known.program, program)
    if tests is None or functions is None:
        return None
    names = {_function_key(known.mutation, place) for place in functions}
    if None in names:
        return None  # without mutants nobody has noted which test executes it
    executing = (known.mutation.tests.get(name or "", NONE) for name in names)
    return tests | {node.partition("[")[0] for node in NONE.union(*executing)}


def _function_key(mutation: Mutation, place: tuple[str, str]) -> str | None:
    found = (m.function for m in mutation.mutants.values() if (m.file, m.symbol) == place)
    return next(found, None)


@dataclass
class _Measurement:
    """One suite being measured."""

    mutator: Mutator
    attempts: Attempts
    suite: Suite
    program: Program
    base: tuple[Measured, frozenset[str]] | None
    until: float | None

    def measured(self) -> Measured:
        project = self.attempts.project
        self._begin()
        self.attempts.prepare(self._left())
        statistics = self._statistics()
        mutants = read_mutants(project, self.program)
        _require_names(mutants.values(), statistics)
        order = sampling_order(mutants, self.mutator.seed)
        before = self._before(mutants)
        wanted = order[: round(self.mutator.fraction * len(order))]
        plan = plan_increment(before, statistics.tests, self._changed_nodes(statistics), wanted)
        cut = Statistics({**statistics.tests, **plan.tests}, statistics.seconds)
        write_statistics(project, cut)
        try:
            running = [key for key in wanted if key in plan.keys]
            found, failures = self._run_within(running, cut)
            if running and not found and not plan.known:
                raise OutOfTime(OUT_OF_TIME, where="--lift-mutation-minutes", todo="allow more")
        finally:
            write_statistics(project, statistics)
        statistics = self._statistics()  # without what was left out meanwhile
        if self.base is None and len(found) < len(running):
            self.mutator.fraction = (len(plan.known) + len(found)) / max(len(order), 1)
        verdicts = {**plan.known, **found}
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
        kept = {
            node
            for node in found.seconds
            if node not in gone and node.partition("[")[0] not in gone
        }
        return Statistics(
            {name: nodes & kept for name, nodes in found.tests.items()},
            {node: taken for node, taken in found.seconds.items() if node in kept},
        )

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
        self, keys: Sequence[str], statistics: Statistics
    ) -> tuple[dict[str, Verdict], dict[str, set[str]]]:
        """As many of `keys`, from the first on, as there is time for."""
        found: dict[str, Verdict] = {}
        failures: dict[str, set[str]] = {}
        pace, share, rest = 1.0, PILOT_SHARE, list(keys)
        while rest:
            left = self._left()
            chunk = rest if left is None else _affordable(rest, statistics, left * share / pace)
            if not chunk:
                self.attempts.note(OUT_OF_TIME)
                break
            estimated = sum(_cost(key, statistics) for key in chunk)
            began = time.monotonic()
            verdicts, failed, cut_short = self._run(chunk, statistics, left)
            found |= verdicts
            for key, nodes in failed.items():
                failures.setdefault(key, set()).update(nodes)
            if cut_short:
                break
            rest = rest[len(chunk) :]
            pace = max((time.monotonic() - began) / max(estimated, 0.1), 0.05)
            share = RUN_SHARE
        return found, failures

    def _run(
        self, keys: Sequence[str], statistics: Statistics, left: float | None
    ) -> tuple[dict[str, Verdict], dict[str, set[str]], bool]:
        finished = self._ask(keys, statistics, left)
        verdicts = self._verdicts(keys)
        failures = dict(finished.failures)
        hung = [key for key, verdict in verdicts.items() if verdict == "timed-out"]
        if len(hung) > max(FEW_TIMEOUTS, TIMEOUT_SHARE * len(keys)) and not finished.cut_short:
            self.attempts.be_patient()
            finished = self._ask(hung, statistics, self._left())
            verdicts |= self._verdicts(hung)
            failures |= finished.failures
        return verdicts, failures, finished.cut_short

    def _ask(self, keys: Sequence[str], statistics: Statistics, left: float | None) -> Finished:
        named = tuple(keys) if len(keys) <= MOST_NAMES else ()
        wanted = frozenset(keys)
        for source in self.attempts.sources:
            write_pending(self.attempts.project, source, wanted)
        try:
            finished = self.attempts.run(named, statistics.seconds, left)
        except MutationStopped as error:
            if not self._verdicts(keys):
                raise
            self.attempts.note(f"not all mutants were run: {error.what.partition(':')[0]}")
            return Finished(read_failures(self.attempts.project), 0.0, cut_short=True)
        if finished.cut_short:
            self.attempts.note(OUT_OF_TIME)
        elif unknown := len(keys) - len(self._verdicts(keys)):
            self.attempts.note(f"{unknown} mutants have no verdict: pytest was interrupted on them")
        return finished

    def _verdicts(self, keys: Sequence[str]) -> dict[str, Verdict]:
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


def _affordable(keys: Sequence[str], statistics: Statistics, seconds: float) -> list[str]:
    total, chosen = 0.0, []
    for key in keys:
        total += _cost(key, statistics)
        if total > seconds:
            break
        chosen.append(key)
    return chosen


def _cost(key: str, statistics: Statistics) -> float:
    """Seconds that a mutant takes if it survives, two or more at a time."""
    tests = statistics.tests.get(function_of(key), NONE)
    if not tests:
        return 0.0
    taken = OVERHEAD + sum(statistics.seconds.get(node, 0.0) for node in tests)
    return taken / len(os.sched_getaffinity(0))


def _earliest(*moments: float | None) -> float | None:
    return min((moment for moment in moments if moment is not None), default=None)
