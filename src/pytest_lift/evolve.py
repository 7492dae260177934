"""One lift from the user's session to the summary: set up, loop, land, report, exit code."""

from __future__ import annotations

import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from pytest_lift.addopts import inner_addopts
from pytest_lift.asked import asked_options, collected_by_default, partial_selection
from pytest_lift.bench import Bench
from pytest_lift.bytecode import Compiler
from pytest_lift.confines import confine
from pytest_lift.errors import LiftError, UsageError
from pytest_lift.history import History, HistoryRun
from pytest_lift.iteration import Iteration, Outcome
from pytest_lift.journal import replace_file
from pytest_lift.keeper import Keeper
from pytest_lift.landing import recover
from pytest_lift.loop import Lift
from pytest_lift.measure.coverage import Coverage
from pytest_lift.models import Usage
from pytest_lift.mutation.command import require_mutmut
from pytest_lift.mutation.errors import MutmutMissing
from pytest_lift.mutation.mutator import Mutator
from pytest_lift.prepare import session_coverage
from pytest_lift.redaction import redacted
from pytest_lift.report.gates import unmet as gates_unmet
from pytest_lift.report.json import outcome_as_json, write_json
from pytest_lift.report.lift_run import write_lift_reports
from pytest_lift.report.terminal import Terminal, closing_lines
from pytest_lift.resume import Resumed, resumed
from pytest_lift.run import Run, run_from_events
from pytest_lift.session import LiftSession
from pytest_lift.storage import REMEDIES, ensure_room, needed_for, storage_error
from pytest_lift.strength.examining import Examiner
from pytest_lift.suite import Suite, path_of, read_suite, to_bytes
from pytest_lift.trace import trace_run
from pytest_lift.trial import Trial
from pytest_lift.workspace import Workspace

PATCH = "lift.patch"
CRASH = "crash.txt"
CALLS = "calls"
"""Folder of a run in which the calls of a model are recorded."""
MOST_WARNINGS = 10
"""Files named that could not be read or copied."""


def evolve(session: LiftSession, exit_code: int) -> int:
    """Lift the suite and print the section; the new exit code. Never raises for the user."""
    config = session.config
    reporter = config.pluginmanager.getplugin("terminalreporter")
    terminal = Terminal(reporter, verbosity=getattr(config.option, "verbose", 0))
    evolution = _Evolution(session, terminal, exit_code)
    try:
        return evolution.run()
    except LiftError as error:
        return evolution.fail("failed", str(error))
    except KeyboardInterrupt:
        told = "interrupted before there was anything to keep; your tests are as they were"
        return evolution.fail("interrupted", told)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in REMEDIES:
            return evolution.fail("failed", str(storage_error(error, "the lift cannot go on")))
        # A defect of this package, or of a plugin's agents: the user gets a file to send, not a
        # traceback, and pytest still closes its session properly.
        return evolution.fail(
            "failed",
            "an error inside the lift ended it; your tests are as last accepted (undo: "
            f"pytest-lift restore). Please report it with {_report(session, error)}",
        )


def _report(session: LiftSession, error: Exception) -> str:
    """The file with the traceback, or the error's own words where it cannot be written."""
    place = session.start.settings.lift_dir / CRASH
    text = redacted("".join(traceback.format_exception(error)))
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8", errors="backslashreplace")
    except OSError:
        return "".join(traceback.format_exception_only(error)).strip()
    return str(place)


