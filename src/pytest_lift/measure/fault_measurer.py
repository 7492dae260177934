"""Measures which faults a suite notices: mutants, the strength of each test, orders."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from pytest_lift.calls.mutant_prober import Observer
from pytest_lift.flakiness.orders import examine_orders
from pytest_lift.flakiness.polluters import Dependence
from pytest_lift.measure.measurement import Measurement
from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.mutation.confirming import doubts, run_again
from pytest_lift.mutation.edits import changed_tests
from pytest_lift.mutation.mutation import Mutant, Mutation, Verdict
from pytest_lift.mutation.mutator import Mutator
from pytest_lift.mutation.mutmut.errors import MutationError, OutOfTime
from pytest_lift.mutation.portions import SoFar
from pytest_lift.sensitivity.measuring import Examiner
from pytest_lift.suite.suite import Suite, TestKey
from pytest_lift.text.wording import count, shortened

ORDER_RUNS, ORDER_SHARE = 12, 0.2
"""Runs of the suite that may be made to find out what depends on its order, if they take no more
than this part of the time for mutants."""
EXAMINATION_SHARE, LONGEST_EXAMINATION = 0.25, 600.0
"""Part of the time left for mutants that probing the tests may take; seconds if there is no limit.
"""
OBSERVATION_SHARE, LONGEST_OBSERVATION = 0.1, 15.0
"""Part of the time left for mutants that calls on survivors may take; seconds in any case."""
CONFIRMATION_SHARE, LONGEST_CONFIRMATION = 0.1, 30.0
"""Part of the time left for mutants that plain runs for confirmation may take; seconds in any case.
"""
MOST_NAMED, LONGEST_REASON = 3, 200
REPETITION_SHARE, LONGEST_REPETITION = 0.1, 60.0
"""Part of the time left for mutants that running lost ones again may take; seconds in any case."""
DOUBTED = "on mutants only while these are measured, and not in a plain run: it does not count"
MutantMark = tuple[str, str, str, str]
"""(key, symbol, before, after): after an edit of the program a key can be another mutant's."""


