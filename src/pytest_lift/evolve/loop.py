"""The loop: generate, run, judge, feed back, until there is a reason to end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from pytest_lift.agents.contract import Agents, Brief, Mode
from pytest_lift.errors import LiftError
from pytest_lift.evolve.acceptance import Judgement, judge, unnoticed
from pytest_lift.evolve.contradictions import with_contradictions
from pytest_lift.evolve.iteration import Iteration, Outcome
from pytest_lift.evolve.iteration_log import Chronicle
from pytest_lift.evolve.parts import Parts
from pytest_lift.evolve.resume import (
    Resumed,
    Standing,
    hashes,
    program_fingerprint,
    requirements_fingerprint,
)
from pytest_lift.evolve.screening import Settled, settle
from pytest_lift.evolve.smaller import smaller
from pytest_lift.evolve.turned_away import TurnedAway
from pytest_lift.expectations.files import still_stated
from pytest_lift.files.disk import REMEDIES, storage_error
from pytest_lift.findings.faults import fault_findings
from pytest_lift.findings.feedback import Feedback
from pytest_lift.findings.finding import Finding, find
from pytest_lift.findings.mutants import lost_findings
from pytest_lift.findings.page import page
from pytest_lift.gate.additions import additions
from pytest_lift.gate.gating import Gated, gate
from pytest_lift.measure.fault_measurer import FaultBench
from pytest_lift.measure.measurement import Trial
from pytest_lift.measure.time_budget import RUNS_OF_A_TRY, TimeIsUp, spoken
from pytest_lift.requirements.expectation import Expectation
from pytest_lift.run.formatting import formatted
from pytest_lift.suite.respelling import respelled
from pytest_lift.suite.suite import Edit, Suite
from pytest_lift.text.wording import count
from pytest_lift.trace.link_grades import still_said

CORRECTIONS = 2
"""Corrections in a row after which what still fails is forgotten."""

ATTEMPTS = 2
"""How often one edit is tried while the user goes on editing."""

NOTHING_DROPPED: Mapping[str, str] = MappingProxyType({})
NOTHING_PROPOSED = "no change proposed"
REFUSED_BEFORE = "every change was refused before, as it is"
OVERTAKEN = "you went on changing tests or sources while it was tried"
LOST_AGAIN = "this candidate loses what the one before it lost: it is tried in parts"
LOST_TWICE = "two candidates in a row lost the same"
TWICE = ", as the candidate before it"
LOSS_GAIN = 50.0
SMALLER = "change less at a time: one file, a few new tests; leave what stands there as it is"


@dataclass
class Lift:
    """One lift: the accepted suite, and the one being worked on."""

    faults: FaultBench
    agents: Agents
    chronicle: Chronicle
    stop: Callable[[tuple[Iteration, ...]], str | None]
    seed: int = 0
    minimise: bool = False
    """Make the suite smaller when everything else is done."""
    say: Callable[[str], None] = lambda text: None
    """Told what the user should know in between."""
    marks: frozenset[str] = frozenset()
    """Those of `req` and `emergent` that the project knows; what else links a test is a field."""
    accepted: Trial = field(init=False)
    working: Suite = field(init=False)
    """What the next generator begins with: the accepted suite, or a candidate to be corrected."""
    mode: Mode = "initial"
    feedback: Feedback | None = None
    findings: tuple[Finding, ...] = ()
    excused: frozenset[str] = frozenset()
    """What failed, or was not run, at the start, and is left alone."""
    unfit: frozenset[str] = frozenset()
    """Tests of contradictions that did not fail as they said, and are not tried again."""
    turned_away: TurnedAway = field(default_factory=TurnedAway)
    """What the gates have refused, and is not tried again as it is."""
    corrections: int = 0
    lost: frozenset[str] = frozenset()
    """What the last refused candidate would have lost."""
    left_out: tuple[str, ...] = ()
    """What was left untested on purpose, by the last that said so."""

    def __post_init__(self) -> None:
        self.bench, self.keeper = self.faults.bench, self.chronicle.keeper
        self.phases, self.time = self.chronicle.phases, self.bench.time

    def run(self, suite: Suite, resumed: Resumed | None = None) -> Outcome:
        """Evolve `suite` until a rule, the user or an error ends it; the best is in place then.

        `resumed` is the run that goes on. Raises LiftError, or TimeIsUp, while there is nothing
        to keep.
        """
        ending, reason = "failed", ""
        if resumed is None:
            self._begin(suite)
        else:
            self._go_on(suite, resumed)
        try:
            while not (ending := self.stop(tuple(self.chronicle.iterations)) or ""):
                self.time.require(self._least, "an iteration")
                self._iterate()
            if self.minimise:
                self._make_smaller()
        except KeyboardInterrupt:
            ending, reason = "interrupted", "Ctrl-C"
        except TimeIsUp as error:
            ending, reason = "budget", str(error)
        except LiftError as error:
            ending, reason = "failed", str(error)
        except OSError as error:
            if error.errno not in REMEDIES:
                raise
            ending, reason = "failed", str(storage_error(error, "the lift cannot go on"))
        if ending not in ("interrupted", "failed"):
            with suppress(KeyboardInterrupt, LiftError):
                self._measure_what_was_cut_off()
        iterations, seconds = tuple(self.chronicle.iterations), self.chronicle.elapsed
        return Outcome(ending, reason, self.accepted.scoped, iterations, self.findings, seconds)

    def rehearse(self, suite: Suite) -> Sequence[str]:
        """What would be sent to a model for `suite`, in lines; nothing is."""
        self._start_from(self.bench.measure(suite))
        ask = self.agents.forecast
        return ask(self._brief(self.accepted)) if ask else ["these agents cannot tell"]

    def _begin(self, suite: Suite) -> None:
        with self._timed("measure"):
            trial = self.bench.measure(suite)
        self.say(self._estimate(trial))
        trial = self._mutated(trial)
        if self.faults.mutator is not None:
            with suppress(TimeIsUp), self._timed("orders", self._after_baseline):
                self.faults.examine_orders(trial)
        self._start_from(trial)
        self._close("baseline", self.accepted, Judgement(True))

    def _go_on(self, found: Suite, resumed: Resumed) -> None:
        """As if the run had not been cut short; what changed since is an iteration of its own."""
        bench, standing = self.bench, resumed.standing
        bench.expectations = still_stated(standing.expectations, bench.requirements)
        same = standing.requirements == requirements_fingerprint(bench.requirements)
        judged = [one for one in standing.judged if same or still_said(one, bench.requirements)]
        bench.judged = {(one.test, one.requirement): one for one in judged}
        landing = self.keeper.landing
        begin = resumed.begin(found, bench.program, bench.requirements, landing=landing)
        self.excused = standing.excused
        self.chronicle.go_on(resumed.iterations, standing.accepted, resumed.elapsed)
        with self._timed("measure"):
            trial = bench.measure(begin.suite)
        self.say(self._estimate(trial))
        self._start_from(self._mutated(trial))
        self._accept(self.accepted)
        if begin.changed:
            self._close("resumed", self.accepted, Judgement(True), why=begin.changed)
            return
        self.phases.take()  # what it took to be there again is no part of an iteration
        self.mode, self.corrections = standing.mode, standing.corrections
        self.feedback = standing.feedback
        if self.mode == "correct":
            known = self.accepted.suite
            self.working = replace(
                standing.working, outside=known.outside, uncollected=known.uncollected
            )
            self.findings = standing.findings
        else:
            self.findings = self._find(self.accepted, standing.findings)

    def _start_from(self, trial: Trial) -> None:
        """From here on `trial` is what counts; what fails in it, or does not run, is left alone."""
        self.accepted = self._aware(trial)
        self.working, self.feedback = self.accepted.suite, None
        self.unfit = frozenset()
        self.turned_away.forget()
        self.lost = frozenset()
        self.excused |= self.accepted.broken | self.accepted.absent
        self.mode = "refine" if any(True for _ in self.working.owned_tests()) else "initial"
        self.findings = self._find(self.accepted)

    @contextmanager
    def _timed(self, phase: str, keep: float = 0.0) -> Iterator[float | None]:
        """A phase that is stopped when only the seconds to `keep` are left; the moment when it
        should be over. Raises TimeIsUp."""
        with self.phases(phase), self.time.stopping(keep):
            yield self.time.aim(phase, keep)

    @property
    def _least(self) -> float:
        return self.time.least(self.bench.run_seconds)

    @property
    def _after_baseline(self) -> float:
        """Seconds to keep for an iteration, where one fits; else all may go into measuring."""
        left = self.time.left
        return self._least if left is not None and left >= self._least else 0.0

    def _estimate(self, trial: Trial) -> str:
        """What the user may expect, and whether there is time for it."""
        run = self.bench.run_seconds
        told = f"the suite itself takes {spoken(trial.run.seconds)}; an iteration will take about "
        told += spoken(self.time.about(run))
        left = self.time.left
        if left is not None and left < self._least:
            told += (
                f", at least {spoken(self._least)}: {spoken(left)} of {self.time.told} are left, "
                "so this lift measures the suite and ends"
            )
        return told

    def _iterate(self) -> None:
        with self._timed("notice"):
            self._notice_the_user()
        mode, before = self.mode, self.accepted.suite
        self._expect()
        asked = self._question()
        with self._timed("generate", RUNS_OF_A_TRY * self.bench.run_seconds) as until:
            edit = self.agents.generator(self._brief(self.accepted, until))
            self._know(edit.expectations)
            self.left_out = edit.left_out or self.left_out
        if edit.expectations and self.agents.rule is not None:
            with self._timed("expect"):
                self._know(self.agents.rule(self._brief(self.accepted)))
        refused: _Refusal | None = None
        for _ in range(ATTEMPTS + 1):
            gated = self._gated(edit)
            if gated.suite.files == self.accepted.suite.files:
                self._nothing_new(mode, gated, asked, edit)
                return
            settled, judgement = self._measured(gated)
            if refused is None and (refused := self._refusal(settled, judgement)) is not None:
                self.working = self.accepted.suite
                if refused.again:
                    edit, settled, judgement = self._in_parts(settled, judgement)
                elif rest := self._rest(settled):
                    edit = rest
                    continue
            if not judgement.accepted or not self._overtaken():
                break
            edit = _untouched(edit, before, self.accepted.suite)
        else:
            self._nothing_new(mode, gated, asked, edit, OVERTAKEN)
            return
        if judgement.accepted:
            self._accept(settled.trial)
        with suppress(TimeIsUp), self._timed("feedback"):
            self._feed_back(settled, gated, judgement, refused)
        tried = self.accepted if judgement.accepted else settled.trial
        why = refused.told(judgement) if refused else ""
        self._close(mode, tried, judgement, settled.dropped, why)

    def _measured(self, gated: Gated) -> tuple[Settled, Judgement]:
        """What becomes of a candidate; its mutants come last, where nothing else is lost."""
        settled = self._try(gated)
        judgement = self._judge(settled)
        if settled.stable and not judgement.losses:
            trial = self._with_losses_repeated(self._mutated(settled.trial, self.accepted))
            settled = replace(settled, trial=trial)
            self.accepted = self.faults.recall(self.accepted)
            judgement = self._judge(settled)
            if not judgement.accepted:
                self.faults.undo()
        return settled, judgement

    def _refusal(self, settled: Settled, judgement: Judgement) -> _Refusal | None:
        """Why a candidate is turned down, and whether the last one lost the same."""
        if not judgement.losses:
            self.lost = frozenset()
            return None
        again, self.lost = bool(self.lost & judgement.lost), judgement.lost
        findings = _losses(judgement)
        if again:
            findings.append(Finding("refused", LOST_TWICE, todo=SMALLER, gain=LOSS_GAIN))
        if found := self.accepted.mutation:
            findings += lost_findings(found, unnoticed(self.accepted, settled.trial))
        return _Refusal(judgement, tuple(findings), again)

    def _rest(self, settled: Settled) -> Edit | None:
        """What a candidate only adds, where it was refused for what it changes or removes, and
        there is time to try it."""
        if not settled.stable or not self._fits_another_try():
            return None
        edit = additions(settled.trial.suite, self.accepted.suite)
        files = self.accepted.suite.apply(edit).files
        news = files != self.accepted.suite.files and files != settled.trial.suite.files
        return edit if edit.files and news else None

    def _fits_another_try(self) -> bool:
        left = self.time.left
        return left is None or left >= self._least

    def _in_parts(self, settled: Settled, judgement: Judgement) -> tuple[Edit, Settled, Judgement]:
        """The largest part of a refused candidate that loses nothing and gains something; the
        candidate as it is where there is none."""
        self.say(LOST_AGAIN)
        found: tuple[Edit, Settled, Judgement] = Edit(), settled, judgement
        before = self.accepted.mutation
        noticed = before is not None and bool(before.detected & judgement.lost)

        def fits(edit: Edit) -> bool:
            nonlocal found
            tried, verdict = self._measured(self._gated(edit))
            mutation = tried.trial.mutation
            unknown = noticed and (mutation is None or bool(mutation.earlier))
            if verdict.accepted and not unknown:
                found = edit, tried, verdict
            return not verdict.losses and not unknown

        candidate = settled.trial.suite
        with suppress(TimeIsUp):
            Parts(candidate, self.accepted.suite, fits, self._fits_another_try).largest()
        return found

    def _make_smaller(self) -> None:
        with self._timed("notice"):
            self._notice_the_user()
        before = self.accepted
        with self._timed("minimise") as until:
            trial = smaller(before, self.faults, self.seed, until)
        judgement = Judgement(trial is not before, (_spared(before, trial),))
        if judgement.accepted:
            self._accept(trial)
            self.findings = self._find(self.accepted)
        why = "" if judgement.accepted else "no test can go, or be a row of another"
        self._close("minimise", self.accepted, judgement, why=why)

    def _measure_what_was_cut_off(self) -> None:
        """The mutants of the suite that stays, where its own time was up before all were run and
        some is left at the end; without a score it is as if this had not been tried. What the tests
        of this lift notice is confirmed as that of a candidate is."""
        found = self.accepted.mutation
        if not self.faults.has_time or (found is not None and found.has_score):
            return
        before = replace(self.accepted, suite=self.keeper.found, mutation=None)
        try:
            with self._timed("mutate") as until:
                trial = self.faults.measure(self.accepted, until, before)
        except TimeIsUp:
            return
        if trial.mutation is not None and trial.mutation.has_score:
            self.accepted = trial
            self.findings = self._find(trial)
            self._close("mutants", trial, Judgement(True), why="its mutants were measured at last")

    def _expect(self) -> None:
        """What the texts let one expect is written down before anybody looks at the code."""
        if self.agents.expect is None:
            return
        with self._timed("expect", RUNS_OF_A_TRY * self.bench.run_seconds) as until:
            self._know(self.agents.expect(self._brief(self.accepted, until)))
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
        """What may pass of an edit, with the contradictions that no agent writes down, and links
        as the project can read them."""
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
        linked = bool(len(bench.requirements))
        suite = respelled(suite, self.working, self.marks, linked=linked)
        accepted = self.accepted.suite
        again = self.turned_away.again(suite, [test.node for test in accepted.tests()])
        refused = (*gated.refused, *_refused_again(again))
        return replace(gated, suite=suite.without(again), refused=refused, again=frozenset(again))

    def _try(self, gated: Gated) -> Settled:
        with self._timed("measure", self.bench.run_seconds):
            return settle(
                formatted(gated.suite, self.working, self.bench.workspace, self.bench.jail),
                self.bench,
                excused=self.excused,
                seed=self.seed + len(self.chronicle.iterations),
                known=self.accepted.passing | self.accepted.failing,
                accepted=self.accepted.suite,
                may_gain=self._may_gain,
            )

    def _may_gain(self, trial: Trial) -> bool:
        """Mutants, which come last, may be what it gains."""
        return self.faults.has_time or bool(judge(self.accepted, trial).gains)

    def _mutated(self, trial: Trial, before: Trial | None = None) -> Trial:
        """With its mutants, where they are measured."""
        if self.faults.mutator is None:
            return trial
        keep = self._after_baseline if before is None else self.bench.run_seconds
        try:
            with self._timed("mutate", keep) as until:
                return self.faults.measure(trial, until, before)
        except TimeIsUp as error:
            return self.faults.without_mutants(trial, before, str(error))

    def _with_losses_repeated(self, trial: Trial) -> Trial:
        """A candidate is not turned down for mutants that were noticed by chance, or were not."""
        lost = unnoticed(self.accepted, trial)
        if lost:
            with suppress(TimeIsUp), self._timed("mutate"):
                self.accepted, trial = self.faults.repeat_losses(self.accepted, trial, lost)
        return trial

    def _accept(self, trial: Trial) -> None:
        """Land it; what the user changed in this very moment is measured as it is then."""
        with self.phases("land"):
            landed = self._aware(self.keeper.accept(trial))
        theirs = landed.suite.files != trial.suite.files
        self.accepted = self._mutated(landed) if theirs else landed

    def _overtaken(self) -> bool:
        """Nothing lands that was judged by tests or sources that are no more."""
        with self._timed("notice"):
            return self._notice_the_user()

    def _judge(self, settled: Settled) -> Judgement:
        if settled.stable:
            return judge(self.accepted, settled.trial, settled.dropped)
        told = f"a passing run: {settled.trouble}"
        return Judgement(False, losses=(told,), lost=frozenset(settled.left or [told]))

    def _question(self) -> tuple[object, ...]:
        """What the next generator would go by."""
        brief = self._brief(self.accepted)
        return brief.asks(reads_feedback=self.agents.reads_feedback)

    def _nothing_new(
        self, mode: Mode, gated: Gated, asked: tuple[object, ...], edit: Edit, why: str = ""
    ) -> None:
        """An edit that changes nothing needs no run: every figure is provably the same.

        Where the answer to the question `asked` was nothing at all, or nothing but what was
        refused before, it is not asked again.
        """
        by_gate = [one for one in gated.refused if not gated.again.intersection(one.tests)]
        news = self.turned_away.is_news(self.working.apply(edit), by_gate)
        idle = not why and not news
        refused = "every change was refused" if news else REFUSED_BEFORE
        why = why or (refused if gated.refused else NOTHING_PROPOSED)
        self.working, self.mode, self.corrections = self.accepted.suite, "refine", 0
        if not (self.feedback and self.feedback.role == "evaluator" and self.feedback.asked):
            with suppress(TimeIsUp), self._timed("feedback"):
                self._hear(self.agents.evaluator, self.accepted, gated.refused)
        self.findings = self._find(self.accepted, gated.refused)
        repeats = idle and self._question() == asked
        self._close(mode, self.accepted, Judgement(False), why=why, repeats=repeats)

    def _feed_back(
        self, settled: Settled, gated: Gated, judgement: Judgement, refused: _Refusal | None
    ) -> None:
        """A debugger looks at what failed; when all passes, an evaluator at what is accepted."""
        self.unfit |= settled.unfit
        self.turned_away.note(settled.first.suite, settled.refused_by_plain_pytest)
        self.corrections = self.corrections + 1 if settled.failed else 0
        if settled.failed and self.corrections <= CORRECTIONS:
            self.mode, self.working = "correct", settled.first.suite
            trial, agent = settled.first, self.agents.debugger
        else:
            # Nobody has repaired it: the very same is not measured once more.
            self.turned_away.note(settled.first.suite, settled.failing)
            self.mode, self.working = "refine", self.accepted.suite
            trial, agent = self.accepted, self.agents.evaluator
        lost = refused.findings if refused else ()
        extra = [*gated.refused, *lost, *_refused_plainly(settled)]
        self._hear(agent, trial, [*extra, *self._left_out()])

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
        seen = trial.scoped
        body = told.body or page(told, seen.run, seen.trace, seen.coverage)
        self.feedback = replace(told, body=body)

    def _left_out(self) -> list[Finding]:
        return [Finding("left-out", text) for text in self.left_out]

    def _find(self, trial: Trial, extra: Sequence[Finding] = ()) -> tuple[Finding, ...]:
        seen = trial.scoped
        return find(
            seen.run,
            seen.trace,
            self.bench.program,
            seen.coverage,
            excused=self.excused,
            extra=(*extra, *fault_findings(trial, self.bench.program, self.faults.dependences)),
        )

    def _brief(self, trial: Trial, until: float | None = None) -> Brief:
        scope, requirements = self.bench.scope, self.bench.requirements
        return Brief(
            mode=self.mode,
            iteration=len(self.chronicle.iterations),
            copy=self.bench.workspace.root,
            jail=self.bench.jail,
            program=self.bench.program,
            requirements=requirements if scope is None else scope.of(requirements),
            suite=self.working,
            scope=scope,
            findings=self.findings,
            feedback=self.feedback,
            run=trial.run,
            coverage=trial.coverage,
            trace=trial.scoped.trace,
            mutation=trial.mutation,
            mutated=self.faults.mutator.mutated if self.faults.mutator else None,
            expectations=self.bench.expectations,
            tried=self.bench.tried,
            accepted=self.accepted.suite,
            try_tests=self.bench.try_tests,
            try_expectations=self.bench.try_expectations,
            learn=self.faults.learn,
            seed=self.seed,
            deadline=self.time.until if until is None else until,
        )

    def _notice_the_user(self) -> bool:
        """The user may edit tests or sources meanwhile: theirs count from here on."""
        theirs = self.keeper.changed_by_the_user()
        changed = [path for path in self.bench.workspace.sync() if self.bench.depends_on(path)]
        if theirs is None and not changed:
            return False
        self.bench.reread()
        trial = self.bench.measure(theirs or self.accepted.suite)
        self._start_from(self.faults.measure(trial, self.time.aim("mutate", self._least)))
        return True

    def _aware(self, trial: Trial) -> Trial:
        """The suite knows which test files pytest found elsewhere, so as not to collide, and in
        which of the user's nothing runs."""
        nodes = (*trial.run.collected, *trial.run.broken)
        files = {node.partition("::")[0] for node in nodes} | self.bench.collected_elsewhere
        outside = frozenset(path for path in files if not path.startswith(f"{trial.suite.root}/"))
        broken = trial.run.broken.keys() - trial.suite.files_fully_owned()
        suite = replace(trial.suite, outside=outside, uncollected=frozenset(broken))
        return replace(trial, suite=suite)

    def _close(
        self,
        mode: str,
        trial: Trial,
        judgement: Judgement,
        dropped: Mapping[str, str] = NOTHING_DROPPED,
        why: str = "",
        *,
        repeats: bool = False,
    ) -> None:
        self.chronicle.close(
            mode,
            trial,
            judgement,
            accepted=self.accepted,
            standing=self._standing(),
            verdict=self.feedback.verdict if self.feedback else None,
            dropped=dropped,
            why=why,
            repeats=repeats,
        )

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
            scope=self.bench.scope,
        )


