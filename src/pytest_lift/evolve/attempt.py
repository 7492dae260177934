"""From an edit to a decision: gate, runs, mutants; in parts where it loses the same again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from pytest_lift.evolve.acceptance import Decision, Parts, decide, unnoticed
from pytest_lift.evolve.screening import ScreenedCandidate, screen
from pytest_lift.evolve.setup import Setup
from pytest_lift.evolve.state import State
from pytest_lift.findings.finding import Finding
from pytest_lift.findings.test_quality import lost_findings
from pytest_lift.gate.contradictions import with_contradictions
from pytest_lift.gate.gating import Gated, gate
from pytest_lift.gate.regression import additions
from pytest_lift.measure.measurement import Measurement
from pytest_lift.measure.time_budget import TimeIsUp
from pytest_lift.oracles.discrepancies import repeated
from pytest_lift.run.formatting import formatted
from pytest_lift.suite.respelling import respelled
from pytest_lift.suite.suite import Edit, Suite

LOST_AGAIN = "this candidate loses what the one before it lost: it is tried in parts"
LOST_TWICE = "two candidates in a row lost the same"
TWICE = ", as the candidate before it"
LOSS_GAIN = 50.0
SMALLER = "change less at a time: one file, a few new tests; leave what stands there as it is"


@dataclass(frozen=True)
class Attempt:
    """A candidate that was run, and the decision about it."""

    edit: Edit
    accepted: Measurement
    """The accepted suite, with all that was found out about it while the candidate was measured."""
    screened: ScreenedCandidate
    decision: Decision


@dataclass(frozen=True)
class Refusal:
    """Reason why a candidate was refused as a whole; a part of it may be accepted."""

    decision: Decision
    findings: tuple[Finding, ...]
    """Findings for the next agents."""
    again: bool
    """Whether the refused candidate before it would have lost the same."""

    def why(self, now: Decision) -> str:
        """Returns the reason for the history: what became of the part, and what all of it would
        lose."""
        if now is self.decision:
            return f"{now.why}{TWICE if self.again else ''}"
        in_parts = f"{TWICE}, so it was tried in parts" if self.again else ""
        return f"{now.why}; all of it would have {self.decision.why}{in_parts}"


def gated(setup: Setup, state: State, edit: Edit) -> Gated:
    """Returns the part of an edit that passes the rules, with tests of contradictions added.

    Links are spelled as the project can read them; tests that were refused before are left out.
    """
    measurer, accepted = setup.measurer, state.accepted.suite
    known = measurer.contradictions(state.knowledge)
    each = [said for group in known.values() for said in group]
    each += repeated(state.knowledge.expectations, measurer.tried(state.knowledge))
    found = gate(edit, state.working, measurer.requirements, measurer.program, accepted, each)
    suite = with_contradictions(
        found.suite,
        known,
        measurer.program,
        measurer.requirements,
        passing=state.accepted.settled,
        rejected_contradictions=state.rejected_contradictions,
    )
    linked = bool(len(measurer.requirements))
    suite = respelled(suite, state.working, setup.marks, linked=linked)
    again = state.refused.again(suite, [test.node for test in accepted.tests()])
    refused = (*found.refused, *_refused_again(again))
    return replace(found, suite=suite.without(again), refused=refused, again=frozenset(again))


def _refused_again(again: Mapping[str, str]) -> Iterator[Finding]:
    for node, why in again.items():
        what = f"{node} was proposed again, unchanged since it was refused: {why}"
        yield Finding("refused", what, tests=(node,), todo="write another test")


def attempt(setup: Setup, state: State, edit: Edit, candidate: Gated) -> Attempt:
    """Runs a gated candidate; its mutants come last, where nothing else is lost. Those of a first
    suite may wait until it has landed: there is nothing that it could lose."""
    screened = _screened(setup, state, candidate)
    decision = _decide_on(state.accepted, screened)
    if not screened.stable or decision.losses or is_first(state.accepted, decision):
        return Attempt(edit, state.accepted, screened, decision)
    measurement = with_mutants(setup, screened.measurement, state.accepted)
    accepted, measurement = _with_losses_repeated(setup, state.accepted, measurement)
    accepted = setup.faults.recall(accepted)
    screened = replace(screened, measurement=measurement)
    decision = _decide_on(accepted, screened)
    if not decision.accepted:
        setup.faults.undo()
    return Attempt(edit, accepted, screened, decision)


def is_first(accepted: Measurement, decision: Decision) -> bool:
    """Whether a suite is accepted without a look at mutants, where no test detected any before."""
    return decision.accepted and not accepted.passing


def _screened(setup: Setup, state: State, candidate: Gated) -> ScreenedCandidate:
    measurer = setup.measurer
    keep = measurer.run_seconds if setup.faults.has_time else 0.0  # for mutants
    with setup.timed("measure", keep):
        return screen(
            formatted(candidate.suite, state.working, measurer.workspace, measurer.jail),
            measurer,
            knowledge=state.knowledge,
            known_failures=state.known_failures,
            seed=setup.seed + len(setup.log.iterations),
            known=state.accepted.passing | state.accepted.failing,
            accepted=state.accepted.suite,
            may_gain=partial(may_gain, setup, state.accepted),
        )


def may_gain(setup: Setup, accepted: Measurement, candidate: Measurement) -> bool:
    """Whether a passing candidate may be accepted: mutants, which come last, may be its gain."""
    return setup.faults.has_time or bool(decide(accepted, candidate).gains)


def _decide_on(accepted: Measurement, screened: ScreenedCandidate) -> Decision:
    """Returns the decision of the ratchet; what is not stable lost a passing run."""
    if screened.stable:
        return decide(accepted, screened.measurement, screened.dropped)
    loss = f"a passing run: {screened.trouble}"
    return Decision(False, losses=(loss,), lost=frozenset(screened.left or [loss]))


def with_mutants(
    setup: Setup, measurement: Measurement, before: Measurement | None = None
) -> Measurement:
    """Returns the measurement with its mutants, where these are measured.

    `before` is the accepted suite, where `measurement` is of a candidate.
    """
    if setup.faults.mutator is None:
        return measurement
    keep = setup.kept_for_iteration if before is None else setup.measurer.run_seconds
    try:
        with setup.timed("mutate", keep) as until:
            return setup.faults.measure(measurement, until, before)
    except TimeIsUp as error:
        return setup.faults.without_mutants(measurement, before, str(error))


def _with_losses_repeated(
    setup: Setup, accepted: Measurement, measurement: Measurement
) -> tuple[Measurement, Measurement]:
    """Returns both measurements after lost mutants were run again: a loss may be random."""
    lost = unnoticed(accepted, measurement)
    if lost:
        with suppress(TimeIsUp), setup.timed("mutate"):
            return setup.faults.repeat_losses(accepted, measurement, lost)
    return accepted, measurement


def publish(setup: Setup, state: State, measurement: Measurement) -> State:
    """Lands a suite; what the user changed in this very moment is measured as it is then."""
    with setup.log.timer("land"):
        landed = setup.located(setup.publisher.accept(measurement))
    theirs = landed.suite.files != measurement.suite.files
    return replace(state, accepted=with_mutants(setup, landed) if theirs else landed)


def with_mutants_of_first(setup: Setup, state: State, tried: Attempt) -> tuple[State, Decision]:
    """Returns the state after the mutants of a first suite that has landed, and what it gained with
    these; other suites have theirs already."""
    accepted, decision = tried.accepted, tried.decision
    if not is_first(accepted, decision) or state.accepted.mutation is not None:
        return state, decision
    measurement = with_mutants(setup, state.accepted, accepted)
    gained = decide(accepted, measurement, tried.screened.dropped)
    return replace(state, accepted=measurement), replace(decision, gains=gained.gains)


def refusal(state: State, tried: Attempt) -> Refusal | None:
    """Returns why a candidate is refused, and whether the last refused one lost the same."""
    decision = tried.decision
    if not decision.losses:
        return None
    again = bool(state.lost & decision.lost)
    findings = [
        Finding("refused", f"the candidate lost {loss}", todo="keep what it lost", gain=LOSS_GAIN)
        for loss in decision.losses
    ]
    if again:
        findings.append(Finding("refused", LOST_TWICE, todo=SMALLER, gain=LOSS_GAIN))
    if found := tried.accepted.mutation:
        findings += lost_findings(found, unnoticed(tried.accepted, tried.screened.measurement))
    return Refusal(decision, tuple(findings), again)


def additions_of(setup: Setup, tried: Attempt) -> Edit | None:
    """Additions of a refused candidate; None if there are none, or no time is left to try them."""
    if not tried.screened.stable or not setup.has_time_for_a_try:
        return None
    accepted, candidate = tried.accepted.suite, tried.screened.measurement.suite
    edit = additions(candidate, accepted)
    files = accepted.apply(edit).files
    is_another = files != accepted.files and files != candidate.files
    return edit if edit.files and is_another else None


def in_parts(setup: Setup, state: State, tried: Attempt) -> Attempt:
    """Returns the largest part of a refused candidate that loses nothing and gains something.

    The candidate as it is where there is none.
    """
    setup.say(LOST_AGAIN)
    accepted, found = tried.accepted, tried
    before, decision = accepted.mutation, tried.decision
    noticed = before is not None and bool(before.detected & decision.lost)

    def fits(edit: Edit) -> bool:
        nonlocal accepted, found
        now = replace(state, accepted=accepted)
        part = attempt(setup, now, edit, gated(setup, now, edit))
        accepted = part.accepted
        mutation = part.screened.measurement.mutation
        unknown = noticed and (mutation is None or bool(mutation.earlier))
        if part.decision.accepted and not unknown:
            found = part
        return not part.decision.losses and not unknown

    candidate: Suite = tried.screened.measurement.suite
    with suppress(TimeIsUp):
        Parts(candidate, accepted.suite, fits, lambda: setup.has_time_for_a_try).largest()
    return replace(found, accepted=accepted)