@dataclass
class FaultMeasurer:
    """Adds to measurements of `measurer` which faults their suites notice, within the time left.

    Without a `mutator` nothing is measured, and every measurement stays as it is.
    """

    measurer: SuiteMeasurer
    mutator: Mutator | None = None
    """Measures mutants; None if they are not measured, or no longer."""
    examiner: Examiner | None = None
    observer: Observer | None = None
    warn: Callable[[str], None] = lambda text: None
    """Receives, once, the reason why mutants are no longer measured."""
    dependences: tuple[Dependence, ...] = ()
    """Tests of the suite as found that depend on their order, or on chance."""
    _doubted: set[TestKey] = field(default_factory=set)
    """Tests that fail on mutants only while they are measured: they do not count."""
    _disbelieved: set[MutantMark] = field(default_factory=set)
    """Mutants on which tests seemed to hang or crash, and do not."""
    _chance: dict[MutantMark, frozenset[TestKey]] = field(default_factory=dict)
    """Mutants that were detected by chance -> tests that detected them."""
    _before: set[MutantMark] = field(default_factory=set)
    """Value of `_disbelieved` before the last suite was measured."""
    _told: set[str] = field(default_factory=set)
    _until: float | None = None
    """Time at which the current measurement must end."""

    def measure(
        self,
        measurement: Measurement,
        until: float | None = None,
        before: Measurement | None = None,
    ) -> Measurement:
        """Returns the measurement with the mutants that its suite detects, observations on the
        others, and the strength of its tests.

        `until` is the `time.monotonic()` at which measuring mutants must be over. `before` is the
        accepted measurement: mutants that it detects are still detected if there is no time and
        nothing but tests were added since, but its score is not this suite's; and if mutants were
        measured with it and cannot be with this suite, the result says so.
        """
        self._until = until
        return self._examine(self._mutate(measurement, until, before))

    def without_mutants(
        self, measurement: Measurement, before: Measurement | None, why: str
    ) -> Measurement:
        """Returns the measurement for a suite whose mutants were cut off, with what is known for
        sure."""
        self._tell(f"mutants are not measured this time: {why}")
        return replace(measurement, mutation=_of_earlier(before, measurement))

    def recall(self, measurement: Measurement) -> Measurement:
        """Returns the measurement with what was found out about its tests since; nothing is run."""
        if self.mutator is None or self.examiner is None or measurement.run.cut_short is not None:
            return measurement
        found = self.examiner.examine(
            measurement.suite, measurement.run, self.measurer.program, 0.0
        )
        return self.measurer.retrace(replace(measurement, strength=found))

    def repeat_losses(
        self, accepted: Measurement, measurement: Measurement, lost: Collection[str]
    ) -> tuple[Measurement, Measurement]:
        """Returns both measurements after the mutants that the second seems to have `lost` (keys)
        were run again, alone: a detection by chance does not count."""
        before, after, measurer = accepted.mutation, measurement.mutation, self.measurer
        if before is None or after is None or not lost:
            return accepted, measurement
        try_before = partial(measurer.try_changed, accepted.suite)
        try_after = partial(measurer.try_changed, measurement.suite)
        seconds = self._share(REPETITION_SHARE, LONGEST_REPETITION)
        with measurer.activity.wait("running again the mutants that seem to be lost"):
            found = run_again(lost, before, after, measurer.program, try_before, try_after, seconds)
        for key, nodes in found.chance.items():
            self._chance[_mark(before.mutants[key])] = _texts(accepted.suite, nodes)
        if found.chance:
            told = count(len(found.chance), "mutant")
            self._tell(f"{told} had been detected by chance: run again alone, no test detects it")
        verdicts: dict[str, Verdict] = {**after.verdicts, **dict.fromkeys(found.noticed, "killed")}
        after = replace(after, verdicts=verdicts, killers={**after.killers, **found.noticed})
        believed = self._believed(before, accepted.suite)
        return replace(accepted, mutation=believed), replace(measurement, mutation=after)

    def undo(self) -> None:
        """Forgets what the suite measured last showed of mutants, because it was refused."""
        if self.mutator is not None:
            self.mutator.undo()
            self._disbelieved = self._before

    def learn(self, same: Mapping[str, int]) -> None:
        """Records the calls that an agent tried on mutants: key -> number of calls that did not
        reveal it."""
        if self.observer is not None:
            self.observer.learn(same)

    @property
    def has_time(self) -> bool:
        """Whether the mutants of another suite can be measured."""
        return self.mutator is not None and self.mutator.has_time

    def examine_orders(self, measurement: Measurement) -> None:
        """Runs the suite in another order, and again in its own, if there is time for it; what that
        shows is in `dependences`."""
        runs = ORDER_RUNS * max(measurement.run.seconds, 0.1)
        passing = any(result.outcome == "passed" for result in measurement.run.results.values())
        if self.mutator is None or measurement.run.cut_short is not None or not passing:
            return
        if self.mutator.left is not None and runs > ORDER_SHARE * self.mutator.left:
            return
        with self.mutator.spending():
            found = examine_orders(
                measurement.run,
                lambda nodes: self.measurer.try_tests(measurement.suite, nodes)[0],
                lambda seed: self.measurer.repeat(measurement.suite, seed),
                seeds=(1,),
                repeats=1,
                most_runs=ORDER_RUNS,
            )
        self.dependences = found.found

    def _mutate(
        self, measurement: Measurement, until: float | None, before: Measurement | None
    ) -> Measurement:
        """Measures the mutants. Failing tests and tests of contradictions are left out: they detect
        nothing."""
        passing = any(result.outcome == "passed" for result in measurement.run.results.values())
        if self.mutator is None or not passing or measurement.run.cut_short is not None:
            return measurement
        self._before = set(self._disbelieved)
        try:
            self.mutator.require_room(measurement.run.seconds, until)
            self.measurer.workspace.write_suite(measurement.suite)
            found = self._measured(measurement, until)
            if before is not None:
                found = self._confirmed(found, measurement, until, before)
        except OutOfTime as error:
            return self.without_mutants(measurement, before, error.what)
        except MutationError as error:
            if before is not None and before.mutation is not None:
                return replace(measurement, unmeasurable=shortened(error.what, LONGEST_REASON))
            self.mutator = None
            self._tell(f"mutants are not measured: {error}")
            return measurement
        return replace(
            measurement,
            mutation=self._observed(measurement, self._believed(found, measurement.suite)),
        )

    def _measured(
        self, measurement: Measurement, until: float | None, again: bool = False
    ) -> Mutation:
        assert self.mutator is not None
        left_out = (
            measurement.contradicting | measurement.broken | self._doubted_in(measurement.suite)
        )
        left_out |= self.measurer.apart
        lines = partial(self.measurer.lines, measurement)
        program, so_far = self.measurer.program, SoFar(self.mutator.so_far)
        with self.measurer.activity.wait(
            "running the tests on mutants", count=so_far.count, noun="mutants", figure=so_far.told
        ):
            return self.mutator.measure(
                measurement.suite, program, left_out, until, lines, again=again
            )

    def _confirmed(
        self, found: Mutation, measurement: Measurement, until: float | None, before: Measurement
    ) -> Mutation:
        """Confirms by plain runs what generated tests detect that the accepted suite does not have.

        A part of the time for mutants is spent on it.
        """
        assert self.mutator is not None
        changed = changed_tests(before.suite, measurement.suite)
        owned = {test.node for test in measurement.suite.owned_tests()}
        new = owned if changed is None else owned & changed
        try_changed = partial(self.measurer.try_changed, measurement.suite)
        seconds = self._share(CONFIRMATION_SHARE, LONGEST_CONFIRMATION)
        known, program = before.mutation or Mutation(), self.measurer.program
        confirming = self.measurer.activity.wait("confirming what new tests detect")
        with self.mutator.spending(), confirming:
            doubtful = doubts(found, known, new, program, try_changed, seconds, self.mutator.seed)
        self._disbelieved -= {_mark(found.mutants[key]) for key in doubtful.hanging}
        self._disbelieved |= {_mark(found.mutants[key]) for key in doubtful.timeouts}
        keys = measurement.suite.keys(measurement.suite.owned_tests())
        self._doubted |= {keys[test] for test in doubtful.tests}
        return self._measured(measurement, until, again=True) if doubtful.tests else found

    def _believed(self, found: Mutation, suite: Suite) -> Mutation:
        """Returns the measurement without the detections that plain runs did not confirm."""
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
        """Returns seconds of the time that is left for mutants."""
        left = self.mutator.left if self.mutator is not None else 0.0
        seconds = longest if left is None else min(longest, share * left)
        if self._until is None:
            return seconds
        return max(min(seconds, self._until - self.measurer.time.clock()), 0.0)

    def _observed(self, measurement: Measurement, found: Mutation) -> Mutation:
        """Returns the measurement with what the calls in tests show of survivors; they take a part
        of the time for mutants."""
        if self.mutator is None or self.observer is None or not found.survivors:
            return found
        seconds = self._share(OBSERVATION_SHARE, LONGEST_OBSERVATION)
        program, mutated = self.measurer.program, self.mutator.mutated
        with self._spending(self.mutator, "calling the program with mutants"):
            # What the test of a contradiction calls is not to be asserted as it is.
            suite = measurement.suite.without(measurement.contradicting)
            seen = self.observer.observe(suite, program, found.survivors, mutated, seconds)
        return replace(found, observed=seen)

    def _examine(self, measurement: Measurement) -> Measurement:
        """Returns the measurement with the strength of tests: a test that passes while what it
        should verify is replaced verifies nothing. It takes a part of the time for mutants."""
        if self.mutator is None or self.examiner is None or measurement.run.cut_short is not None:
            return measurement
        seconds = self._share(EXAMINATION_SHARE, LONGEST_EXAMINATION)
        suite, run, program = measurement.suite, measurement.run, self.measurer.program
        self.measurer.workspace.write_suite(suite)
        with self._spending(self.mutator, "trying what each test can notice"):
            found = self.examiner.examine(suite, run, program, seconds)
        return self.measurer.retrace(replace(measurement, strength=found))

    @contextmanager
    def _spending(self, mutator: Mutator, what: str) -> Iterator[None]:
        """Spends time for mutants on something that is shown, with the copy guarded."""
        measurer = self.measurer
        guarded = measurer.workspace.guarded(apart=measurer.jail.writes)
        with mutator.spending(), guarded, measurer.activity.wait(what):
            yield

    def _tell(self, text: str) -> None:
        """Tells the user a message once."""
        if text not in self._told:
            self._told.add(text)
            self.warn(text)


def _texts(suite: Suite, nodes: Collection[str]) -> frozenset[TestKey]:
    """Returns the tests of these nodes as they are written: one that is changed is another."""
    found = {node: suite.function(node) for node in nodes}
    keys = suite.keys(test for test in found.values() if test is not None)
    return frozenset(
        keys[test.node] if test is not None else (node, "", "") for node, test in found.items()
    )


def _mark(mutant: Mutant) -> MutantMark:
    return mutant.key, *mutant.diff_text


def _of_earlier(before: Measurement | None, measurement: Measurement) -> Mutation | None:
    """Mutants that a suite detects at least, since it has all tests of one that was measured."""
    if before is None or before.mutation is None:
        return None
    gone = {test.node for test in before.suite.tests()} - {
        t.node for t in measurement.suite.tests()
    }
    changed = changed_tests(before.suite, measurement.suite)
    if gone or changed is None or any(before.suite.function(node) for node in changed):
        return None
    named = before.mutation.earlier or f"the suite with {count(before.figures.tests, 'test')}"
    return replace(before.mutation, earlier=named)