@dataclass
class _Evolution:
    session: LiftSession
    terminal: Terminal
    exit_code: int
    run_id: str = ""
    resumed: Resumed | None = None

    def run(self) -> int:
        settings, program = self.session.start.settings, self.session.start.program
        recover(settings.root, settings.lift_dir)
        ensure_room(Path(tempfile.gettempdir()), "there is no room for the private copy")
        suite = read_suite(settings.root, settings.tests, settings.naming)
        history = History.open(settings.root)
        if settings.resume:
            self.resumed = resumed(history, settings.tests, settings.naming)
        with Workspace.create(
            settings.root,
            program.paths,
            tests=settings.tests,
            allow_read=settings.allow_read,
        ) as workspace:
            warnings = (*suite.warnings, *workspace.warnings)
            facts = [*self._facts(), *warnings[:MOST_WARNINGS]]
            bench = self._bench(workspace)
            table, mutants = not settings.dry_run, bench.mutator is not None
            self.terminal.open(facts, table=table, mutants=mutants)
            if settings.dry_run:
                return self._rehearse(bench, suite)
            for path in (*self._outcomes(), settings.lift_dir / PATCH):
                path.unlink(missing_ok=True)  # what an earlier lift said is not said of this one
            keeper = self._keeper(bench, self._run(history), suite)
            outcome = self._lift(bench, keeper).run(suite, self.resumed)
        return self._conclude(outcome, keeper)

    def _run(self, history: History) -> HistoryRun:
        run = self.resumed.run if self.resumed else history.start_run()
        self.run_id = run.id
        books = self.session.agents.books
        if books is not None:
            books.keep(run.folder / CALLS)
            earlier = self.resumed.iterations if self.resumed else ()
            books.before(sum((iteration.spent for iteration in earlier), Usage()))
        return run

    def _bench(self, workspace: Workspace) -> Bench:
        settings = self.session.start.settings
        bench = Bench(
            workspace,
            self.session.start.program,
            self.session.requirements,
            self.session.start.jail.inside(settings.root, workspace.root),
            Compiler(self.session.config, settings.naming),
            asked_options(self.session.config, settings.root),
            collected_by_default(self.session.config, settings.root, settings.tests),
            settings.timeout,
            settings.contexts,
            settings.claims,
            warn=self.terminal.warn,
        )
        if settings.mutation != "off" and not settings.dry_run and not self._missing_mutmut():
            bench.mutator = Mutator(
                workspace.scratch / "mutation",
                workspace.root,
                bench.jail,
                bench.everything or (settings.tests,),
                inner_addopts(bench.addopts),
                settings.mutation_seconds,
                self._seed(),
            )
            bench.examiner = Examiner(
                workspace.root,
                workspace.scratch,
                bench.jail,
                bench.requirements,
                bench.addopts,
                bench.claims,
            )
        return bench

    def _missing_mutmut(self) -> str:
        """Why mutants cannot be measured here, in words; empty where they can. Raises UsageError
        where somebody asked for them."""
        settings = self.session.start.settings
        try:
            require_mutmut()
        except MutmutMissing as error:
            if settings.mutation == "full" or settings.min_mutation is not None:
                raise UsageError(error.what, where="--lift-mutation", todo=error.todo) from error
            return f"mutants are not measured: {error.what}; {error.todo}"
        return ""

    def _keeper(self, bench: Bench, run: HistoryRun, suite: Suite) -> Keeper:
        settings = self.session.start.settings
        landing = settings.output == "land"
        return Keeper(settings.root, bench, run, suite, landing=landing, finished=self._finished)

    def _lift(self, bench: Bench, keeper: Keeper) -> Lift:
        return Lift(
            bench,
            keeper,
            self.session.agents,
            stop=self._stop,
            report=self.terminal.progress,
            seed=self._seed(),
            minimise=self.session.start.settings.minimise,
            deadline=self._deadline(),
        )

    def _rehearse(self, bench: Bench, suite: Suite) -> int:
        """Say what would be sent; nothing is, and nothing is written."""
        nowhere = HistoryRun(self.session.start.settings.lift_dir, "")
        lines = self._lift(bench, self._keeper(bench, nowhere, suite)).rehearse(suite)
        self.terminal.rehearsed(lines)
        nothing = self.exit_code == pytest.ExitCode.NO_TESTS_COLLECTED
        return int(pytest.ExitCode.OK) if nothing else self.exit_code

    def _facts(self) -> Iterator[str]:
        settings = self.session.start.settings
        yield from self.session.agents.told or [f"{self.session.agents.name} agents"]
        if self.session.start.jail.tier == "off":
            yield "no jail (--lift-sandbox=off): generated tests run as you, with all your rights"
        if self.resumed:
            yield f"resumed after iteration {self.resumed.after} of run {self.resumed.run.id}"
        elif settings.resume:
            yield "the newest run ended before anything was complete: this one starts anew"
        if settings.mutation != "off" and (missing := self._missing_mutmut()):
            yield missing
        yield from self._own_session()
        partial = partial_selection(self.session.config)
        if partial:
            yield (
                f"your selection ({' '.join(partial)}) limits your own session only: "
                "the lift measures the whole suite"
            )
        yield from self.session.requirements.warnings

    def _own_session(self) -> Iterator[str]:
        """What the user's own session said, where it had tests: the copy may differ."""
        results = run_from_events(self.session.events, status=self.exit_code).results
        if not results:
            return
        passed = sum(result.outcome == "passed" for result in results.values())
        told = f"your own session: {passed} of {len(results)} tests passed"
        coverage = session_coverage(self.session.start)
        if coverage is not None:
            told += f", {coverage.line_percent:.1f}% lines, {coverage.branch_percent:.1f}% branches"
        yield told

    def _seed(self) -> int:
        told = self.session.start.settings.seed
        return told if told is not None else self.resumed.standing.seed if self.resumed else 0

    def _deadline(self) -> float | None:
        """What an earlier part of the run took counts, as its iterations do."""
        minutes = self.session.start.settings.max_minutes
        spent = self.resumed.elapsed if self.resumed else 0.0
        return time.monotonic() + minutes * 60 - spent if minutes is not None else None

    def _stop(self, iterations: tuple[Iteration, ...]) -> str | None:
        answer: str | None = self.session.config.hook.pytest_lift_stop(
            settings=self.session.start.settings, iterations=iterations
        )
        return answer

    def _finished(self, iteration: Iteration) -> None:
        self.session.config.hook.pytest_lift_iteration_finished(iteration=iteration)

    def _conclude(self, outcome: Outcome, keeper: Keeper) -> int:
        settings = self.session.start.settings
        unmet = [
            f"{name} {outcome.trial.figures.share(name):.1f} %, wanted {percent:g} %"
            for name, percent in settings.thresholds.items()
            if outcome.trial.figures.share(name) < percent
        ]
        unmet += self._limit_unmet(outcome.trial)
        unmet += gates_unmet(settings, outcome.trial.trace)
        where = f"every iteration is in .lift/history/{keeper.run.id}"
        try:
            History.open(settings.root, settle=False)  # should somebody have removed it
            where = self._where(keeper)
        except LiftError as error:
            outcome = _failed(outcome, error)
        try:
            page = write_lift_reports(self.session, outcome, keeper.run)
            where = f"{where}\nreport: {page.relative_to(settings.root)}"
        except LiftError as error:
            outcome = _failed(outcome, error)
        code = self._exit_code(outcome, bool(unmet))
        try:
            self._write_outcome(outcome, code)
        except LiftError as error:
            outcome = _failed(outcome, error)
            code = self._exit_code(outcome, bool(unmet))
        lines = closing_lines(
            outcome,
            where=where,
            kept=keeper.kept,
            unmet=unmet,
            failing=list(self._failing(outcome.trial)),
        )
        self.terminal.close(outcome, lines, good=code == 0)
        return code

    def _write_outcome(self, outcome: Outcome, code: int) -> None:
        data = outcome_as_json(
            outcome,
            run=self.run_id,
            resumed_after=self.resumed.after if self.resumed else None,
            agents=self.session.agents.name,
            program=self.session.start.program,
            jail=self.session.start.jail,
            exit_code=code,
            warnings=self.session.requirements.warnings,
        )
        for path in self._outcomes():
            write_json(path, data)

    def fail(self, ending: str, reason: str) -> int:
        """Say why there is no outcome, to programs too if that can be written; the exit code."""
        self.terminal.fail(reason)
        interrupted = ending == "interrupted"
        code = pytest.ExitCode.INTERRUPTED if interrupted else pytest.ExitCode.INTERNAL_ERROR
        suite, run = self.session.start.suite, Run("refused")
        trial = Trial(suite, run, Coverage(), trace_run(self.session.requirements, run, suite, {}))
        if self.session.start.settings.dry_run:
            return int(code)
        try:
            self._write_outcome(Outcome(ending, reason, trial, (), (), 0.0), int(code))
        except LiftError as error:
            self.terminal.fail(str(error))
        return int(code)

    def _limit_unmet(self, trial: Trial) -> Iterator[str]:
        """The user's own limit of coverage, which their session held against their tests alone."""
        if self.session.missed_limit is not None:
            limit, with_branches = self.session.missed_limit
            total = trial.coverage.combined if with_branches else trial.coverage.line_percent
            if total < limit:
                yield f"--cov-fail-under {total:.1f} %, wanted {limit:g} %"

    def _outcomes(self) -> Iterator[Path]:
        """Where the outcome is written for programs."""
        settings = self.session.start.settings
        yield settings.lift_dir / "run.json"
        if settings.json is not None:
            yield settings.json

    def _where(self, keeper: Keeper) -> str:
        settings = self.session.start.settings
        history = f"every iteration is in .lift/history/{keeper.run.id}"
        if keeper.landing:
            return f"the suite is in {settings.tests}; {history}; undo: pytest-lift restore"
        patch = keeper.patch_text
        if not patch:
            return f"nothing to change; {history}"
        place = settings.lift_dir / PATCH
        with needed_for("the patch could not be written", place):
            replace_file(place, to_bytes(patch))
        return f"nothing was changed; apply .lift/{PATCH} with git apply; {history}"

    def _failing(self, trial: Trial) -> Iterator[str]:
        """Tests that fail at the end, with a word on those that fail in the copy only."""
        mine = run_from_events(self.session.events, status=self.exit_code)
        passed = {r.function for r in mine.results.values() if r.outcome == "passed"}
        limits = {
            result.function: confine(result.failure)
            for result in trial.run.results.values()
            if result.failure
        }
        for node in sorted(trial.broken):
            why = f"; in the jail: {limits[node]}" if limits.get(node) else ""
            yield f"{node} (passes in your own session{why})" if node in passed else node

    def _exit_code(self, outcome: Outcome, unmet: bool) -> int:
        """What pytest's codes say about the suite as it is now."""
        if outcome.ending == "failed":
            return int(pytest.ExitCode.INTERNAL_ERROR)
        if outcome.ending == "interrupted":
            return int(pytest.ExitCode.INTERRUPTED)
        owned = {test.node for test in outcome.trial.suite.owned_tests()}
        owned |= {path_of(node) for node in owned}  # files that cannot be collected
        stopped = outcome.trial.run.cut_short is not None
        broken = bool(outcome.trial.broken & owned) or stopped or unmet
        if self.exit_code == pytest.ExitCode.NO_TESTS_COLLECTED:
            return int(broken) if outcome.trial.run.results else self.exit_code
        if self.exit_code == pytest.ExitCode.TESTS_FAILED and self.session.missed_limit:
            return int(broken)  # what their tests alone missed is asked of the whole suite
        return self.exit_code or int(broken)


def _failed(outcome: Outcome, error: LiftError) -> Outcome:
    """A lift that cannot hand over what it has done has failed, whatever it ended with."""
    told = [text for text in (outcome.reason, str(error)) if text]
    return replace(outcome, ending="failed", reason="\n".join(told))
