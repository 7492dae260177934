"""Measures mutants with one suite after another; what is known is not run again."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from pytest_lift.coverage.coverage import Lines
from pytest_lift.mutation.edits import changed_functions, changed_tests
from pytest_lift.mutation.mutant_run import SHORTER, STEP_SHARE, MeasuredMutants, MutantRun
from pytest_lift.mutation.mutation import ALL, Mutation, Sample, Verdict
from pytest_lift.mutation.mutmut.attempts import Attempts, Setting
from pytest_lift.mutation.mutmut.configuration import Configuration, read_filters, within
from pytest_lift.mutation.mutmut.errors import OutOfTime
from pytest_lift.mutation.mutmut.project import MUTANTS, MutationProject
from pytest_lift.sandbox.jail import Jail
from pytest_lift.scope.scope import Scope
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Suite

LEAST_SECONDS = 2.0
"""Least seconds for which a measurement is begun."""
FIRST_RUNS = 2
"""Runs of the suite that come before the first mutant."""
PROJECT = "project"
OPTIONS = ("-o", "addopts=", "--tb=no", "-p", "no:pastebin")
NONE: frozenset[str] = frozenset()


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
    scope: Scope | None = None
    """Part of the program that is mutated; None: all of it."""
    spent: float = 0.0
    sample: Sample = ALL
    """Largest sample; after the first suite, the sample of every later one."""
    fixed: bool = False
    """Whether a suite was measured on `sample`."""
    last: bool = False
    """Whether no other suite is measured: all of the time is for this one."""
    chosen: Callable[[Sample], None] = lambda sample: None
    """Receives the sample, once it is fixed."""
    _known: list[MeasuredMutants] = field(default_factory=list)
    _attempts: Attempts | None = None
    _before: tuple[list[MeasuredMutants], Setting] | None = None
    """Results that were known before the last measurement."""

    @property
    def left(self) -> float | None:
        """Seconds that may still be spent; None: as many as it takes."""
        return None if self.seconds is None else max(self.seconds - self.spent, 0.0)

    @property
    def has_time(self) -> bool:
        """Whether another suite can be measured."""
        return self.left is None or STEP_SHARE * self.left >= LEAST_SECONDS

    def require_room(self, run: float, until: float | None = None) -> None:
        """Raises OutOfTime where a first mutant_run would be given up before any mutant is run:
        the suite, which takes `run` seconds, is run more than once to find out which test
        executes what."""
        if self._known:
            return
        now = time.monotonic()
        limit = _earliest(until, None if self.left is None else now + self.left)
        if limit is not None and limit - now < FIRST_RUNS * run + LEAST_SECONDS:
            raise OutOfTime(
                "the suite takes too long for a sample within the time for mutants",
                where="--lift-mutation-minutes",
                todo="raise --lift-mutation-minutes",
            )

    @property
    def mutated(self) -> Path:
        """mutmut's folder of mutated sources."""
        return self.root / PROJECT / MUTANTS

    def measure(
        self,
        suite: Suite,
        program: Program,
        left_out: Collection[str] = (),
        until: float | None = None,
        lines: Callable[[], Lines] = Lines,
        *,
        again: bool = False,
    ) -> Mutation:
        """Returns the verdicts of the tests of `suite`, which is written to the copy, on the
        mutants of `program`.

        `left_out` are tests (nodes, or functions) that do not count: failing ones and those
        expected to fail. `until` is the `time.monotonic()` at which it must have ended. `lines`
        returns which test executes which line, as far as known: a mutant is not run against tests
        that do not execute it. `again`: `undo` goes back to before the previous measurement, too.
        """
        started = time.monotonic()
        if not again:
            self._before = None
        limit = _earliest(until, None if self.left is None else started + self.left)
        if limit is not None and STEP_SHARE * (limit - started) < LEAST_SECONDS:
            raise OutOfTime("the time for mutants is used up", where="--lift-mutation-minutes")
        with self.spending():
            attempts = self._setting_up(suite, program, frozenset(left_out))
            self._before = self._before or (self._known, attempts.setting)
            base = self._nearest(suite, program, attempts.left_out)
            mutant_run = MutantRun(
                attempts,
                suite,
                program,
                base,
                limit,
                self.sample,
                self.fixed,
                lines,
                self.scope,
                self.last,
            )
            measured = mutant_run.measured()
            self._fix(mutant_run, measured.mutation)
        taken = time.monotonic() - started
        mutation = replace(measured.mutation, seconds=taken, notes=attempts.notes)
        self._known = [*self._known[-3:], replace(measured, mutation=mutation)]
        return mutation

    def _fix(self, mutant_run: MutantRun, mutation: Mutation) -> None:
        """Fixes the sample after the first suite that was measured."""
        if self.fixed or not mutation.complete:
            return
        if mutant_run.sample.share < self.sample.share < 1.0:
            mutant_run.attempts.note(SHORTER)
        self.sample, self.fixed = mutant_run.sample, True
        self.chosen(self.sample)

    @contextmanager
    def spending(self) -> Iterator[None]:
        """Charges the time that passes inside to the budget."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.spent += time.monotonic() - began

    def so_far(self) -> dict[str, Verdict | None]:
        """Returns `Attempts.so_far`; called by another thread than the one that measures."""
        return {} if self._attempts is None else self._attempts.so_far()

    def forget(self) -> None:
        """Forgets all verdicts, so that everything is measured again; the generated mutants
        stay."""
        self._known.clear()

    def undo(self) -> None:
        """Forgets what the last run found out, and the settings that it needed, because its suite
        was refused."""
        if self._attempts is not None and self._before is not None:
            self._known, self._attempts.setting = self._before
        self._before = None

    def _setting_up(self, suite: Suite, program: Program, left_out: frozenset[str]) -> Attempts:
        """Returns the attempts in mutmut's folder, which is in step with the copy; tests that were
        left out before stay left out."""
        if self._attempts is None:
            project = MutationProject(self.root / PROJECT, self.copy, program)
            configuration = Configuration(
                tuple(project.layout.sources(program)),
                tuple(map(project.layout.placed, self.selection)),
                (*self.addopts, *OPTIONS),
                within(read_filters(self.copy, project.layout), project.layout, self.scope),
            )
            setting = Setting(configuration, fast=True)
            self._attempts = Attempts(project, self.jail, self.root / "scratch", setting)
        self._attempts.begin(suite, program, left_out)
        return self._attempts

    def _nearest(
        self, suite: Suite, program: Program, left_out: frozenset[str]
    ) -> tuple[MeasuredMutants, frozenset[str]] | None:
        """Returns the earlier measurement that differs least, with the test functions that may
        behave in another way; None if nothing of it can be used."""
        found = []
        for known in self._known:
            changed = _changed(known, suite, program)
            if changed is not None:
                found.append((known, changed | (known.left_out ^ left_out)))
        return min(found, key=lambda pair: len(pair[1]), default=None)


def _changed(known: MeasuredMutants, suite: Suite, program: Program) -> frozenset[str] | None:
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


def _earliest(*moments: float | None) -> float | None:
    return min((moment for moment in moments if moment is not None), default=None)
