"""A lift from the user's session to the summary: set up, loop, land, report, exit code."""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest

from pytest_lift.calls.mutant_prober import Observer
from pytest_lift.errors import LiftError, UsageError
from pytest_lift.evolve.iteration import Iteration
from pytest_lift.evolve.loop import Lift
from pytest_lift.evolve.publisher import IterationLog, Publisher
from pytest_lift.evolve.resume import Resumed, resumed
from pytest_lift.evolve.setup import Setup
from pytest_lift.files.disk import REMEDIES, ensure_room, storage_error
from pytest_lift.llm.values import Usage
from pytest_lift.measure.fault_measurer import FaultMeasurer
from pytest_lift.measure.footing import NO_FOOTING, Footing, PytestSettings, find_footing
from pytest_lift.measure.run_times import RunTimes
from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.measure.time_budget import NotBegun, TimeBudget, TimeIsUp, spoken
from pytest_lift.mutation.mutation import keep_sample, known_sample
from pytest_lift.mutation.mutator import Mutator
from pytest_lift.mutation.mutmut.command import require_mutmut
from pytest_lift.mutation.mutmut.errors import MutmutMissing
from pytest_lift.options import MARKS
from pytest_lift.project.import_path import session_folders
from pytest_lift.report.terminal import Terminal
from pytest_lift.run.events import run_from_events
from pytest_lift.run.plain_pytest import PlainPytest, typed
from pytest_lift.run.pytest_options import (
    asked_options,
    collected_by_default,
    inner_addopts,
    partial_selection,
)
from pytest_lift.run.workspace import Compiler, Workspace
from pytest_lift.sensitivity.measuring import Examiner
from pytest_lift.session.crash import kept
from pytest_lift.session.finish import Conclusion
from pytest_lift.session.lift_session import LiftSession
from pytest_lift.session.prepare import session_coverage
from pytest_lift.source.syntax import said_of_code_hidden
from pytest_lift.store.archive import HistoryRun
from pytest_lift.store.history import History
from pytest_lift.store.landing import recover
from pytest_lift.store.search_memory import WORTHLESS, SearchMemory
from pytest_lift.suite.respelling import known_marks
from pytest_lift.suite.suite import Suite, read_suite
from pytest_lift.text.wording import outcomes
from pytest_lift.trace.statuses import BAD

CALLS = "calls"
"""Folder of a run in which the calls of a model are recorded."""
MOST_WARNINGS = 10
"""Files named that could not be read or copied."""


def evolve(session: LiftSession, exit_code: int) -> int:
    """Lifts the suite, prints the section and returns the new exit code. Never raises for the
    user."""
    config = session.config
    reporter = config.pluginmanager.getplugin("terminalreporter")
    terminal = Terminal(reporter, verbosity=getattr(config.option, "verbose", 0))
    conclusion = Conclusion(session, terminal, exit_code)
    terminal.activity.begin("prepare")
    terminal.start()
    try:
        with said_of_code_hidden():
            return _Evolution(session, terminal, conclusion).run()
    except LiftError as error:
        return conclusion.fail("failed", str(error))
    except KeyboardInterrupt:
        told = "interrupted before there was anything to keep; your tests are as they were"
        return conclusion.fail("interrupted", told)
    except TimeIsUp as error:
        told = f"{error}: nothing is measured, and nothing changed"
        if not isinstance(error, NotBegun):  # which says how long
            whole = terminal.activity.projected or session.seconds
            told += f" (the suite takes about {spoken(whole)})"
        return conclusion.fail("budget", told)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in REMEDIES:
            return conclusion.fail("failed", str(storage_error(error, "the lift cannot go on")))
        # A defect of this package, or of a plugin's agents: the user gets a file to send, not a
        # traceback, and pytest still closes its session properly.
        place = session.start.settings.lift_dir
        return conclusion.fail(
            "failed",
            "an internal error ended the lift; your tests are as last accepted (undo: "
            f"pytest-lift restore). Please report it with {kept(place, error)}",
        )


