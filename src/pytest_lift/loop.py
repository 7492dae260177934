"""The loop: generate, run, judge, feed back, until there is a reason to end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from pytest_lift.agents import Agents, Brief, Mode
from pytest_lift.bench import Bench
from pytest_lift.errors import LiftError
from pytest_lift.expectations import Expectation
from pytest_lift.expectations.contradicting import with_contradictions
from pytest_lift.expectations.files import still_stated
from pytest_lift.faults import fault_findings
from pytest_lift.feedback import Feedback
from pytest_lift.formatting import formatted
from pytest_lift.gate.gating import Gated, gate
from pytest_lift.gradient import Finding, find
from pytest_lift.iteration import Changes, Iteration, Outcome, changes
from pytest_lift.judged import still_said
from pytest_lift.keeper import Keeper
from pytest_lift.ratchet import Judgement, judge
from pytest_lift.report.markdown import page
from pytest_lift.resume import (
    Resumed,
    Standing,
    hashes,
    program_fingerprint,
    requirements_fingerprint,
)
from pytest_lift.settle import Settled, settle
from pytest_lift.smaller import smaller
from pytest_lift.storage import REMEDIES, storage_error
from pytest_lift.suite import Edit, Suite
from pytest_lift.trial import Trial

CORRECTIONS = 2
"""Corrections in a row after which what still fails is forgotten."""

ATTEMPTS = 2
"""How often one edit is tried while the user goes on editing."""

OVERTAKEN = "you went on changing tests or sources while it was tried"


@dataclass
class Lift:
    """One lift: the accepted suite, the one being worked on, and every iteration so far."""

    bench: Bench
    keeper: Keeper
    agents: Agents
    stop: Callable[[tuple[Iteration, ...]], str | None]
    report: Callable[[str, Iteration | None], None]
    """Told the name of each phase as it begins, and each iteration as it is finished."""
    seed: int = 0
    minimise: bool = False
    """Make the suite smaller when everything else is done."""
    deadline: float | None = None
    started: float = field(default_factory=time.monotonic)
    iterations: list[Iteration] = field(default_factory=list)
    accepted: Trial = field(init=False)
    working: Suite = field(init=False)
    """What the next generator begins with: the accepted suite, or a candidate to be corrected."""
    mode: Mode = "initial"
    feedback: Feedback | None = None
    findings: tuple[Finding, ...] = ()
    excused: frozenset[str] = frozenset()
    """What failed at the start, and is left alone."""
    unfit: frozenset[str] = frozenset()
    """Tests of contradictions that did not fail as they said, and are not tried again."""
    told: Suite | None = None
    """The suite that the last accepted iteration told of."""
    corrections: int = 0
    left_out: tuple[str, ...] = ()
    """What was left untested on purpose, by the last that said so."""

    def run(self, suite: Suite, resumed: Resumed | None = None) -> Outcome:
        """Evolve `suite` until a rule, the user or an error ends it; the best is in place then.

        `resumed` is the run that goes on. Raises LiftError while there is nothing to keep.
        """
        ending, reason = "failed", ""
        if resumed is None:
            self._begin(suite)
        else:
            self._go_on(suite, resumed)
        try:
            while not (ending := self.stop(tuple(self.iterations)) or ""):
                self._iterate()
            if self.minimise:
                self._make_smaller()
        except KeyboardInterrupt:
            ending, reason = "interrupted", "Ctrl-C"
        except LiftError as error:
            ending, reason = "failed", str(error)
        except OSError as error:
            if error.errno not in REMEDIES:
                raise
            ending, reason = "failed", str(storage_error(error, "the lift cannot go on"))
        seconds = time.monotonic() - self.started
        return Outcome(
            ending, reason, self.accepted, tuple(self.iterations), self.findings, seconds
        )

    def rehearse(self, suite: Suite) -> Sequence[str]:
        """What would be sent to a model for `suite`, in lines; nothing is."""
        self._start_from(self.bench.measure(suite))
        ask = self.agents.forecast
        return ask(self._brief(self.accepted)) if ask else ["these agents cannot tell"]

    def _begin(self, suite: Suite) -> None:
        phases: dict[str, float] = {}
        with self._phase("measure", phases):
            trial = self.bench.measure(suite)
        trial = self._mutated(trial, phases)
        if self.bench.mutator is not None:
            with self._phase("orders", phases):
                self.bench.examine_orders(trial)
        self._start_from(trial)
        self._close("baseline", self.accepted, Judgement(True), {}, phases)

    def _go_on(self, found: Suite, resumed: Resumed) -> None:
        """As if the run had not been cut short; what changed since is an iteration of its own."""
        bench, standing = self.bench, resumed.standing
        bench.expectations = still_stated(standing.expectations, bench.requirements)
        same = standing.requirements == requirements_fingerprint(bench.requirements)
        judged = [one for one in standing.judged if same or still_said(one, bench.requirements)]
        bench.judged = {(one.test, one.requirement): one for one in judged}
        landing = self.keeper.landing
        begin = resumed.begin(found, bench.program, bench.requirements, landing=landing)
        self.iterations, self.excused = list(resumed.iterations), standing.excused
        self.told = standing.accepted
        self.started -= resumed.elapsed
        phases: dict[str, float] = {}
        with self._phase("measure", phases):
            trial = bench.measure(begin.suite)
        self._start_from(self._mutated(trial, phases))
        self._accept(self.accepted, phases)
        if begin.changed:
            self._close("resumed", self.accepted, Judgement(True), {}, phases, begin.changed)
            return
        self.mode, self.corrections = standing.mode, standing.corrections
        self.feedback = standing.feedback
        if self.mode == "correct":
            outside = self.accepted.suite.outside
            self.working = replace(standing.working, outside=outside)
            self.findings = standing.findings
        else:
            self.findings = self._find(self.accepted, standing.findings)

    def _start_from(self, trial: Trial) -> None:
        """From here on `trial` is what counts; what fails in it is left alone."""
        self.accepted = self._aware(trial)
        self.working, self.feedback = self.accepted.suite, None
        self.unfit = frozenset()
        self.excused |= self.accepted.broken
        self.mode = "refine" if any(True for _ in self.working.owned_tests()) else "initial"
        self.findings = self._find(self.accepted)

    def _iterate(self) -> None:
        phases: dict[str, float] = {}
        with self._phase("notice", phases):
            self._notice_the_user()
        mode, before = self.mode, self.accepted.suite
        self._expect(phases)
        with self._phase("generate", phases):
            edit = self.agents.generator(self._brief(self.accepted))
            self._know(edit.expectations)
            self.left_out = edit.left_out or self.left_out
        if edit.expectations and self.agents.rule is not None:
            with self._phase("expect", phases):
                self._know(self.agents.rule(self._brief(self.accepted)))
        for _ in range(ATTEMPTS):
            gated = self._gated(edit)
            if gated.suite.files == self.accepted.suite.files:
                self._nothing_new(mode, gated, phases)
                return
            settled = self._try(gated, phases)
            judgement = self._judge(settled)
            if settled.stable and not judgement.losses:
                trial = self._mutated(settled.trial, phases, self.accepted)
                settled, self.accepted = replace(settled, trial=trial), self._recalled()
                judgement = self._judge(settled)
                if not judgement.accepted and self.bench.mutator is not None:
                    self.bench.mutator.undo()
            if not judgement.accepted or not self._overtaken(phases):
                break
            edit = _untouched(edit, before, self.accepted.suite)
        else:
            self._nothing_new(mode, gated, phases, OVERTAKEN)
            return
        if judgement.accepted:
            self._accept(settled.trial, phases)
        with self._phase("feedback", phases):
            self._feed_back(settled, gated, judgement)
        tried = self.accepted if judgement.accepted else settled.trial
        self._close(mode, tried, judgement, settled.dropped, phases)

    def _make_smaller(self) -> None:
        phases: dict[str, float] = {}
        with self._phase("notice", phases):
            self._notice_the_user()
        before = self.accepted
        with self._phase("minimise", phases):
            trial = smaller(before, self.bench, self.seed, self.deadline)
        judgement = Judgement(trial is not before, (_spared(before, trial),))
        if judgement.accepted:
            self._accept(trial, phases)
            self.findings = self._find(self.accepted)
        why = "" if judgement.accepted else "no test can go, or be a row of another"
        self._close("minimise", self.accepted, judgement, {}, phases, why)

    def _expect(self, phases: dict[str, float]) -> None:
        """What the texts let one expect is written down before anybody looks at the code."""
        if self.agents.expect is None:
            return
        with self._phase("expect", phases):
            self._know(self.agents.expect(self._brief(self.accepted)))
            if self.mode != "correct":
                refused = [finding for finding in self.findings if finding.kind == "refused"]
                self.findings = self._find(self.accepted, refused)

    def _know(self, said: tuple[Expectation, ...]) -> None:
        """Expectations are added, or ruled on anew; none gets lost."""
        known = {one.key: one for one in self.bench.expectations} | {one.key: one for one in said}
        if tuple(known.values()) != self.bench.expectations:
            self.bench.expectations = tuple(known.values())
            self.accepted = self.bench.retrace(self.accepted)

    def _gated(self, edit: Edit) -> Gated:
        """What may pass of an edit, with the contradictions that no agent writes down."""
        bench = self.bench
        gated = gate(edit, self.working, bench.requirements, bench.program, self.accepted.suite)
        suite = with_contradictions(
            gated.suite,
            bench.contradictions,
            bench.program,
            bench.requirements,
            passing=self.accepted.settled,
            unfit=self.unfit,
        )
        return replace(gated, suite=suite)

    def _try(self, gated: Gated, phases: dict[str, float]) -> Settled:
        with self._phase("measure", phases):
            return settle(
                formatted(gated.suite, self.working, self.bench.workspace, self.bench.jail),
                self.bench,
                excused=self.excused,
                seed=self.seed + len(self.iterations),
                known=self.accepted.passing | self.accepted.failing,
                accepted=self.accepted.suite,
            )

    def _mutated(
        self, trial: Trial, phases: dict[str, float], before: Trial | None = None
    ) -> Trial:
        """With its mutants, where they are measured."""
        if self.bench.mutator is None:
            return trial
        with self._phase("mutate", phases):
            return self.bench.examine(self.bench.mutate(trial, self.deadline, before))

    def _recalled(self) -> Trial:
        """The accepted one, with what was found out of its tests since."""
        return self.bench.examine(self.accepted, known_only=True)

    def _accept(self, trial: Trial, phases: dict[str, float]) -> None:
        """Land it; what the user changed in this very moment is measured as it is then."""
        with self._phase("land", phases):
            landed = self._aware(self.keeper.accept(trial))
        theirs = landed.suite.files != trial.suite.files
        self.accepted = self._mutated(landed, phases) if theirs else landed

    def _overtaken(self, phases: dict[str, float]) -> bool:
        """Nothing lands that was judged by tests or sources that are no more."""
        with self._phase("notice", phases):
            return self._notice_the_user()

    def _judge(self, settled: Settled) -> Judgement:
        if settled.stable:
            return judge(self.accepted, settled.trial, settled.dropped)
        return Judgement(False, losses=(f"a passing run: {settled.trouble}",))

    def _nothing_new(
        self, mode: Mode, gated: Gated, phases: dict[str, float], why: str = ""
    ) -> None:
        """An edit that changes nothing needs no run: every figure is provably the same."""
        why = why or ("every change was refused" if gated.refused else "no change proposed")
        self.working, self.mode, self.corrections = self.accepted.suite, "refine", 0
        if not (self.feedback and self.feedback.role == "evaluator" and self.feedback.asked):
            with self._phase("feedback", phases):
                self._hear(self.agents.evaluator, self.accepted, gated.refused)
        self.findings = self._find(self.accepted, gated.refused)
        self._close(mode, self.accepted, Judgement(False), {}, phases, why)

    def _feed_back(self, settled: Settled, gated: Gated, judgement: Judgement) -> None:
        """A debugger looks at what failed; when all passes, an evaluator at what is accepted."""
        self.unfit |= settled.unfit
        self.corrections = self.corrections + 1 if settled.failed else 0
        if settled.failed and self.corrections <= CORRECTIONS:
            self.mode, self.working = "correct", settled.first.suite
            trial, agent = settled.first, self.agents.debugger
        else:
            self.mode, self.working = "refine", self.accepted.suite
            trial, agent = self.accepted, self.agents.evaluator
        self._hear(agent, trial, [*gated.refused, *_losses(judgement), *self._left_out()])

    def _hear(
        self, agent: Callable[[Brief], Feedback], trial: Trial, extra: Sequence[Finding]
    ) -> None:
        """What an agent says of `trial` is the feedback; its word on links counts from now on."""
        self.findings = self._find(trial, extra)
        told = agent(self._brief(trial))
        if told.judged:
            self.bench.judged |= {(one.test, one.requirement): one for one in told.judged}
            again = self.bench.retrace(trial)
            self.accepted = again if trial is self.accepted else self.bench.retrace(self.accepted)
            trial, self.findings = again, self._find(again, extra)
        body = told.body or page(told, trial.run, trial.trace, trial.coverage)
        self.feedback = replace(told, body=body)

    def _left_out(self) -> list[Finding]:
        return [Finding("left-out", text) for text in self.left_out]

    def _find(self, trial: Trial, extra: Sequence[Finding] = ()) -> tuple[Finding, ...]:
        return find(
            trial.run,
            trial.trace,
            self.bench.program,
            trial.coverage,
            excused=self.excused,
            extra=(*extra, *fault_findings(trial, self.bench.program, self.bench.dependences)),
        )

    def _brief(self, trial: Trial) -> Brief:
        return Brief(
            mode=self.mode,
            iteration=len(self.iterations),
            copy=self.bench.workspace.root,
            jail=self.bench.jail,
            program=self.bench.program,
            requirements=self.bench.requirements,
            suite=self.working,
            findings=self.findings,
            feedback=self.feedback,
            run=trial.run,
            coverage=trial.coverage,
            trace=trial.trace,
            mutation=trial.mutation,
            mutated=self.bench.mutator.mutated if self.bench.mutator else None,
            expectations=self.bench.expectations,
            tried=self.bench.tried,
            accepted=self.accepted.suite,
            try_tests=self.bench.try_tests,
            try_expectations=self.bench.try_expectations,
            seed=self.seed,
            deadline=self.deadline,
        )

    def _notice_the_user(self) -> bool:
        """The user may edit tests or sources meanwhile: theirs count from here on."""
        theirs = self.keeper.changed_by_the_user()
        changed = [path for path in self.bench.workspace.sync() if self.bench.depends_on(path)]
        if theirs is None and not changed:
            return False
        self.bench.reread()
        trial = self.bench.measure(theirs or self.accepted.suite)
        self._start_from(self.bench.examine(self.bench.mutate(trial, self.deadline)))
        return True

    def _aware(self, trial: Trial) -> Trial:
        """The suite knows which test files pytest found elsewhere, so as not to collide."""
        nodes = (*trial.run.collected, *trial.run.broken)
        files = {node.partition("::")[0] for node in nodes}
        outside = frozenset(path for path in files if not path.startswith(f"{trial.suite.root}/"))
        return replace(trial, suite=replace(trial.suite, outside=outside))

    def _close(
        self,
        mode: str,
        trial: Trial,
        judgement: Judgement,
        dropped: Mapping[str, str],
        phases: dict[str, float],
        why: str = "",
    ) -> None:
        books, phases["pytest"] = self.agents.books, self.bench.take_waited()
        iteration = Iteration(
            len(self.iterations),
            mode,
            trial.figures,
            judgement.accepted,
            why or ("suite as found" if mode == "baseline" else judgement.why),
            self.feedback.verdict if self.feedback else None,
            dict(dropped),
            {name: round(seconds, 3) for name, seconds in phases.items()},
            usage=books.take() if books else {},
            exhausted=books.exhausted() if books else "",
            changes=self._changes() if judgement.accepted else Changes(),
            elapsed=round(time.monotonic() - self.started, 3),
        )
        self.iterations.append(iteration)
        self.keeper.archive(iteration, trial, self._standing(), self.bench.reports)
        self.report("", iteration)

    def _changes(self) -> Changes:
        """What became of the suite and its requirements since the last accepted iteration."""
        before, self.told = self.told, self.accepted.suite
        return changes(before, self.accepted.suite, self.iterations, self.accepted.trace)

    def _standing(self) -> Standing:
        """What a later lift needs to go on from here."""
        correct = self.mode == "correct"
        return Standing(
            accepted=self.accepted.suite,
            working=self.working,
            mode=self.mode,
            on_disk=hashes(self.keeper.on_disk),
            program=program_fingerprint(self.bench.program),
            requirements=requirements_fingerprint(self.bench.requirements),
            seed=self.seed,
            corrections=self.corrections,
            excused=self.excused,
            findings=tuple(f for f in self.findings if correct or f.kind == "refused"),
            expectations=self.bench.expectations,
            judged=tuple(self.bench.judged.values()),
            feedback=self.feedback,
        )

    @contextmanager
    def _phase(self, name: str, phases: dict[str, float]) -> Iterator[None]:
        self.report(name, None)
        began = time.monotonic()
        try:
            yield
        finally:
            phases[name] = phases.get(name, 0.0) + time.monotonic() - began


def _untouched(edit: Edit, before: Suite, now: Suite) -> Edit:
    """The part of an edit that is about files as they still are: it holds whole texts."""
    same = {p: t for p, t in edit.files.items() if before.files.get(p) == now.files.get(p)}
    return Edit(same, edit.why)


def _spared(before: Trial, after: Trial) -> str:
    functions = [sum(1 for _ in trial.suite.tests()) for trial in (before, after)]
    return f"the same with {functions[0] - functions[1]} test functions less"


def _losses(judgement: Judgement) -> list[Finding]:
    """Why a candidate was turned down, as a finding for the next generator."""
    return [
        Finding("refused", f"the candidate lost {loss}", todo="keep what it lost", gain=50.0)
        for loss in judgement.losses
    ]
