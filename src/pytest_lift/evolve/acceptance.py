"""Decision on a candidate: nothing of the accepted suite may be lost, something must be gained."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from pytest_lift.evolve.screening import FLAKY
from pytest_lift.measure.measurement import (
    Loss,
    Measurement,
    executed,
    measured_losses,
    some,
    verified,
)
from pytest_lift.text.wording import count


@dataclass(frozen=True)
class Decision:
    """The verdict of the ratchet, in words that go into the history and the feedback."""

    accepted: bool
    gains: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    lost: frozenset[str] = frozenset()
    """Each single thing that the losses are about: two refusals are alike where they share one."""

    @property
    def why(self) -> str:
        if self.losses:
            return "lost " + "; ".join(self.losses)
        return "gained " + ", ".join(self.gains) if self.gains else "nothing gained"


def decide(
    accepted: Measurement, candidate: Measurement, dropped: Mapping[str, str] | None = None
) -> Decision:
    """Compares two measured suites.

    Pure; `candidate` has been screened (see `evolve/screening.py`). `dropped` maps tests that it
    lost on the way to the reasons; only flaky ones are no loss.
    """
    found = [*_losses(accepted, candidate), *_gone(accepted, candidate, dropped or {})]
    gains = tuple(_gains(accepted, candidate))
    lost = frozenset(str(thing) for loss in found for thing in loss.things)
    losses = tuple(loss.text for loss in found)
    return Decision(not losses and bool(gains), gains, losses, lost)


def _losses(accepted: Measurement, candidate: Measurement) -> Iterator[Loss]:
    ours = {test.node for test in accepted.suite.owned_tests()}
    broken = accepted.passing - ours - candidate.passing
    if broken:
        told = f"{count(len(broken), 'test')} of yours that passed before: {some(broken)}"
        yield Loss(told, broken)
    yield from measured_losses(accepted, candidate)
    if candidate.unmeasurable:
        told = f"the measuring of mutants: {candidate.unmeasurable}"
        yield Loss(told, {"the measuring of mutants"})
    mutants = unnoticed(accepted, candidate)
    if mutants:
        where = _places(candidate, mutants)
        yield Loss(f"{count(len(mutants), 'detected mutant')} at {some(where)}", mutants)


def unnoticed(accepted: Measurement, candidate: Measurement) -> frozenset[str]:
    """Mutants that the accepted suite detects and the candidate, which was measured, does not."""
    if accepted.mutation is None or candidate.mutation is None:
        return frozenset()
    measured = accepted.mutation.detected & candidate.mutation.verdicts.keys()
    return measured - candidate.mutation.detected


def _places(measurement: Measurement, mutants: Collection[str]) -> set[str]:
    known = measurement.mutation.mutants if measurement.mutation else {}
    return {f"{known[key].file}:{known[key].line}" for key in mutants if key in known}


def _newly_detected(accepted: Measurement, candidate: Measurement) -> frozenset[str]:
    """Mutants that the candidate detects and the accepted suite, measured on them too, does not.

    All that are detected where the accepted suite has no passing test. None where the accepted
    suite has tests and was not measured, since its own tests may detect them.
    """
    if candidate.mutation is None:
        return frozenset()
    if accepted.mutation is None:
        tested = any(result.outcome == "passed" for result in accepted.run.results.values())
        return frozenset() if tested else candidate.mutation.detected
    before = accepted.mutation
    if before.earlier:
        return frozenset()
    return (candidate.mutation.detected & before.verdicts.keys()) - before.detected


def _gone(
    accepted: Measurement, candidate: Measurement, dropped: Mapping[str, str]
) -> Iterator[Loss]:
    """Yields tests of the tool that passed before and do not pass now."""
    ours = {test.node for test in accepted.suite.owned_tests()} & accepted.passing
    ours -= accepted.contradicting
    flaky = {node for node, why in dropped.items() if why.startswith(FLAKY)}
    if gone := ours - candidate.passing - flaky:
        yield Loss(f"{count(len(gone), 'accepted test')}: {some(gone)}", gone)


def _gains(accepted: Measurement, candidate: Measurement) -> Iterator[str]:
    branches = candidate.coverage.covered() - accepted.coverage.covered()
    lines = executed(candidate) - executed(accepted)
    if branches:
        yield count(len(branches), "branch")
    if lines:
        yield count(len(lines), "line")
    newly = verified(candidate) - verified(accepted)
    touched = _touched(candidate) - _touched(accepted) - newly
    if newly:
        yield f"{count(len(newly), 'verified requirement')}"
    if touched:
        more = "more requirement" if newly else "requirement"
        yield f"a test for {count(len(touched), more)}"
    points = candidate.trace.covered - accepted.trace.covered
    if points and not newly:
        yield f"{count(len(points), 'acceptance sentence')}"
    mutants = _newly_detected(accepted, candidate)
    if mutants:
        yield f"{count(len(mutants), 'mutant')}"
    repaired = candidate.passing & accepted.failing
    if repaired:
        yield f"{count(len(repaired), 'repaired test')}"
    yield from _written_down(accepted, candidate)
    smaller = len(accepted.passing - accepted.contradicting) - len(
        candidate.passing - candidate.contradicting
    )
    if smaller > 0 and not (branches or lines or newly or touched or points or mutants):
        yield f"the same with {count(smaller, 'test')} less"


def _written_down(accepted: Measurement, candidate: Measurement) -> Iterator[str]:
    """Yields gains by tests of contradictions: they cover and verify nothing, so their existence is
    the gain."""
    new = candidate.contradicting - accepted.contradicting
    gone = accepted.contradicting - candidate.contradicting - accepted.settled
    if new:
        yield f"{count(len(new), 'contradiction')} written down"
    if gone:
        yield f"{count(len(gone), 'contradiction')} no longer stated"


def _touched(measurement: Measurement) -> set[str]:
    return {
        i.requirement.id
        for i in measurement.trace.requirements
        if i.status != "failing" and any(link.outcome == "passed" for link in i.links)
    }
