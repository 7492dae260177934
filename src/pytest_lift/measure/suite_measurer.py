"""Measures suites in the private copy: runs, coverage, trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType

from pytest_lift.coverage.coverage import Coverage, Lines
from pytest_lift.coverage.database import read_lines
from pytest_lift.errors import LiftError
from pytest_lift.files.disk import ensure_room
from pytest_lift.marks.claims import DEFAULT, Claims
from pytest_lift.measure.last_gate import LastGate
from pytest_lift.measure.measurement import NOTHING_KNOWN, Knowledge, Measurement
from pytest_lift.measure.run_coverage import RunCoverage
from pytest_lift.measure.run_times import RunTimes
from pytest_lift.measure.time_budget import UNLIMITED, Activity, TimeBudget
from pytest_lift.oracles.asking import Asker
from pytest_lift.oracles.discrepancies import Discrepancy, Looked, Tried, try_expectations
from pytest_lift.oracles.entering import EnteredFunctions
from pytest_lift.oracles.known_answers import KnownAnswers
from pytest_lift.project.ini_files import FILES
from pytest_lift.requirements.requirement import Expectation, Requirements
from pytest_lift.run.events import SessionEvents
from pytest_lift.run.plain_pytest import AS_IT_IS, Overrides, PlainPytest
from pytest_lift.run.result import Run
from pytest_lift.run.run_suite import run_suite
from pytest_lift.run.workspace import Compiler, Workspace
from pytest_lift.sandbox.jail import Jail
from pytest_lift.scope.scope import Scope
from pytest_lift.sensitivity.measuring import Strength, unproven
from pytest_lift.source.program import Program, read_program
from pytest_lift.suite.collection import is_foreign
from pytest_lift.suite.suite import Suite, path_of
from pytest_lift.trace.grounding.subjects import Grounding
from pytest_lift.trace.trace import Trace, trace_run

SETTINGS = ("conftest.py", *FILES)
"""Files that decide, wherever they are, what a test does."""

MOST_NAMED = 5
NOT_PROBED: Mapping[str, Strength] = MappingProxyType({})
RUNNING, SHUFFLED = "running the suite", "running the suite in another order"
PLAINLY = "running your plain pytest"
LONGEST_TRYOUT = 120.0
"""Seconds that a conversation waits for the tests that it wants to see run."""


@dataclass
class SuiteMeasurer:
    """Measures suites in the private copy; the reports of the last measured run are kept."""

    workspace: Workspace
    program: Program
    requirements: Requirements
    jail: Jail
    compiler: Compiler
    addopts: Sequence[str] = ()
    everything: Sequence[str] = ()
    """Places that a plain pytest of the user collects; empty: the test root."""
    timeout: float = 600.0
    contexts: bool = True
    claims: Claims = DEFAULT
    every_case: bool = True
    """Whether all cases have to pass to verify a requirement: see `statuses.status_of`."""
    scope: Scope | None = None
    """Part of the program that the lift is about; None: all of it."""
    time: TimeBudget = UNLIMITED
    """Runs of the suite that would not be over in time are not begun. Raises TimeIsUp."""
    activity: Activity = field(default_factory=Activity)
    """Activity that shows what is waited for."""
    times: RunTimes = field(default_factory=RunTimes)
    """How long runs of the suite took."""
    plain: PlainPytest | None = None
    """User's plain pytest, if it is to be run."""
    last_gate: LastGate | None = None
    measurements: int = 0
    waited: float = 0.0
    """Seconds spent in runs of pytest."""
    answers: KnownAnswers = field(default_factory=KnownAnswers)

    @cached_property
    def _run_coverage(self) -> RunCoverage:
        return RunCoverage(self.workspace, self.jail)

    @property
    def reports(self) -> Path:
        """The reports folder of the last measurement."""
        return self.workspace.scratch / "reports" / f"{self.measurements:04d}"

    @property
    def run_seconds(self) -> float:
        """Seconds that the last measured run of the suite took."""
        return self.times.measured

    @property
    def apart(self) -> frozenset[str]:
        """Tests that are not run, since the lift is not about what they test."""
        return self.scope.apart if self.scope is not None else frozenset()

    def measure(self, suite: Suite, knowledge: Knowledge = NOTHING_KNOWN) -> Measurement:
        """Runs the whole of `suite` once, in its own order, with coverage."""
        self.time.require(self.run_seconds, "running the suite")
        began = self.time.clock()
        self.workspace.write_suite(suite)
        self.measurements += 1
        self.reports.mkdir(parents=True)
        run = self._run(suite, self.reports)
        if run.ending == "refused":
            raise LiftError(
                f"pytest refused to run the suite in the private copy: {run.detail}",
                todo="run the same command without --lift and correct what it reports",
            )
        coverage = self._coverage(run)
        trace = self._trace(run, suite, coverage, knowledge)
        in_tests = sum(result.seconds for result in run.results.values())
        self.times.note_measured(self.time.clock() - began, in_tests)
        return Measurement(suite, run, coverage, trace, scope=self.scope, knowledge=knowledge)

    def lines(self, measurement: Measurement) -> Lines:
        """Returns which test executes which line, as far as contexts tell."""
        run = measurement.run
        if not self.contexts or run.reports is None:
            return Lines()
        return read_lines(run.reports, measurement.coverage, self.workspace.root, run.results)

    def take_waited(self) -> float:
        """Returns the seconds spent in runs of pytest since the last call."""
        waited, self.waited = self.waited, 0.0
        return waited

    def retrace(self, measurement: Measurement, knowledge: Knowledge | None = None) -> Measurement:
        """Computes the trace of a measurement again, with other `knowledge` if it is given."""
        knowledge = measurement.knowledge if knowledge is None else knowledge
        run, suite, coverage = measurement.run, measurement.suite, measurement.coverage
        trace = self._trace(run, suite, coverage, knowledge, measurement.strength)
        return replace(measurement, trace=trace, knowledge=knowledge)

    def _trace(
        self,
        run: Run,
        suite: Suite,
        coverage: Coverage,
        knowledge: Knowledge,
        strength: Mapping[str, Strength] = NOT_PROBED,
    ) -> Trace:
        looked = self._look(knowledge.expectations)
        said = looked.contradictions, looked.agreed, knowledge.link_grades, unproven(strength)
        return trace_run(
            self.requirements,
            run,
            suite,
            *said,
            grounding=Grounding(self.program, coverage),
            every=self.every_case,
        )

    def look_ahead(self) -> None:
        """Begins to ask what the first measurement has to know of the program."""
        self.answers.begin(self._asked, NOTHING_KNOWN.expectations, self._asker)

    def contradictions(self, knowledge: Knowledge) -> Mapping[str, tuple[Discrepancy, ...]]:
        """Returns requirement id -> where the program differs from its text or an expectation."""
        return self._look(knowledge.expectations).contradictions

    def tried(self, knowledge: Knowledge) -> Mapping[str, Tried]:
        """Returns `Expectation.key` -> what the program does with it."""
        return self._look(knowledge.expectations).tried

    def entered(self, knowledge: Knowledge) -> EnteredFunctions:
        """Returns which functions examples and expectations enter, those in the scope alone."""
        return self.answers.entered(self._asked, knowledge.expectations, self._asker)

    def depends_on(self, path: str) -> bool:
        """Whether the outcome of a test may depend on a file that is not in the suite."""
        if path.rpartition("/")[2] in SETTINGS:
            return True
        return self.program.is_inside(path) and path.endswith(".py")

    def reread(self) -> None:
        """Reads the program again from the copy, after its sources changed."""
        old = self.program
        known = old.paths, old.import_roots, old.how, old.coverage
        program = replace(read_program(self.workspace.root, *known), beside=old.beside)
        if all(file.error for file in program.files.values()):
            raise LiftError(
                "the program was changed during the lift and can no longer be read",
                where=", ".join(old.paths),
                todo="correct it, then start again; the suite is as last accepted",
            )
        self.program = program
        self.scope = self.scope.located(program) if self.scope else None
        self._run_coverage.forget()
        self.answers.forget()

    def repeat(self, suite: Suite, seed: int) -> Run:
        """Runs `suite` again without coverage, with another hash seed and shuffled; backwards for a
        negative `seed`."""
        self.time.require(self.times.again, "running the suite once more")
        self.workspace.write_suite(suite)
        run = self._run(suite, self.workspace.scratch / "repeat", measure=False, seed=seed)
        self.times.note_bare(run.seconds)
        return run

    def try_tests(self, suite: Suite, chosen: Sequence[str]) -> tuple[Run, Coverage | None]:
        """Runs some tests of a draft (paths or node ids); with the coverage of the program if the
        run was not cut short."""
        self.workspace.write_suite(suite)
        run = self._run(suite, self.workspace.scratch / "tryout", chosen=chosen)
        known = run.reports is not None and run.cut_short is None
        return run, self._coverage(run) if known else None

    def try_changed(
        self, suite: Suite, texts: Mapping[str, str], chosen: Sequence[str], seconds: float
    ) -> Run:
        """Runs some tests (node ids) while files of the program hold other texts; but for the limit
        of `seconds` the run is like any other. Raises OSError for what is no file."""
        self.workspace.write_suite(suite)
        reports = self.workspace.scratch / "tryout"
        with self.workspace.replaced(texts):
            return self._run(suite, reports, chosen=chosen, seconds=seconds)

    def run_plainly(
        self, suite: Suite, chosen: Sequence[str] | None = None, overrides: Overrides = AS_IT_IS
    ) -> Run:
        """Runs `suite`, or `chosen` files of it, with the user's own plain pytest."""
        assert self.plain is not None
        if chosen is None and self.scope is not None:
            chosen = self.scope.selection(suite) or None
        if chosen is None:
            self.time.require(self.times.again, PLAINLY)
        self.workspace.write_suite(suite)
        session = SessionEvents()
        limit = min(self.timeout, LONGEST_TRYOUT) if chosen else self.timeout
        start = partial(self.plain.run, limit, session=session, chosen=chosen, overrides=overrides)
        estimate = 0.0 if chosen else self.run_seconds
        run = self._guarded(suite, start, session, PLAINLY, estimate)
        if chosen:
            self.times.note_start(run.seconds)
        return run

    def try_expectations(
        self, knowledge: Knowledge, said: Sequence[Expectation]
    ) -> Mapping[str, Tried]:
        """Returns `Expectation.key` -> what the program does with it: those of `knowledge` and
        `said`."""
        known = self.tried(knowledge)
        new = [one for one in said if one.key not in known]
        return {**known, **try_expectations(new, self._asker)}

    @property
    def _asker(self) -> Asker:
        return Asker(self.program, self.workspace.root, self.workspace.scratch, self.jail)

    def _run(
        self,
        suite: Suite,
        reports: Path,
        *,
        measure: bool = True,
        seed: int | None = None,
        chosen: Sequence[str] = (),
        seconds: float = LONGEST_TRYOUT,
    ) -> Run:
        """Runs the suite; `seconds` limits a run of `chosen` tests."""
        limit = min(self.timeout, seconds) if chosen else self.timeout
        session = SessionEvents()
        start = partial(
            self._run_suite,
            suite,
            reports,
            limit,
            session,
            measure=measure,
            seed=seed,
            chosen=chosen,
        )
        told = "running some tests" if chosen else RUNNING if seed is None else SHUFFLED
        return self._guarded(suite, start, session, told, 0.0 if chosen else self.run_seconds)

    def _run_suite(
        self,
        suite: Suite,
        reports: Path,
        seconds: float,
        session: SessionEvents,
        *,
        measure: bool,
        seed: int | None,
        chosen: Sequence[str],
    ) -> Run:
        """Runs the suite in a child, which tests in one process replace."""
        return run_suite(
            self.workspace.root,
            self._measured,
            test_root=suite.root,
            selection=chosen or self._selection(suite),
            reports=reports,
            scratch=self.workspace.scratch,
            seconds=seconds,
            jail=self.jail,
            claims=self.claims,
            addopts=self.addopts,
            measure=measure,
            contexts=self.contexts,
            shuffle=seed,
            hash_seed=max(seed, ~seed) if seed is not None else 0,
            session=session,
        )

    def _guarded(
        self,
        suite: Suite,
        start: Callable[[], Run],
        session: SessionEvents,
        told: str,
        estimate: float,
    ) -> Run:
        """Runs with the copy guarded: a run that changes it is worthless. `told` is shown
        meanwhile."""
        self._compile(suite)
        with (
            self.workspace.guarded(apart=self.jail.writes) as touched,
            self.activity.wait(
                told,
                estimate=estimate,
                count=lambda: (len(session.tests), len(session.collected)),
            ),
        ):
            run = start()
        self.waited += run.seconds
        if run.ending == "refused" or run.cut_short is not None:
            # A full disk looks like a crash of whatever test was running.
            ensure_room(self.workspace.scratch, "the suite cannot be run in the private copy")
        code = [path for path in touched if path.endswith(".py")]
        return replace(run, ending="crashed", detail=_tampered(code)) if code else run

    def _compile(self, suite: Suite) -> None:
        """Compiles the files that most runs import; other files are compiled by the run that
        imports them."""
        fresh = self.workspace.uncompiled & (self._run_files(suite) | self.program.files.keys())
        self.workspace.uncompiled.difference_update(fresh)
        self.compiler.compile(self.workspace.root, sorted(fresh))

    def _run_files(self, suite: Suite) -> Set[str]:
        """Returns the files of the suite that its run imports."""
        if self.scope is None:
            return suite.files.keys()
        chosen = {path_of(one) for one in self.scope.selection(suite)}
        return {p for p in suite.files if p in chosen or not suite.naming.is_test_file(p)}

    @property
    def _measured(self) -> Program:
        """Part of the program to measure: files of the scope only, because measuring the others
        takes most of the time of a run of few tests."""
        if self.scope is None or not self.scope.files:
            return self.program
        return replace(self.program, paths=tuple(sorted(self.scope.files)))

    def _selection(self, suite: Suite) -> Sequence[str]:
        if self.scope is None:
            return self.everything
        return self.scope.selection(suite) or (suite.root, "--ignore-glob=*")

    @property
    def collected_elsewhere(self) -> frozenset[str]:
        """Test files beside the test root that are there and not run: no new file may have the
        module name of one."""
        if self.scope is None:
            return frozenset()
        root, naming = self.workspace.root, self.compiler.naming
        found = (path.relative_to(root).as_posix() for path in root.rglob("*.py"))
        return frozenset(
            path
            for path in found
            if naming.is_test_file(path) and not any(map(is_foreign, path.split("/")[:-1]))
        )

    def _coverage(self, run: Run) -> Coverage:
        """Returns the coverage of a run, which tests in one process read otherwise."""
        return self._run_coverage.of(run, self.program, self.scope)

    def _look(self, expectations: tuple[Expectation, ...]) -> Looked:
        with self.activity.wait("asking the program"):
            return self.answers.looked(self._asked, expectations, self._asker)

    @property
    def _asked(self) -> Requirements:
        """The requirements in the scope; others are not tried."""
        return self.requirements if self.scope is None else self.scope.of(self.requirements)


def _tampered(paths: Sequence[str]) -> str:
    """Returns why a run that changed files of the project does not count, in words."""
    named = ", ".join(sorted(paths)[:MOST_NAMED])
    return f"the tests changed files of the project while they ran: {named}"
