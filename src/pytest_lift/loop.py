"""The loop: generate, run, judge, feed back, until there is a reason to end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from pytest_lift.agents import Agents, Brief, Mode
from pytest_lift.errors import LiftError
from pytest_lift.feedback import Feedback, Verdict
from pytest_lift.formatting import formatted
from pytest_lift.gate import Gated, gate
from pytest_lift.gradient import Finding, find
from pytest_lift.keeper import Keeper
from pytest_lift.ratchet import Judgement, judge
from pytest_lift.report.markdown import page
from pytest_lift.settle import Settled, settle
from pytest_lift.suite import Suite
from pytest_lift.trial import Bench, Figures, Trial

CORRECTIONS = 2
"""Corrections in a row after which what still fails is forgotten."""


@dataclass(frozen=True)
class Iteration:
    """What one round did and what it left; iteration 0 is the suite as it was found."""

    number: int
    mode: str
    figures: Figures
    """Of the suite that was tried, accepted or not."""
    accepted: bool
    why: str
    verdict: Verdict | None = None
    dropped: Mapping[str, str] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Phase -> seconds of wall time."""
    elapsed: float = 0.0
    """Seconds since the lift began, at the end of the iteration."""


@dataclass(frozen=True)
class Outcome:
    """How the lift ended and with what."""

    ending: str
    """final, threshold, plateau, iterations, budget, interrupted, failed, or a plugin's word."""
    reason: str
    trial: Trial
    iterations: tuple[Iteration, ...]
    findings: tuple[Finding, ...]
    seconds: float


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
    deadline: float | None = None
    started: float = field(default_factory=time.monotonic)
    iterations: list[Iteration] = field(default_factory=list)
    feedback: Feedback | None = None
    findings: tuple[Finding, ...] = ()
    corrections: int = 0

    def run(self, suite: Suite) -> Outcome:
        """Evolve `suite` until a rule, the user or an error ends it; the best is in place then."""
        ending, reason = "failed", ""
        self._begin(suite)
        try:
            while not (ending := self.stop(tuple(self.iterations)) or ""):
                self._iterate()
        except KeyboardInterrupt:
            ending, reason = "interrupted", "Ctrl-C"
        except LiftError as error:
            ending, reason = "failed", str(error)
        seconds = time.monotonic() - self.started
        return Outcome(
            ending, reason, self.accepted, tuple(self.iterations), self.findings, seconds
        )

    def _begin(self, suite: Suite) -> None:
        phases: dict[str, float] = {}
        with self._phase("measure", phases):
            self.accepted = self._aware(self.bench.measure(suite))
        self.working = self.accepted.suite
        self.excused = self.accepted.broken
        self.mode: Mode = "refine" if any(True for _ in suite.owned_tests()) else "initial"
        self.findings = self._find(self.accepted)
        self._close("baseline", self.accepted, Judgement(True), {}, phases)

    def _iterate(self) -> None:
        phases: dict[str, float] = {}
        with self._phase("notice", phases):
            self._notice_the_user()
        mode = self.mode
        with self._phase("generate", phases):
            edit = self.agents.generator(self._brief(self.accepted))
        gated = gate(edit, self.working, self.bench.requirements)
        if gated.suite.files == self.accepted.suite.files:
            self._nothing_new(mode, gated, phases)
            return
        with self._phase("measure", phases):
            candidate = formatted(gated.suite, self.working, self.bench.workspace, self.bench.jail)
            settled = settle(
                candidate,
                self.bench,
                excused=self.excused,
                seed=self.seed + len(self.iterations),
                known=self.accepted.passing | self.accepted.failing,
            )
        judgement = self._judge(settled)
        if judgement.accepted:
            with self._phase("land", phases):
                self.accepted = self._aware(self.keeper.accept(settled.trial))
        with self._phase("feedback", phases):
            self._feed_back(settled, gated, judgement)
        self._close(mode, settled.trial, judgement, settled.dropped, phases)

    def _judge(self, settled: Settled) -> Judgement:
        if settled.stable:
            return judge(self.accepted, settled.trial)
        return Judgement(False, losses=(f"a passing run: {settled.trouble}",))

    def _nothing_new(self, mode: Mode, gated: Gated, phases: dict[str, float]) -> None:
        """An edit that changes nothing needs no run: every figure is provably the same."""
        why = "every change was refused" if gated.refused else "no change proposed"
        self.findings = self._find(self.accepted, gated.refused)
        self.working, self.mode = self.accepted.suite, "refine"
        self._close(mode, self.accepted, Judgement(False), {}, phases, why)

    def _feed_back(self, settled: Settled, gated: Gated, judgement: Judgement) -> None:
        """A debugger looks at what failed; when all passes, an evaluator at what is accepted."""
        failed = bool(settled.dropped) or not settled.stable
        self.corrections = self.corrections + 1 if failed else 0
        if failed and self.corrections <= CORRECTIONS:
            self.mode, self.working = "correct", settled.first.suite
            trial, agent = settled.first, self.agents.debugger
        else:
            self.mode, self.working = "refine", self.accepted.suite
            trial, agent = self.accepted, self.agents.evaluator
        self.findings = self._find(trial, [*gated.refused, *_losses(judgement)])
        told = agent(self._brief(trial))
        body = told.body or page(told, trial.run, trial.trace, trial.coverage)
        self.feedback = replace(told, body=body)

    def _find(
        self, trial: Trial, extra: list[Finding] | tuple[Finding, ...] = ()
    ) -> tuple[Finding, ...]:
        return find(
            trial.run,
            trial.trace,
            self.bench.program,
            trial.coverage,
            excused=self.excused,
            extra=extra,
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
            seed=self.seed,
            deadline=self.deadline,
        )

    def _notice_the_user(self) -> None:
        """The user may edit tests or sources meanwhile: theirs count from here on."""
        theirs = self.keeper.changed_by_the_user()
        sources = set(self.bench.workspace.sync()) & set(self.bench.program.files)
        if theirs is None and not sources:
            return
        self.bench.reread()
        self.accepted = self._aware(self.bench.measure(theirs or self.accepted.suite))
        self.working, self.feedback = self.accepted.suite, None
        self.excused |= self.accepted.broken
        self.findings = self._find(self.accepted)

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
        iteration = Iteration(
            len(self.iterations),
            mode,
            trial.figures,
            judgement.accepted,
            why or ("suite as found" if mode == "baseline" else judgement.why),
            self.feedback.verdict if self.feedback else None,
            dict(dropped),
            {name: round(seconds, 3) for name, seconds in phases.items()},
            round(time.monotonic() - self.started, 3),
        )
        self.iterations.append(iteration)
        self.keeper.archive(iteration, trial, self.feedback, self.bench.reports)
        self.report("", iteration)

    @contextmanager
    def _phase(self, name: str, phases: dict[str, float]) -> Iterator[None]:
        self.report(name, None)
        began = time.monotonic()
        try:
            yield
        finally:
            phases[name] = phases.get(name, 0.0) + time.monotonic() - began


def _losses(judgement: Judgement) -> list[Finding]:
    """Why a candidate was turned down, as a finding for the next generator."""
    return [
        Finding("refused", f"the candidate lost {loss}", todo="keep what it lost", gain=50.0)
        for loss in judgement.losses
    ]
