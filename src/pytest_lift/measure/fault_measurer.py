"""The bench that measures which faults a suite notices: mutants, each test's strength, orders."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from pytest_lift.calls.observing import Observer
from pytest_lift.flakiness.orders import Dependence, examine_orders
from pytest_lift.measure.measurement import Trial
from pytest_lift.measure.suite_measurer import Bench
from pytest_lift.mutation.confirming import doubts
from pytest_lift.mutation.edits import changed_tests
from pytest_lift.mutation.losses import run_again
from pytest_lift.mutation.mutants import Mutant, Mutation, Verdict
from pytest_lift.mutation.mutator import Mutator
from pytest_lift.mutation.mutmut.errors import MutationError, OutOfTime
from pytest_lift.mutation.so_far import SoFar
from pytest_lift.sensitivity.examining import Examiner
from pytest_lift.suite.suite import Suite, TestKey
from pytest_lift.text.differing import shortened
from pytest_lift.text.wording import count

ORDER_RUNS, ORDER_SHARE = 12, 0.2
"""Runs of the suite that may be made to find out what depends on its order, if they take no more
than this part of the time for mutants."""
EXAMINATION_SHARE, LONGEST_EXAMINATION = 0.25, 600.0
"""Of the time that is left for mutants, what probing the tests may take; seconds without limit."""
OBSERVATION_SHARE, LONGEST_OBSERVATION = 0.1, 15.0
"""The same for calls that are tried on survivors; seconds in any case."""
CONFIRMATION_SHARE, LONGEST_CONFIRMATION = 0.1, 30.0
"""The same for plain runs that confirm what new tests notice."""
MOST_NAMED, LONGEST_REASON = 3, 200
REPETITION_SHARE, LONGEST_REPETITION = 0.1, 60.0
"""The same for mutants that seem to be lost, which are run again."""
DOUBTED = "on mutants only while these are measured, and not in a plain run: it does not count"
MutantMark = tuple[str, str, str, str]
"""(key, symbol, before, after): after an edit of the program a key can be another mutant's."""


