"""Runs trials of options in batches: one batch is written while the one before it runs."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence

from pytest_lift.agents.offline.search.drafts import MOST_IN_BATCH, Drafts
from pytest_lift.agents.offline.search.kept import Progress
from pytest_lift.agents.offline.search.making import CallMaker
from pytest_lift.agents.offline.search.options.effects import (
    Effect,
    Measurement,
    Measuring,
    effects,
    goal_of,
    option_trials,
)
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.running.children import BATCH_SECONDS
from pytest_lift.calls.targets.target import Target

MOST_TRIALS = 400
"""Most trials of one option, on whatever is called."""
LEAST_SECONDS = 0.5
"""Seconds below which no more options are tried."""
FRESH = 12
"""Calls that are drawn for each target, beside those that are known."""


class OptionTrying:
    """Trials of the options of one program."""

    def __init__(
        self,
        prober: Prober,
        drafts: Drafts,
        maker: CallMaker,
        shown: set[str],
        rng: random.Random,
    ) -> None:
        self.prober = prober
        self.drafts = drafts
        self.maker = maker
        self.shown = shown
        """Goals that need not be tried; those of effects that are found are added."""
        self.rng = rng
        self.tried = 0
        """Cases that were run."""

    def effects(
        self,
        targets: Sequence[Target],
        progress: Mapping[str, Progress],
        until: float,
        most: float,
    ) -> list[Effect]:
        """Returns the cheapest call for each option of the targets that makes a difference, as far
        as they are found `until` then in not much more than `most` cases."""
        trials: Counter[str] = Counter()
        waiting: list[Measurement] = []
        running: Measuring | None = None
        found: list[Effect] = []
        for target in targets:
            fresh = (self.maker.fresh(target) for _ in range(FRESH))
            bases = [*progress[target.key].calls, *(call for call in fresh if call is not None)]
            done = {goal for goal, count in trials.items() if count >= MOST_TRIALS}
            pairs = option_trials(target, bases, self.maker.inputs, self.rng, self.shown | done)
            trials.update(goal_of(*pair) for pair in pairs)
            waiting += pairs
            if 2 * len(waiting) < MOST_IN_BATCH and target is not targets[-1]:
                continue
            if time.monotonic() + LEAST_SECONDS > until or self.tried > most:
                break
            calls = dict.fromkeys(call for pair in waiting for call in pair)
            written = {call: self.drafts.unpriced(call) for call in calls}
            self.tried += 2 * len(waiting)
            cases = [case for case in written.values() if case is not None]
            left = min(BATCH_SECONDS, until - time.monotonic())
            begun = Measuring(
                waiting, written, self.prober.begin_observing(cases, left, hurry=True)
            )
            found += self._seen(running)
            running, waiting = begun, []
        return [*found, *self._seen(running)]

    def _seen(self, running: Measuring | None) -> list[Effect]:
        """Waits for the calls that a child began with last; returns the cheapest call for each
        option that makes a difference, which need not be tried again."""
        if running is None:
            return []
        seen = self.prober.observed(running.batch)
        priced = self.drafts.priced
        found = [
            one
            for one in effects(running.pairs, running.written, seen, priced)
            if one.goal not in self.shown
        ]
        self.shown.update(one.goal for one in found)
        return found
