"""Measurement of one suite's mutants: which to run after an edit, in what portions and time."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial

from pytest_lift.coverage.coverage import Lines
from pytest_lift.files import untrusted
from pytest_lift.mutation.change import executing, passing_by
from pytest_lift.mutation.edits import MutantPlan, plan_increment
from pytest_lift.mutation.mutation import (
    DETECTED,
    Mutant,
    Mutation,
    Sample,
    Verdict,
    function_of,
    placed,
)
from pytest_lift.mutation.mutmut.attempts import Attempts
from pytest_lift.mutation.mutmut.command import IMPORT_ALIKE, Finished, Steered, processors
from pytest_lift.mutation.mutmut.errors import (
    MutationError,
    MutationStopped,
    OrderLost,
    OtherModules,
    OutOfTime,
)
from pytest_lift.mutation.mutmut.project import ORDER, STATS
from pytest_lift.mutation.mutmut.results import (
    Statistics,
    begin_statistics,
    left_alone,
    read_failures,
    read_imported,
    read_mutants,
    read_statistics,
    read_verdicts,
    write_pending,
    write_statistics,
)
from pytest_lift.mutation.portions import (
    OUT_OF_TIME,
    Found,
    Queue,
    Ran,
    run_in_portions,
    telling,
)
from pytest_lift.scope.scope import Scope
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Suite
from pytest_lift.text.wording import count

OVERHEAD = 0.12
"""Seconds of processor time that a mutant costs beside its tests (a fork, a session of pytest)."""
STEP_SHARE, LATER_SHARE = 0.5, 0.7
"""Parts of the time that is left once mutants are made which running them may take: for the first
suite, and for each later one."""
MOST_NAMES = 200
"""Mutants asked for by name; more are asked for by what mutmut believes to be undecided."""
FEW_TIMEOUTS, TIMEOUT_SHARE = 3, 0.05
"""Above both, mutants that seem to hang are run once more with more patience."""
SHORTER = "the sample of an earlier lift takes too long now: only its first part was measured"
NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class MeasuredMutants:
    """Measured suite, and all that is known of its mutants."""

    suite: Suite
    program: Program
    statistics: Statistics
    mutation: Mutation
    left_out: frozenset[str]


@dataclass
class MutantRun:
    """One suite being measured; raises MutationError where it cannot be."""

    attempts: Attempts
    suite: Suite
    program: Program
    base: tuple[MeasuredMutants, frozenset[str]] | None
    """Earlier measurement, and the test functions that may behave in another way now."""
    until: float | None
    sample: Sample
    """Mutants to be measured."""
    fixed: bool
    """Whether a suite was measured on it already: else it becomes what there is time for."""
    lines: Callable[[], Lines] = Lines
    """Returns which test executes which line."""
    scope: Scope | None = None
    last: bool = False
    """Whether no other suite is measured: all of the time is for this one."""

    def measured(self) -> MeasuredMutants:
        project = self.attempts.project
        self._begin()
        counted = self._prepare()
        if self.until is not None and not self.attempts.steers:
            self.until -= (1 - self._share) * max(self.until - time.monotonic(), 0.0)
        statistics = self._statistics()
        mutants = read_mutants(project, self.program)
        if counted:
            _require_names(mutants.values(), statistics)
        else:
            known = executing(mutants.values(), self.program, self._lines)
            statistics = Statistics(known, statistics.seconds).only(statistics.seconds)
            write_statistics(project, statistics)
        if self.scope is not None:
            scope = self.scope
            mutants = {k: m for k, m in mutants.items() if scope.has_symbol(m.file, m.symbol)}
        places = placed(mutants.values())
        before = self._before(mutants)
        if not self.fixed:
            self.sample = telling(self.sample, places)
        wanted = self.sample.keys(places)
        plan = plan_increment(before, statistics.tests, self._changed_nodes(statistics), wanted)
        cut = Statistics({**statistics.tests, **plan.tests}, statistics.seconds)
        write_statistics(project, cut)
        try:
            tests = self._tests([key for key in wanted if key in plan.keys], mutants, plan)
            found = self._found(_queue(wanted, tests, plan), cut)
        finally:
            write_statistics(project, statistics)
        if not counted:
            _require_imports(mutants.values(), read_imported(project))
        statistics = self._statistics()  # without what was left out meanwhile
        verdicts = found.verdicts
        if len(found.wanted) < len(wanted):
            self.sample = Sample(places[found.wanted[-1]])
        killers = {
            key: frozenset(found.failures.get(key, ())) or self._still_killing(before, key)
            for key, verdict in verdicts.items()
            if verdict in DETECTED
        }
        mutation = Mutation(
            mutants,
            verdicts,
            {key: nodes for key, nodes in killers.items() if nodes},
            statistics.tests,
            self._left_alone(),
            sample=frozenset(found.wanted) - found.silent,
        )
        if self.fixed and not mutation.complete:
            self.attempts.note(_incomplete(mutation))
        left_out = self.attempts.left_out
        return MeasuredMutants(self.suite, self.program, statistics, mutation, left_out)

    def _left_alone(self) -> dict[str, int]:
        found = left_alone(self.program)
        scope = self.scope
        return found if scope is None else {p: n for p, n in found.items() if p in scope.files}

    def _tests(
        self, keys: Sequence[str], mutants: Mapping[str, Mutant], plan: MutantPlan
    ) -> dict[str, frozenset[str]]:
        """Returns key -> the tests that execute what is changed, or may do so."""
        lines = self._lines if keys else Lines()
        found = {}
        for key in keys:
            own = plan.own.get(key, plan.tests.get(function_of(key), NONE))
            past = passing_by(mutants[key], self.program, lines)
            found[key] = own - past if past else own  # one set for all mutants of a function
        return found

    @cached_property
    def _lines(self) -> Lines:
        return self.lines()

    def _prepare(self) -> bool:
        """Prepares mutmut; returns whether it had to collect statistics. With contexts, the lift's
        own run has told which test executes what in a fraction of the time."""
        seconds = self._lines.seconds if self.base is None else {}
        if seconds:
            begin_statistics(self.attempts.project, self._staying(seconds))
            try:
                self.attempts.prepare(self._left(), told=True)
                return False
            except OutOfTime:
                raise
            except MutationError:
                self._begin()
        self.attempts.prepare(self._left())
        return True

    def _staying(self, seconds: Mapping[str, float]) -> dict[str, float]:
        gone = self.attempts.left_out
        return {
            node: taken
            for node, taken in seconds.items()
            if node not in gone and node.partition("[")[0] not in gone
        }

    def _begin(self) -> None:
        """Gives mutmut the statistics of tests that are unchanged since the base; none without a
        base."""
        project = self.attempts.project
        if self.base is None:
            untrusted.remove(project.mutants / STATS)
            untrusted.remove(project.kills / ORDER)
            return
        known, changed = self.base
        kept = {n for n in known.statistics.seconds if n.partition("[")[0] not in changed}
        write_statistics(project, known.statistics.only(kept))

    def _statistics(self) -> Statistics:
        """Returns the statistics without tests that are left out and that mutmut still
        remembers."""
        found = read_statistics(self.attempts.project)
        gone = self.attempts.left_out
        nodes = found.seconds.keys() - gone
        return found.only({node for node in nodes if node.partition("[")[0] not in gone})

    def _before(self, mutants: Mapping[str, Mutant]) -> Mutation:
        """Returns the verdicts of the base, without those of functions whose text changed."""
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

    @property
    def _share(self) -> float:
        """Seconds that mutants may take of the time there is."""
        if self.last:
            return 1.0
        return LATER_SHARE if self.fixed else STEP_SHARE

    def _left(self) -> float | None:
        return None if self.until is None else max(self.until - time.monotonic(), 0.0)

    def _found(self, queue: Queue, statistics: Statistics) -> Found:
        cost = cache(partial(_cost, statistics=statistics))
        costs = {key: cost(own) for key, own in queue.items()}
        usual = OVERHEAD / processors()
        run = partial(self._run, statistics=statistics)
        steers = partial(getattr, self.attempts, "steers")
        found = run_in_portions(
            queue,
            costs,
            run,
            self._left,
            fixed=self.fixed,
            usual=usual,
            steers=steers,
            part=self._share,
        )
        if found.out_of_time:
            self.attempts.note(OUT_OF_TIME)
        return found

    def _run(
        self,
        tests: Mapping[str, frozenset[str]],
        seconds: float | None,
        steered: Steered | None = None,
        *,
        statistics: Statistics,
    ) -> Ran:
        began = time.monotonic()
        try:
            finished, stopped = self._ask(tests, statistics, seconds, steered)
        except OrderLost:
            return Ran({}, seconds=time.monotonic() - began, begun=False)
        verdicts = self._verdicts(tests)
        failures = dict(finished.failures)
        hung = [key for key, verdict in verdicts.items() if verdict == "timed-out"]
        if len(hung) > max(FEW_TIMEOUTS, TIMEOUT_SHARE * len(tests)) and not finished.cut_short:
            self.attempts.be_patient()
            again = {key: tests[key] for key in hung}
            finished, stopped = self._ask(again, statistics, self._left())
            verdicts |= self._verdicts(hung)
            failures |= finished.failures
        taken = time.monotonic() - began
        return Ran(verdicts, failures, taken, finished.cut_short, stopped)

    def _ask(
        self,
        tests: Mapping[str, frozenset[str]],
        statistics: Statistics,
        left: float | None,
        steered: Steered | None = None,
    ) -> tuple[Finished, bool]:
        """Runs mutants; returns the verdicts, and whether the run broke off for another reason than
        time."""
        named = tuple(tests) if len(tests) <= MOST_NAMES else ()
        wanted = frozenset(tests)
        for source in self.attempts.sources:
            write_pending(self.attempts.project, source, wanted)
        try:
            finished = self.attempts.run(named, tests, statistics, left, steered)
        except MutationStopped as error:
            if not self._verdicts(tests):
                raise
            self.attempts.note(f"not all mutants were run: {error.what.partition(':')[0]}")
            return Finished(read_failures(self.attempts.project), cut_short=True), True
        if not finished.cut_short and (unknown := len(tests) - len(self._verdicts(tests))):
            self.attempts.note(
                f"{count(unknown, 'mutant')} without a verdict: pytest was interrupted on them"
            )
        return finished, False

    def _verdicts(self, keys: Collection[str]) -> dict[str, Verdict]:
        wanted = frozenset(keys)
        found: dict[str, Verdict] = {}
        for source in self.attempts.sources:
            read = read_verdicts(self.attempts.project, source)
            found |= {key: verdict for key, verdict in read.items() if verdict and key in wanted}
        return found


def _require_names(mutants: Iterable[Mutant], statistics: Statistics) -> None:
    """Raises OtherModules if no function is known to mutmut under the module name by which tests
    import it."""
    mutated = {mutant.function for mutant in mutants}
    executed = statistics.tests.keys()
    if mutated and executed and mutated.isdisjoint(executed):
        raise OtherModules(
            f"the tests import {_module(executed)}, which by its file is {_module(mutated)}",
            todo=IMPORT_ALIKE,
        )


def _require_imports(mutants: Iterable[Mutant], imported: Collection[str]) -> None:
    """Requires that the tests import the program, where mutmut has counted nothing."""
    mutated = {mutant.function for mutant in mutants}
    if mutated and imported and {*map(_home, mutated)}.isdisjoint(imported):
        raise OtherModules(
            f"the tests import {min(imported)}, which by its file is {_module(mutated)}",
            todo=IMPORT_ALIKE,
        )


def _home(function: str) -> str:
    """Returns the module of a function of mutmut's."""
    return function.rpartition(".")[0]


def _module(functions: Collection[str]) -> str:
    return _home(min(functions))


def _queue(keys: Sequence[str], tests: Mapping[str, frozenset[str]], plan: MutantPlan) -> Queue:
    return {key: (tests[key] or "survived") if key in tests else plan.known[key] for key in keys}


def _incomplete(mutation: Mutation) -> str:
    wanted = mutation.sample or NONE
    missing = len(wanted - mutation.verdicts.keys())
    told = count(len(wanted), "mutant")
    return f"{missing:,} of the {told} could not be run: the score is an estimate"


def _cost(tests: frozenset[str] | Verdict, statistics: Statistics) -> float:
    """Returns seconds that a mutant takes if it survives these tests, two or more at a time."""
    if isinstance(tests, str):
        return 0.0
    taken = OVERHEAD + sum(statistics.seconds.get(node, 0.0) for node in tests)
    return taken / processors()