@dataclass
class FaultBench:
    """Adds to the trials of `bench` which faults their suites notice, within the time for that.

    Without a `mutator` nothing is measured, and every trial stays as it is.
    """

    bench: Bench
    mutator: Mutator | None = None
    """What measures mutants; None where they are not, or not any more."""
    examiner: Examiner | None = None
    observer: Observer | None = None
    warn: Callable[[str], None] = lambda text: None
    """Told once why mutants are not measured any more."""
    dependences: tuple[Dependence, ...] = ()
    """Of the suite as it was found: tests that depend on their order, or on chance."""
    _doubted: set[TestKey] = field(default_factory=set)
    """Tests that fail on mutants only while they are measured: they do not count."""
    _disbelieved: set[MutantMark] = field(default_factory=set)
    """Mutants with which tests seemed to hang or crash, and do not."""
    _chance: dict[MutantMark, frozenset[TestKey]] = field(default_factory=dict)
    """Mutants that were noticed by chance -> the tests that seemed to do so."""
    _before: set[MutantMark] = field(default_factory=set)
    """The same, before the last suite was measured."""
    _told: set[str] = field(default_factory=set)
    _until: float | None = None
    """When what is measured now must be over."""

    def measure(
        self, trial: Trial, until: float | None = None, before: Trial | None = None
    ) -> Trial:
        """The same trial with the mutants that its suite detects, what calls show of the others,
        and what its tests can notice.

        `until` is the `time.monotonic()` at which measuring mutants must be over. `before` is the
        accepted trial: what it detects is still detected if there is no time and nothing but
        tests were added since, but its score is not this suite's; and where mutants were measured
        with it and cannot be with this suite, the trial says so.
        """
        self._until = until
        return self._examine(self._mutate(trial, until, before))

    def without_mutants(self, trial: Trial, before: Trial | None, why: str) -> Trial:
        """The same trial where measuring mutants was cut off; what is known for sure holds."""
        self._tell(f"mutants are not measured this time: {why}")
        return replace(trial, mutation=_of_earlier(before, trial))

    def recall(self, trial: Trial) -> Trial:
        """The same trial with what was found out of its tests since; nothing is run."""
        if self.mutator is None or self.examiner is None or trial.run.cut_short is not None:
            return trial
        found = self.examiner.examine(trial.suite, trial.run, self.bench.program, 0.0)
        return self.bench.retrace(replace(trial, strength=found))

    def repeat_losses(
        self, accepted: Trial, trial: Trial, lost: Collection[str]
    ) -> tuple[Trial, Trial]:
        """Both, after mutants that the second seems to have `lost` (keys) were run again, alone:
        what was noticed by chance was never noticed."""
        before, after, bench = accepted.mutation, trial.mutation, self.bench
        if before is None or after is None or not lost:
            return accepted, trial
        try_before = partial(bench.try_changed, accepted.suite)
        try_after = partial(bench.try_changed, trial.suite)
        seconds = self._share(REPETITION_SHARE, LONGEST_REPETITION)
        with bench.activity.wait("running again the mutants that seem to be lost"):
            found = run_again(lost, before, after, bench.program, try_before, try_after, seconds)
        for key, nodes in found.chance.items():
            self._chance[_mark(before.mutants[key])] = _texts(accepted.suite, nodes)
        if found.chance:
            told = count(len(found.chance), "mutant")
            self._tell(f"{told} had been detected by chance: run again alone, nothing notices it")
        verdicts: dict[str, Verdict] = {**after.verdicts, **dict.fromkeys(found.noticed, "killed")}
        after = replace(after, verdicts=verdicts, killers={**after.killers, **found.noticed})
        believed = self._believed(before, accepted.suite)
        return replace(accepted, mutation=believed), replace(trial, mutation=after)

    def undo(self) -> None:
        """The suite measured last was turned down: forget what it said of mutants."""
        if self.mutator is not None:
            self.mutator.undo()
            self._disbelieved = self._before

    def learn(self, same: Mapping[str, int]) -> None:
        """An agent tried calls on mutants: key -> how many of them did not show it."""
        if self.observer is not None:
            self.observer.learn(same)

    @property
    def has_time(self) -> bool:
        """Whether the mutants of another suite can be measured."""
        return self.mutator is not None and self.mutator.has_time

    def examine_orders(self, trial: Trial) -> None:
        """Run the suite in another order, and again in its own, if there is time for it; what
        that shows is in `dependences`."""
        runs = ORDER_RUNS * max(trial.run.seconds, 0.1)
        passing = any(result.outcome == "passed" for result in trial.run.results.values())
        if self.mutator is None or trial.run.cut_short is not None or not passing:
            return
        if self.mutator.left is not None and runs > ORDER_SHARE * self.mutator.left:
            return
        with self.mutator.spending():
            found = examine_orders(
                trial.run,
                lambda nodes: self.bench.try_tests(trial.suite, nodes)[0],
                lambda seed: self.bench.repeat(trial.suite, seed),
                seeds=(1,),
                repeats=1,
                most_runs=ORDER_RUNS,
            )
        self.dependences = found.found

    def _mutate(self, trial: Trial, until: float | None, before: Trial | None) -> Trial:
        """Tests that fail, and those of contradictions, detect nothing."""
        passing = any(result.outcome == "passed" for result in trial.run.results.values())
        if self.mutator is None or not passing or trial.run.cut_short is not None:
            return trial
        self._before = set(self._disbelieved)
        try:
            self.mutator.require_room(trial.run.seconds, until)
            self.bench.workspace.write_suite(trial.suite)
            found = self._measured(trial, until)
            if before is not None:
                found = self._confirmed(found, trial, until, before)
        except OutOfTime as error:
            return self.without_mutants(trial, before, error.what)
        except MutationError as error:
            if before is not None and before.mutation is not None:
                return replace(trial, unmeasurable=shortened(error.what, LONGEST_REASON))
            self.mutator = None
            self._tell(f"mutants are not measured: {error}")
            return trial
        return replace(trial, mutation=self._observed(trial, self._believed(found, trial.suite)))

    def _measured(self, trial: Trial, until: float | None, again: bool = False) -> Mutation:
        assert self.mutator is not None
        left_out = trial.contradicting | trial.broken | self._doubted_in(trial.suite)
        left_out |= self.bench.apart
        lines = partial(self.bench.lines, trial)
        program, so_far = self.bench.program, SoFar(self.mutator.so_far)
        with self.bench.activity.wait(
            "running the tests on mutants", count=so_far.count, noun="mutants", figure=so_far.told
        ):
            return self.mutator.measure(trial.suite, program, left_out, until, lines, again=again)

    def _confirmed(
        self, found: Mutation, trial: Trial, until: float | None, before: Trial
    ) -> Mutation:
        """What generated tests that the accepted suite does not have notice, they must notice in
        plain runs, too. A part of the time for mutants is spent on it."""
        assert self.mutator is not None
        changed = changed_tests(before.suite, trial.suite)
        owned = {test.node for test in trial.suite.owned_tests()}
        new = owned if changed is None else owned & changed
        try_changed = partial(self.bench.try_changed, trial.suite)
        seconds = self._share(CONFIRMATION_SHARE, LONGEST_CONFIRMATION)
        known, program = before.mutation or Mutation(), self.bench.program
        confirming = self.bench.activity.wait("confirming what new tests notice")
        with self.mutator.spending(), confirming:
            doubtful = doubts(found, known, new, program, try_changed, seconds, self.mutator.seed)
        self._disbelieved -= {_mark(found.mutants[key]) for key in doubtful.hanging}
        self._disbelieved |= {_mark(found.mutants[key]) for key in doubtful.timeouts}
        keys = trial.suite.keys(trial.suite.owned_tests())
        self._doubted |= {keys[test] for test in doubtful.tests}
        return self._measured(trial, until, again=True) if doubtful.tests else found

    def _believed(self, found: Mutation, suite: Suite) -> Mutation:
        """Without what plain runs did not confirm."""
        notes, verdicts = found.notes, dict(found.verdicts)
        for key in found.detected:
            mark, killers = _mark(found.mutants[key]), found.killers.get(key, frozenset())
            hangs = verdicts[key] != "killed" and mark in self._disbelieved
            known = self._chance.get(mark)
            if hangs or (known is not None and _texts(suite, killers) <= known):
                verdicts[key] = "survived"
        if doubted := self._doubted_in(suite):
            named = ", ".join(sorted(doubted)[:MOST_NAMED])
            notes = *notes, f"{count(len(doubted), 'new test')} failed {DOUBTED}: {named}"
        return replace(found, verdicts=verdicts, notes=notes)

    def _doubted_in(self, suite: Suite) -> set[str]:
        keys = suite.keys(suite.owned_tests()) if self._doubted else {}
        return {node for node, key in keys.items() if key in self._doubted}

    def _share(self, share: float, longest: float) -> float:
        """Of the time that is left for mutants, in seconds."""
        left = self.mutator.left if self.mutator is not None else 0.0
        seconds = longest if left is None else min(longest, share * left)
        if self._until is None:
            return seconds
        return max(min(seconds, self._until - self.bench.time.clock()), 0.0)

    def _observed(self, trial: Trial, found: Mutation) -> Mutation:
        """With what the calls that tests write show of survivors. A part of the time for mutants
        is spent on it."""
        if self.mutator is None or self.observer is None or not found.survivors:
            return found
        seconds = self._share(OBSERVATION_SHARE, LONGEST_OBSERVATION)
        bench, mutated = self.bench, self.mutator.mutated
        calling = bench.activity.wait("calling the program with mutants")
        with self.mutator.spending(), bench.workspace.guarded(apart=bench.jail.writes), calling:
            # What the test of a contradiction calls is not to be asserted as it is.
            suite = trial.suite.without(trial.contradicting)
            seen = self.observer.observe(suite, bench.program, found.survivors, mutated, seconds)
        return replace(found, observed=seen)

    def _examine(self, trial: Trial) -> Trial:
        """A test that passes while what it is said to verify is gone verifies nothing. A part of
        the time for mutants is spent on it."""
        if self.mutator is None or self.examiner is None or trial.run.cut_short is not None:
            return trial
        seconds = self._share(EXAMINATION_SHARE, LONGEST_EXAMINATION)
        bench = self.bench
        bench.workspace.write_suite(trial.suite)
        probing = bench.activity.wait("trying what each test can notice")
        with self.mutator.spending(), bench.workspace.guarded(apart=bench.jail.writes), probing:
            found = self.examiner.examine(trial.suite, trial.run, bench.program, seconds)
        return bench.retrace(replace(trial, strength=found))

    def _tell(self, text: str) -> None:
        """Once each."""
        if text not in self._told:
            self._told.add(text)
            self.warn(text)


def _texts(suite: Suite, nodes: Collection[str]) -> frozenset[TestKey]:
    """The tests of these nodes as they are written: one that is changed is another."""
    found = {node: suite.function(node) for node in nodes}
    keys = suite.keys(test for test in found.values() if test is not None)
    return frozenset(
        keys[test.node] if test is not None else (node, "", "") for node, test in found.items()
    )


def _mark(mutant: Mutant) -> MutantMark:
    return mutant.key, *mutant.diff_text


def _of_earlier(before: Trial | None, trial: Trial) -> Mutation | None:
    """What a suite detects at least that has all the tests of one which was measured."""
    if before is None or before.mutation is None:
        return None
    gone = {test.node for test in before.suite.tests()} - {t.node for t in trial.suite.tests()}
    changed = changed_tests(before.suite, trial.suite)
    if gone or changed is None or any(before.suite.function(node) for node in changed):
        return None
    named = before.mutation.earlier or f"the suite with {count(before.figures.tests, 'test')}"
    return replace(before.mutation, earlier=named)