@dataclass
class _Evolution:
    session: LiftSession
    terminal: Terminal
    conclusion: Conclusion
    resumed: Resumed | None = None
    began: float = field(default_factory=time.monotonic)
    footing: Footing = NO_FOOTING

    def run(self) -> int:
        settings, program = self.session.start.settings, self.session.start.program
        recover(settings.root, settings.lift_dir, settings.tests)
        ensure_room(Path(tempfile.gettempdir()), "there is no room for the private copy")
        suite = read_suite(settings.root, settings.tests, settings.naming)
        if self.session.scope is not None and self.session.scope.is_empty:
            return self._nothing()
        history = History.open(settings.root)
        if settings.resume:
            self.resumed = resumed(history, settings.tests, settings.naming)
            self.conclusion.resumed_after = self.resumed.after if self.resumed else None
        copied = Workspace.create(
            settings.root,
            program.paths,
            tests=settings.tests,
            allow_read=settings.allow_read,
        )
        with copied as workspace, ExitStack() as ending:
            warnings = (*suite.warnings, *workspace.warnings)
            measurer = self._suite_measurer(workspace)
            ending.callback(measurer.answers.give_up)  # else it would be asked in a folder anew
            footing = NO_FOOTING if settings.dry_run else self._footing(measurer, suite)
            facts = [*footing.why, *footing.told, *self._facts(), *warnings[:MOST_WARNINGS]]
            faults = self._fault_measurer(measurer)
            table, mutants = not settings.dry_run, faults.mutator is not None
            asked = bool(len(self.session.requirements))
            self.terminal.open(facts, table=table, mutants=mutants, requirements=asked)
            if settings.dry_run:
                return self._rehearse(faults, suite)
            self.conclusion.forget_earlier()
            run = self._run(history)
            if faults.mutator is not None:
                self._keep_sample(faults.mutator, history, run)
            publisher = self._publisher(measurer, run, suite, footing)
            try:
                self._configure(publisher, footing, workspace)
                outcome = self._lift(faults, publisher).run(suite, self.resumed)
            finally:
                publisher.take_back_unused()
        return self.conclusion.conclude(outcome, publisher)

    def _nothing(self) -> int:
        """Ends a lift of changes without any change: the user's session was all there is to run."""
        self.terminal.open([f"nothing to lift: {self.session.scope}"], table=False)
        return self.conclusion.nothing(f"{self.session.scope}")

    def _footing(self, measurer: SuiteMeasurer, suite: Suite) -> Footing:
        """Asks plain pytest about the program; from here on it has the last word."""
        config, settings = self.session.config, self.session.start.settings
        workspace = measurer.workspace
        how = typed(config, settings.root, settings.tests)
        measurer.plain = PlainPytest(
            settings.root, workspace.root, workspace.scratch, measurer.jail, measurer.program, how
        )
        if self.resumed is None and len(self.session.requirements):
            measurer.look_ahead()  # that takes as long as plain pytest does
        self._make_agents_ready()
        own = PytestSettings.of(config, settings.root)
        landing = settings.output == "land"
        footing = find_footing(
            measurer,
            suite,
            own,
            landing=landing,
            write=settings.write_config,
            marks=own.unregistered() if len(self.session.requirements) else (),
        )
        measurer.last_gate, self.footing = footing.gate, footing
        if footing.beside:
            beside = (*measurer.program.beside, *footing.beside)
            measurer.program = replace(measurer.program, beside=beside)
        return footing

    def _make_agents_ready(self) -> None:
        """Has the agents load their modules in a thread; what fails then fails once more where it
        is told."""
        get_ready = self.session.agents.get_ready

        def work() -> None:
            with suppress(Exception):
                get_ready()

        if get_ready is not None:
            threading.Thread(target=work, name="loading agents", daemon=True).start()

    def _configure(self, publisher: Publisher, footing: Footing, workspace: Workspace) -> None:
        if footing.edit is not None and publisher.landing:
            if why := publisher.configure(footing.edit):
                raise LiftError(why, where=footing.edit.name, todo="start again")
            workspace.sync()

    def _run(self, history: History) -> HistoryRun:
        now = datetime.now(self.session.zone)
        run = self.resumed.run if self.resumed else history.start_run(now)
        self.conclusion.run_id = run.id
        ledger = self.session.agents.ledger
        if ledger is not None:
            ledger.keep(run.folder / CALLS)
            earlier = self.resumed.iterations if self.resumed else ()
            ledger.before(sum((iteration.spent for iteration in earlier), Usage()))
        return run

    def _suite_measurer(self, workspace: Workspace) -> SuiteMeasurer:
        settings, program = self.session.start.settings, self.session.start.program
        return SuiteMeasurer(
            workspace,
            replace(
                program,
                beside=session_folders(settings.root, sys.path, program, settings.tests),
            ),
            self.session.requirements,
            self.session.start.jail.inside(settings.root, workspace.root),
            Compiler(self.session.config, settings.naming),
            asked_options(self.session.config, settings.root),
            collected_by_default(self.session.config, settings.root, settings.tests),
            settings.timeout,
            settings.contexts,
            settings.claims,
            scope=self.session.scope,
            every_case=settings.every_case,
            time=self._time(),
            # As long as nothing better is known.
            times=RunTimes(self.session.seconds),
            activity=self.terminal.activity,
        )

    def _fault_measurer(self, measurer: SuiteMeasurer) -> FaultMeasurer:
        settings, workspace = self.session.start.settings, measurer.workspace
        faults = FaultMeasurer(measurer, warn=self.terminal.warn)
        if settings.mutation != "off" and not settings.dry_run and not self._missing_mutmut():
            faults.mutator = Mutator(
                workspace.scratch / "mutation",
                workspace.root,
                measurer.jail,
                measurer.everything or (settings.tests,),
                inner_addopts(measurer.addopts),
                settings.mutation_seconds,
                self._seed(),
                measurer.scope,
            )
            faults.observer = Observer(
                workspace.root, workspace.scratch / "observing", measurer.jail
            )
            faults.examiner = Examiner(
                workspace.root,
                workspace.scratch,
                measurer.jail,
                measurer.requirements,
                measurer.addopts,
                measurer.claims,
            )
        return faults

    def _keep_sample(self, mutator: Mutator, history: History, run: HistoryRun) -> None:
        """Lifts of one program are measured on the same mutants, unless all were asked for."""
        program = self.session.start.program
        if self.session.scope is not None:
            return  # those of a part are others
        mutator.chosen = partial(keep_sample, run.folder, program)
        if self.session.start.settings.mutation != "full":
            folders = (history.run_named(name).folder for name in history.runs())
            mutator.sample = known_sample(folders, program) or mutator.sample

    def _missing_mutmut(self) -> str:
        """Returns why mutants cannot be measured. Raises UsageError if they were asked for."""
        settings = self.session.start.settings
        try:
            require_mutmut()
        except MutmutMissing as error:
            if settings.mutation == "full" or settings.min_mutation is not None:
                raise UsageError(error.what, where="--lift-mutation", todo=error.todo) from error
            return f"mutants are not measured: {error.what}; {error.todo}"
        return ""

    def _publisher(
        self, measurer: SuiteMeasurer, run: HistoryRun, suite: Suite, footing: Footing = NO_FOOTING
    ) -> Publisher:
        settings = self.session.start.settings
        landing = settings.output == "land" and footing.lands
        kept_from = () if footing.lands or settings.output != "land" else footing.why
        return Publisher(
            settings.root,
            measurer,
            run,
            suite,
            landing=landing,
            kept_from_landing=kept_from,
            settings=None if landing else footing.edit,
            finished=self._finished,
        )

    def _lift(self, faults: FaultMeasurer, publisher: Publisher) -> Lift:
        agents = self.session.agents
        registered = self.session.config.getini("markers")
        lift_dir = self.session.start.settings.lift_dir
        setup = Setup(
            faults,
            agents,
            IterationLog(
                publisher, agents.ledger, self.terminal.progress, self.began, seed=self._seed()
            ),
            say=self.terminal.say,
            memory=SearchMemory(lift_dir, self.terminal.say),
            judgements=SearchMemory(lift_dir, self.terminal.say, WORTHLESS),
            marks=known_marks(registered, MARKS, publisher.found) | self.footing.marks,
        )
        minimise = self.session.start.settings.minimise and publisher.measurer.scope is None
        return Lift(setup, self._stop, minimise)

    def _rehearse(self, faults: FaultMeasurer, suite: Suite) -> int:
        """Says what would be sent; sends and writes nothing."""
        nowhere = HistoryRun(self.session.start.settings.lift_dir, "")
        publisher = self._publisher(faults.measurer, nowhere, suite)
        lines = self._lift(faults, publisher).rehearse(suite)
        self.terminal.rehearsed(lines)
        nothing = self.conclusion.exit_code == pytest.ExitCode.NO_TESTS_COLLECTED
        return int(pytest.ExitCode.OK) if nothing else self.conclusion.exit_code

    def _facts(self) -> Iterator[str]:
        settings = self.session.start.settings
        yield from self.session.agents.told or [f"{self.session.agents.name} agents"]
        if self.session.start.jail.tier == "off":
            yield "no jail (--lift-sandbox=off): generated tests run as you, with all your rights"
        if self.resumed:
            yield f"resumed after iteration {self.resumed.after} of run {self.resumed.run.id}"
        elif settings.resume:
            yield "the newest run ended before iteration 0 was complete: this is a new run"
        if settings.mutation != "off" and (missing := self._missing_mutmut()):
            yield missing
        yield from self._scope()
        if self.session.removed:
            yield "one of your tests removed .lift: earlier runs cannot be restored any more"
        yield from self._own_session()
        partial = partial_selection(self.session.config)
        if partial:
            yield (
                f"your selection ({' '.join(partial)}) limits your own session only: "
                "the lift measures the whole suite"
            )
        yield from self.session.start.program.carried_lines
        yield from self.session.start.program.coverage_lines
        yield from self.session.requirements.warnings

    def _scope(self) -> Iterator[str]:
        scope = self.session.scope
        if scope is None:
            return
        yield f"only this is lifted: {scope}" if scope.since else f"only {scope} is lifted"
        yield "the figures are of that and of the tests that concern it"
        if self.session.start.settings.minimise:
            yield "the suite is not made smaller: not all of its tests are run"

    def _own_session(self) -> Iterator[str]:
        """Yields lines on the user's own session, if it had tests: the copy may differ."""
        results = run_from_events(self.session.events, status=self.conclusion.exit_code).results
        if not results:
            return
        found = [result.outcome for result in results.values()]
        passed, failed = found.count("passed"), sum(one in BAD for one in found)
        told = outcomes(len(found), passed, failed, found.count("skipped"))
        coverage = session_coverage(self.session.start)
        if coverage is not None:
            coverage = self.session.scope.coverage(coverage) if self.session.scope else coverage
            told += f"; {coverage.line_percent:.1f}% lines by your own settings of coverage"
        yield f"your own session: {told}"

    def _seed(self) -> int:
        told = self.session.start.settings.seed
        return told if told is not None else self.resumed.standing.seed if self.resumed else 0

    def _time(self) -> TimeBudget:
        """Returns the time budget; seconds of the earlier part of a resumed run count."""
        minutes = self.session.start.settings.max_minutes
        spent = self.resumed.elapsed if self.resumed else 0.0
        return TimeBudget(None if minutes is None else minutes * 60, self.began - spent)

    def _stop(self, iterations: tuple[Iteration, ...]) -> str | None:
        answer: str | None = self.session.config.hook.pytest_lift_stop(
            settings=self.session.start.settings, iterations=iterations
        )
        return answer

    def _finished(self, iteration: Iteration) -> None:
        self.session.config.hook.pytest_lift_iteration_finished(iteration=iteration)