def _untouched(edit: Edit, before: Suite, now: Suite) -> Edit:
    """The part of an edit that is about files as they still are: it holds whole texts."""
    same = {p: t for p, t in edit.files.items() if before.files.get(p) == now.files.get(p)}
    return Edit(same, edit.why)


def _spared(before: Trial, after: Trial) -> str:
    functions = [sum(1 for _ in trial.suite.tests()) for trial in (before, after)]
    return f"the same with {count(functions[0] - functions[1], 'test function')} less"


def _refused_plainly(settled: Settled) -> list[Finding]:
    """What the last gate took out, a finding for each reason."""
    reasons: dict[str, list[str]] = {}
    for node, why in settled.refused_by_plain_pytest.items():
        reasons.setdefault(why, []).append(node)
    todo = "write it so that it passes when the user types pytest, without this package"
    return [
        Finding("refused", f"{nodes[0]} was left out: {why}", tests=tuple(nodes), todo=todo)
        for why, nodes in reasons.items()
    ]


def _refused_again(again: Mapping[str, str]) -> Iterator[Finding]:
    for node, why in again.items():
        told = f"{node} was proposed again as it was refused: {why}"
        yield Finding("refused", told, tests=(node,), todo="write another test")


@dataclass(frozen=True)
class _Refusal:
    """A candidate as it came was turned down; what is left of it may be accepted."""

    judgement: Judgement
    findings: tuple[Finding, ...]
    """What the next agents are told of it."""
    again: bool
    """The last one that was turned down would have lost the same."""

    def told(self, now: Judgement) -> str:
        """The reason for the history: what became of it, and of all of it."""
        if now is self.judgement:
            return f"{now.why}{TWICE if self.again else ''}"
        in_parts = f"{TWICE}, so it was tried in parts" if self.again else ""
        return f"{now.why}; all of it would have {self.judgement.why}{in_parts}"


def _losses(judgement: Judgement) -> list[Finding]:
    """Why a candidate was turned down, as a finding for the next generator."""
    return [
        Finding("refused", f"the candidate lost {loss}", todo="keep what it lost", gain=LOSS_GAIN)
        for loss in judgement.losses
    ]
