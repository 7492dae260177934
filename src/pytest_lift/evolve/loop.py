"""The loop: generate, run, judge, feed back, until there is a reason to end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from pytest_lift.agents.contract import Agents, Brief, Mode
from pytest_lift.errors import LiftError
from pytest_lift.evolve.acceptance import Decision, decide, unnoticed
from pytest_lift.evolve.contradictions import with_contradictions
from pytest_lift.evolve.iteration import Iteration, LiftOutcome
from pytest_lift.evolve.iteration_log import IterationLog
from pytest_lift.evolve.parts import Parts
from pytest_lift.evolve.resume import (
    Resumed,
    Standing,
    hashes,
    program_fingerprint,
    requirements_fingerprint,
)
from pytest_lift.evolve.screening import ScreenedCandidate, screen
from pytest_lift.evolve.smaller import smaller
from pytest_lift.evolve.turned_away import TurnedAway
from pytest_lift.expectations.files import still_stated
from pytest_lift.files.disk import REMEDIES, storage_error
from pytest_lift.findings.faults import fault_findings
from pytest_lift.findings.feedback import Feedback
from pytest_lift.findings.finding import Finding, collect_findings
from pytest_lift.findings.mutants import lost_findings
from pytest_lift.findings.page import page
from pytest_lift.gate.additions import additions
from pytest_lift.gate.gating import Gated, gate
from pytest_lift.measure.fault_measurer import FaultMeasurer
from pytest_lift.measure.measurement import Measurement
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

    faults: FaultMeasurer
    agents: Agents
    chronicle: IterationLog
    stop: Callable[[tuple[Iteration, ...]], str | None]
    seed: int = 0
    minimise: bool = False
    """Make the suite smaller when everything else is done."""
    say: Callable[[str], None] = lambda text: None
    """Told what the user should know in between."""
    marks: frozenset[str] = frozenset()
    """Those of `req` and `emergent` that the project knows; what else links a test is a field."""
    accepted: Measurement = field(init=False)
    working: Suite = field(init=False)
    """What the next generator begins with: the accepted suite, or a candidate to be corrected."""
    mode: Mode = "initial"
    feedback: Feedback | None = None
    findings: tuple[Finding, ...] = ()
    known_failures: frozenset[str] = frozenset()
    """What failed, or was not run, at the start, and is left alone."""
    rejected_contradictions: frozenset[str] = frozenset()
    """Tests of contradictions that did not fail as they said, and are not tried again."""
    turned_away: TurnedAway = field(default_factory=TurnedAway)
    """What the gates have refused, and is not tried again as it is."""
    corrections: int = 0
    lost: frozenset[str] = frozenset()
    """What the last refused candidate would have lost."""
    left_out: tuple[str, ...] = ()
    """What was left untested on purpose, by the last that said so."""

    def __post_init__(self) -> None:
        self.measurer, self.publisher = self.faults.measurer, self.chronicle.publisher
        self.phases, self.time = self.chronicle.phases, self.measurer.time

    def run(self, suite: Suite, resumed: Resumed | None = None) -> LiftOutcome:
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
        return LiftOutcome(ending, reason, self.accepted.scoped, iterations, self.findings, seconds)

    def rehearse(self, suite: Suite) -> Sequence[str]:
        """What would be sent to a model for `suite`, in lines; nothing is."""
        self._start_from(self.measurer.measure(suite))
        ask = self.agents.forecast
        return ask(self._brief(self.accepted)) if ask else ["these agents cannot tell"]

    def _begin(self, suite: Suite) -> None:
        with self._timed("measure"):
            measurement = self.measurer.measure(suite)
        self.say(self._estimate(measurement))
        measurement = self._mutated(measurement)
        if self.faults.mutator is not None:
            with suppress(TimeIsUp), self._timed("orders", self._after_baseline):
                self.faults.examine_orders(measurement)
        self._start_from(measurement)
        self._close("baseline", self.accepted, Decision(True))

    def _go_on(self, found: Suite, resumed: Resumed) -> None:
        """As if the run had not been cut short; what changed since is an iteration of its own."""
        measurer, standing = self.measurer, resumed.standing
        measurer.expectations = still_stated(standing.expectations, measurer.requirements)
        same = standing.requirements == requirements_fingerprint(measurer.requirements)
        link_grades = [
            one for one in standing.link_grades if same or still_said(one, measurer.requirements)
        ]
        measurer.link_grades = {(one.test, one.requirement): one for one in link_grades}
        landing = self.publisher.landing
        begin = resumed.begin(found, measurer.program, measurer.requirements, landing=landing)
        self.known_failures = standing.known_failures
        self.chronicle.go_on(resumed.iterations, standing.accepted, resumed.elapsed)
        with self._timed("measure"):
            measurement = measurer.measure(begin.suite)
        self.say(self._estimate(measurement))
        self._start_from(self._mutated(measurement))
        self._accept(self.accepted)
        if begin.changed:
            self._close("resumed", self.accepted, Decision(True), why=begin.changed)
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

    def _start_from(self, measurement: Measurement) -> None:
        """Accept `measurement` as found; what fails in it, or does not run, is left alone."""
        self.accepted = self._aware(measurement)
        self.working, self.feedback = self.accepted.suite, None
        self.rejected_contradictions = frozenset()
        self.turned_away.forget()
        self.lost = frozenset()
        self.known_failures |= self.accepted.broken | self.accepted.absent
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
        return self.time.least(self.measurer.run_seconds)

    @property
    def _after_baseline(self) -> float:
        """Seconds to keep for an iteration, where one fits; else all may go into measuring."""
        left = self.time.left
        return self._least if left is not None and left >= self._least else 0.0

    def _estimate(self, measurement: Measurement) -> str:
        """What the user may expect, and whether there is time for it."""
        run = self.measurer.run_seconds
        told = f"the suite itself takes {spoken(measurement.run.seconds)}; "
        told += "an iteration will take about "
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
        with self._timed("generate", RUNS_OF_A_TRY * self.measurer.run_seconds) as until:
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
            self._accept(settled.measurement)
        with suppress(TimeIsUp), self._timed("feedback"):
            self._feed_back(settled, gated, judgement, refused)
        tried = self.accepted if judgement.accepted else settled.measurement
        why = refused.told(judgement) if refused else ""
        self._close(mode, tried, judgement, settled.dropped, why)

    def _measured(self, gated: Gated) -> tuple[ScreenedCandidate, Decision]:
        """What becomes of a candidate; its mutants come last, where nothing else is lost."""
        settled = self._try(gated)
        judgement = self._judge(settled)
        if settled.stable and not judgement.losses:
            measurement = self._with_losses_repeated(
                self._mutated(settled.measurement, self.accepted)
            )
            settled = replace(settled, measurement=measurement)
            self.accepted = self.faults.recall(self.accepted)
            judgement = self._judge(settled)
            if not judgement.accepted:
                self.faults.undo()
        return settled, judgement

    def _refusal(self, settled: ScreenedCandidate, judgement: Decision) -> _Refusal | None:
        """Why a candidate is turned down, and whether the last one lost the same."""
        if not judgement.losses:
            self.lost = frozenset()
            return None
        again, self.lost = bool(self.lost & judgement.lost), judgement.lost
        findings = _losses(judgement)
        if again:
            findings.append(Finding("refused", LOST_TWICE, todo=SMALLER, gain=LOSS_GAIN))
        if found := self.accepted.mutation:
            findings += lost_findings(found, unnoticed(self.accepted, settled.measurement))
        return _Refusal(judgement, tuple(findings), again)

    def _rest(self, settled: ScreenedCandidate) -> Edit | None:
        """What a candidate only adds, where it was refused for what it changes or removes, and
        there is time to try it."""
        if not settled.stable or not self._fits_another_try():
            return None
        edit = additions(settled.measurement.suite, self.accepted.suite)
        files = self.accepted.suite.apply(edit).files
        news = files != self.accepted.suite.files and files != settled.measurement.suite.files
        return edit if edit.files and news else None

    def _fits_another_try(self) -> bool:
        left = self.time.left
        return left is None or left >= self._least

    def _in_parts(
        self, settled: ScreenedCandidate, judgement: Decision
    ) -> tuple[Edit, ScreenedCandidate, Decision]:
        """The largest part of a refused candidate that loses nothing and gains something; the
        candidate as it is where there is none."""
        self.say(LOST_AGAIN)
        found: tuple[Edit, ScreenedCandidate, Decision] = Edit(), settled, judgement
        before = self.accepted.mutation
        noticed = before is not None and bool(before.detected & judgement.lost)

        def fits(edit: Edit) -> bool:
            nonlocal found
            tried, verdict = self._measured(self._gated(edit))
            mutation = tried.measurement.mutation
            unknown = noticed and (mutation is None or bool(mutation.earlier))
            if verdict.accepted and not unknown:
                found = edit, tried, verdict
            return not verdict.losses and not unknown

        candidate = settled.measurement.suite
        with suppress(TimeIsUp):
            Parts(candidate, self.accepted.suite, fits, self._fits_another_try).largest()
        return found

    def _make_smaller(self) -> None:
        with self._timed("notice"):
            self._notice_the_user()
        before = self.accepted
        with self._timed("minimise") as until:
            measurement = smaller(before, self.faults, self.seed, until)
        judgement = Decision(measurement is not before, (_spared(before, measurement),))
        if judgement.accepted:
            self._accept(measurement)
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
        before = replace(self.accepted, suite=self.publisher.found, mutation=None)
        try:
            with self._timed("mutate") as until:
                measurement = self.faults.measure(self.accepted, until, before)
        except TimeIsUp:
            return
        if measurement.mutation is not None and measurement.mutation.has_score:
            self.accepted = measurement
            self.findings = self._find(measurement)
            self._close(
                "mutants", measurement, Decision(True), why="its mutants were measured at last"
            )

    def _expect(self) -> None:
        """What the texts let one expect is written down before anybody looks at the code."""
        if self.agents.expect is None:
            return
        with self._timed("expect", RUNS_OF_A_TRY * self.measurer.run_seconds) as until:
            self._know(self.agents.expect(self._brief(self.accepted, until)))
            if self.mode != "correct":
                refused = [finding for finding in self.findings if finding.kind == "refused"]
                self.findings = self._find(self.accepted, refused)

    def _know(self, said: tuple[Expectation, ...]) -> None:
        """Expectations are added, or ruled on anew; none gets lost."""
        known = {one.key: one for one in self.measurer.expectations} | {
            one.key: one for one in said
        }
        if tuple(known.values()) != self.measurer.expectations:
            self.measurer.expectations = tuple(known.values())
            self.accepted = self.measurer.retrace(self.accepted)

    def _gated(self, edit: Edit) -> Gated:
        """What may pass of an edit, with the contradictions that no agent writes down, and links
        as the project can read them."""
        measurer = self.measurer
        gated = gate(
            edit, self.working, measurer.requirements, measurer.program, self.accepted.suite
        )
        suite = with_contradictions(
            gated.suite,
            measurer.contradictions,
            measurer.program,
            measurer.requirements,
            passing=self.accepted.settled,
            rejected_contradictions=self.rejected_contradictions,
        )
        linked = bool(len(measurer.requirements))
        suite = respelled(suite, self.working, self.marks, linked=linked)
        accepted = self.accepted.suite
        again = self.turned_away.again(suite, [test.node for test in accepted.tests()])
        refused = (*gated.refused, *_refused_again(again))
        return replace(gated, suite=suite.without(again), refused=refused, again=frozenset(again))

    def _try(self, gated: Gated) -> ScreenedCandidate:
        with self._timed("measure", self.measurer.run_seconds):
            return screen(
                formatted(gated.suite, self.working, self.measurer.workspace, self.measurer.jail),
                self.measurer,
                known_failures=self.known_failures,
                seed=self.seed + len(self.chronicle.iterations),
                known=self.accepted.passing | self.accepted.failing,
                accepted=self.accepted.suite,
                may_gain=self._may_gain,
            )

    def _may_gain(self, measurement: Measurement) -> bool:
        """Mutants, which come last, may be what it gains."""
        return self.faults.has_time or bool(decide(self.accepted, measurement).gains)

    def _mutated(self, measurement: Measurement, before: Measurement | None = None) -> Measurement:
        """With its mutants, where they are measured."""
        if self.faults.mutator is None:
            return measurement
        keep = self._after_baseline if before is None else self.measurer.run_seconds
        try:
            with self._timed("mutate", keep) as until:
                return self.faults.measure(measurement, until, before)
        except TimeIsUp as error:
            return self.faults.without_mutants(measurement, before, str(error))

    def _with_losses_repeated(self, measurement: Measurement) -> Measurement:
        """A candidate is not turned down for mutants that were noticed by chance, or were not."""
        lost = unnoticed(self.accepted, measurement)
        if lost:
            with suppress(TimeIsUp), self._timed("mutate"):
                self.accepted, measurement = self.faults.repeat_losses(
                    self.accepted, measurement, lost
                )
        return measurement

    def _accept(self, measurement: Measurement) -> None:
        """Land it; what the user changed in this very moment is measured as it is then."""
        with self.phases("land"):
            landed = self._aware(self.publisher.accept(measurement))
        theirs = landed.suite.files != measurement.suite.files
        self.accepted = self._mutated(landed) if theirs else landed

    def _overtaken(self) -> bool:
        """Nothing lands that was judged by tests or sources that are no more."""
        with self._timed("notice"):
            return self._notice_the_user()

    def _judge(self, settled: ScreenedCandidate) -> Decision:
        if settled.stable:
            return decide(self.accepted, settled.measurement, settled.dropped)
        told = f"a passing run: {settled.trouble}"
        return Decision(False, losses=(told,), lost=frozenset(settled.left or [told]))

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
        self._close(mode, self.accepted, Decision(False), why=why, repeats=repeats)

    def _feed_back(
        self,
        settled: ScreenedCandidate,
        gated: Gated,
        judgement: Decision,
        refused: _Refusal | None,
    ) -> None:
        """A debugger looks at what failed; when all passes, an evaluator at what is accepted."""
        self.rejected_contradictions |= settled.rejected_contradictions
        self.turned_away.note(settled.first.suite, settled.refused_by_plain_pytest)
        self.corrections = self.corrections + 1 if settled.failed else 0
        if settled.failed and self.corrections <= CORRECTIONS:
            self.mode, self.working = "correct", settled.first.suite
            measurement, agent = settled.first, self.agents.debugger
        else:
            # Nobody has repaired it: the very same is not measured once more.
            self.turned_away.note(settled.first.suite, settled.failing)
            self.mode, self.working = "refine", self.accepted.suite
            measurement, agent = self.accepted, self.agents.evaluator
        lost = refused.findings if refused else ()
        extra = [*gated.refused, *lost, *_refused_plainly(settled)]
        self._hear(agent, measurement, [*extra, *self._left_out()])

    def _hear(
        self, agent: Callable[[Brief], Feedback], measurement: Measurement, extra: Sequence[Finding]
    ) -> None:
        """Ask an agent about `measurement`; what it says of links counts from now on."""
        self.findings = self._find(measurement, extra)
        told = agent(self._brief(measurement))
        if told.link_grades:
            self.measurer.link_grades |= {
                (one.test, one.requirement): one for one in told.link_grades
            }
            again = self.measurer.retrace(measurement)
            self.accepted = (
                again if measurement is self.accepted else self.measurer.retrace(self.accepted)
            )
            measurement, self.findings = again, self._find(again, extra)
        seen = measurement.scoped
        body = told.body or page(told, seen.run, seen.trace, seen.coverage)
        self.feedback = replace(told, body=body)

    def _left_out(self) -> list[Finding]:
        return [Finding("left-out", text) for text in self.left_out]

    def _find(self, measurement: Measurement, extra: Sequence[Finding] = ()) -> tuple[Finding, ...]:
        seen = measurement.scoped
        return collect_findings(
            seen.run,
            seen.trace,
            self.measurer.program,
            seen.coverage,
            known_failures=self.known_failures,
            extra=(
                *extra,
                *fault_findings(measurement, self.measurer.program, self.faults.dependences),
            ),
        )

    def _brief(self, measurement: Measurement, until: float | None = None) -> Brief:
        scope, requirements = self.measurer.scope, self.measurer.requirements
        return Brief(
            mode=self.mode,
            iteration=len(self.chronicle.iterations),
            copy=self.measurer.workspace.root,
            jail=self.measurer.jail,
            program=self.measurer.program,
            requirements=requirements if scope is None else scope.of(requirements),
            suite=self.working,
            scope=scope,
            findings=self.findings,
            feedback=self.feedback,
            run=measurement.run,
            coverage=measurement.coverage,
            trace=measurement.scoped.trace,
            mutation=measurement.mutation,
            mutated=self.faults.mutator.mutated if self.faults.mutator else None,
            expectations=self.measurer.expectations,
            tried=self.measurer.tried,
            accepted=self.accepted.suite,
            try_tests=self.measurer.try_tests,
            try_expectations=self.measurer.try_expectations,
            learn=self.faults.learn,
            seed=self.seed,
            deadline=self.time.until if until is None else until,
        )

    def _notice_the_user(self) -> bool:
        """The user may edit tests or sources meanwhile: theirs count from here on."""
        theirs = self.publisher.changed_by_the_user()
        changed = [
            path for path in self.measurer.workspace.sync() if self.measurer.depends_on(path)
        ]
        if theirs is None and not changed:
            return False
        self.measurer.reread()
        measurement = self.measurer.measure(theirs or self.accepted.suite)
        self._start_from(self.faults.measure(measurement, self.time.aim("mutate", self._least)))
        return True

    def _aware(self, measurement: Measurement) -> Measurement:
        """The suite knows which test files pytest found elsewhere, so as not to collide, and in
        which of the user's nothing runs."""
        nodes = (*measurement.run.collected, *measurement.run.broken)
        files = {node.partition("::")[0] for node in nodes} | self.measurer.collected_elsewhere
        root = f"{measurement.suite.root}/"
        outside = frozenset(path for path in files if not path.startswith(root))
        broken = measurement.run.broken.keys() - measurement.suite.files_fully_owned()
        suite = replace(measurement.suite, outside=outside, uncollected=frozenset(broken))
        return replace(measurement, suite=suite)

    def _close(
        self,
        mode: str,
        measurement: Measurement,
        judgement: Decision,
        dropped: Mapping[str, str] = NOTHING_DROPPED,
        why: str = "",
        *,
        repeats: bool = False,
    ) -> None:
        self.chronicle.close(
            mode,
            measurement,
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
            on_disk=hashes(self.publisher.on_disk),
            program=program_fingerprint(self.measurer.program),
            requirements=requirements_fingerprint(self.measurer.requirements),
            seed=self.seed,
            corrections=self.corrections,
            known_failures=self.known_failures,
            findings=tuple(f for f in self.findings if correct or f.kind == "refused"),
            expectations=self.measurer.expectations,
            link_grades=tuple(self.measurer.link_grades.values()),
            feedback=self.feedback,
            scope=self.measurer.scope,
        )


