"""The loop: propose, gate, screen, decide, publish, feed back, until there is a reason to end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from pytest_lift.errors import LiftError
from pytest_lift.evolve.attempt import (
    additions_of,
    attempt,
    gated,
    in_parts,
    publish,
    refusal,
    with_mutants_of_first,
)
from pytest_lift.evolve.beginning import begin, found, go_on, with_user_changes
from pytest_lift.evolve.feedback import close_unchanged, feed_back
from pytest_lift.evolve.finishing import make_smaller, measure_what_was_cut_off
from pytest_lift.evolve.iteration import Iteration, LiftOutcome
from pytest_lift.evolve.proposal import expect, propose
from pytest_lift.evolve.resume import Resumed
from pytest_lift.evolve.setup import Setup
from pytest_lift.evolve.state import State
from pytest_lift.files.disk import REMEDIES, storage_error
from pytest_lift.measure.time_budget import TimeIsUp
from pytest_lift.suite.suite import Edit, Suite

ATTEMPTS = 2
"""How often one edit is tried while the user goes on editing."""
NOTHING_MORE = "nothing more was proposed for this suite and this program (a plateau)"
OVERTAKEN = "you kept changing tests or sources while it was tried"


@dataclass(frozen=True)
class Lift:
    """A lift. Its state is a value; whatever cuts a step short, the last state counts."""

    setup: Setup
    stop: Callable[[tuple[Iteration, ...]], str | None]
    """Name of the rule by which the lift ends now, or None."""
    minimise: bool = False
    """Whether the suite is made smaller when everything else is done."""

    def run(self, suite: Suite, resumed: Resumed | None = None) -> LiftOutcome:
        """Evolves `suite` until a rule, the user or an error ends it, and leaves the best in place.

        `resumed` is an earlier run to continue. Raises LiftError, or TimeIsUp, while there is
        nothing to keep.
        """
        setup, log = self.setup, self.setup.log
        ending, reason = "failed", ""
        state = begin(setup, suite) if resumed is None else go_on(setup, suite, resumed)
        try:
            while not (ending := self.stop(tuple(log.iterations)) or ""):
                setup.time.require(setup.least, "an iteration")
                for latest in iteration(setup, state):
                    state = latest
            if ending == "plateau" and log.iterations[-1].repeats:
                reason = NOTHING_MORE
            if self.minimise:
                for latest in make_smaller(setup, state):
                    state = latest
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
                state = measure_what_was_cut_off(setup, state)
        iterations, scoped = tuple(log.iterations), state.accepted.scoped
        return LiftOutcome(ending, reason, scoped, iterations, state.findings, log.elapsed)

    def rehearse(self, suite: Suite) -> Sequence[str]:
        """Returns lines that say what would be sent to a model for `suite`; nothing is sent."""
        state = found(self.setup, self.setup.measurer.measure(suite))
        forecast = self.setup.agents.forecast
        return (
            forecast(self.setup.brief(state))
            if forecast
            else ["these agents have no forecast of what they would send"]
        )


def iteration(setup: Setup, state: State) -> Iterator[State]:
    """Runs one iteration; yields each state that holds from there on if it is cut short."""
    with setup.timed("notice"):
        state = with_user_changes(setup, state) or state
    yield state
    mode, before = state.mode, state.accepted.suite
    state = expect(setup, state)
    yield state
    asked = setup.question(state)
    state, edit = yield from propose(setup, state)
    refused = None
    for _ in range(ATTEMPTS + 1):
        candidate = gated(setup, state, edit)
        if candidate.suite.files == state.accepted.suite.files:
            yield from close_unchanged(setup, state, candidate, asked, edit)
            return
        tried = attempt(setup, state, edit, candidate)
        if refused is None:
            refused = refusal(state, tried)
            state = replace(state, lost=tried.decision.lost if refused else frozenset())
            if refused is not None:
                state = replace(state, working=tried.accepted.suite, accepted=tried.accepted)
                if refused.again:
                    tried = in_parts(setup, state, tried)
                elif rest := additions_of(setup, tried):
                    edit = rest
                    continue
        state = replace(state, accepted=tried.accepted)
        if not tried.decision.accepted:
            break
        with setup.timed("notice"):
            changed = with_user_changes(setup, state)
        if changed is None:
            break
        state, edit = changed, _untouched(tried.edit, before, changed.accepted.suite)
        yield state
    else:
        yield from close_unchanged(setup, state, candidate, asked, edit, OVERTAKEN)
        return
    decision = tried.decision
    if decision.accepted:
        state = publish(setup, state, tried.screened.measurement)
        yield state
        state, decision = with_mutants_of_first(setup, state, tried)
        yield state
    with suppress(TimeIsUp), setup.timed("feedback"):
        for latest in feed_back(setup, state, candidate, tried, refused):
            state = latest
            yield state
    measured = state.accepted if decision.accepted else tried.screened.measurement
    why = refused.why(decision) if refused else ""
    setup.log.close(mode, state, decision, tried=measured, dropped=tried.screened.dropped, why=why)


def _untouched(edit: Edit, before: Suite, now: Suite) -> Edit:
    """Returns the part of an edit that is about files as they still are: it holds whole texts."""
    same = {p: t for p, t in edit.files.items() if before.files.get(p) == now.files.get(p)}
    return Edit(same, edit.why)