def _untouched(edit: Edit, before: Suite, now: Suite) -> Edit:
    """The part of an edit that is about files as they still are: it holds whole texts."""
    same = {p: t for p, t in edit.files.items() if before.files.get(p) == now.files.get(p)}
    return Edit(same, edit.why)


def _spared(before: Measurement, after: Measurement) -> str:
    functions = [sum(1 for _ in measurement.suite.tests()) for measurement in (before, after)]
    return f"the same with {count(functions[0] - functions[1], 'test function')} less"


def _refused_plainly(settled: ScreenedCandidate) -> list[Finding]:
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

    judgement: Decision
    findings: tuple[Finding, ...]
    """What the next agents are told of it."""
    again: bool
    """The last one that was turned down would have lost the same."""

    def told(self, now: Decision) -> str:
        """The reason for the history: what became of it, and of all of it."""
        if now is self.judgement:
            return f"{now.why}{TWICE if self.again else ''}"
        in_parts = f"{TWICE}, so it was tried in parts" if self.again else ""
        return f"{now.why}; all of it would have {self.judgement.why}{in_parts}"


def _losses(judgement: Decision) -> list[Finding]:
    """Why a candidate was turned down, as a finding for the next generator."""
    return [
        Finding("refused", f"the candidate lost {loss}", todo="keep what it lost", gain=LOSS_GAIN)
        for loss in judgement.losses
    ]
