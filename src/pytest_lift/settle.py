"""Candidate -> the part of it that passes: what fails, crashes or flickers is taken out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pytest_lift.run import Run
from pytest_lift.suite import Suite
from pytest_lift.trace import BAD
from pytest_lift.trial import Bench, Trial

ROUNDS = 4
"""Runs after which a candidate that still fails is given up."""

NAMED = 3
"""Tests named when a candidate is given up."""


@dataclass(frozen=True)
class Settled:
    """What became of a candidate."""

    first: Trial
    """As the generator left it: what a debugger looks at."""
    trial: Trial
    """The last one measured; `stable` says whether it may be accepted."""
    stable: bool
    dropped: dict[str, str] = field(default_factory=dict)
    """Test function -> why it was taken out."""
    left: dict[str, str] = field(default_factory=dict)
    """What keeps it from being stable: test function -> why, none of them the tool's."""

    @property
    def trouble(self) -> str:
        """Why it is not stable, in words."""
        told = [f"{node} ({why})" for node, why in sorted(self.left.items())[:NAMED]]
        return ", ".join(told) or f"the run ended: {self.trial.run.ending}"


def settle(candidate: Suite, bench: Bench, *, excused: frozenset[str], seed: int) -> Settled:
    """Measure `candidate`; drop the tool's own tests that fail, and repeat what is left shuffled.

    `excused` are tests that failed, and files that could not be collected, before the lift began.
    Users' tests are never dropped: if one fails newly, the result is not stable. One that fails
    in another order without the tool's tests, too, is no reason to refuse them.
    """
    first = trial = bench.measure(candidate)
    dropped: dict[str, str] = {}
    bad: dict[str, str] = {}
    for _ in range(ROUNDS):
        bad = dict(_bad(trial.run, trial.suite, excused))
        if not bad and trial.run.ending not in ("crashed", "timed-out"):
            bad = _flickering(trial, bench, excused, seed)
            if not bad:
                return Settled(first, trial, True, dropped)
        ours = _ours(bad, trial.suite)
        if not ours:
            break
        dropped |= {node: bad[node] for node in ours}
        trial = bench.measure(trial.suite.without(ours))
        bad = {}
    return Settled(first, trial, False, dropped, bad)


def _flickering(trial: Trial, bench: Bench, excused: frozenset[str], seed: int) -> dict[str, str]:
    """Tests that pass in order but not shuffled, with another hash seed."""
    owned = {test.node for test in trial.suite.owned_tests()}
    if not owned:
        return {}
    again = bench.repeat(trial.suite, seed)
    bad = {node: f"flaky: {why}" for node, why in _bad(again, trial.suite, excused)}
    if not bad.keys() - owned:
        return bad
    users = trial.suite.without(owned)
    anyway = dict(_bad(bench.repeat(users, seed), users, excused))
    return {node: why for node, why in bad.items() if node not in anyway}


def _bad(run: Run, suite: Suite, excused: frozenset[str]) -> Iterator[tuple[str, str]]:
    """(test function, why) for everything that keeps the run from passing."""
    for result in run.results.values():
        if result.outcome in BAD and result.function not in excused:
            yield result.function, result.failure.type if result.failure else result.outcome
    for path, failure in run.broken.items():
        if path not in excused:
            file = suite.files.get(path)
            nodes = [test.node for test in file.tests] if file else []
            yield from ((node, f"cannot be collected: {failure.type}") for node in nodes or [path])
    if run.running is not None and run.ending in ("crashed", "timed-out"):
        yield run.running.partition("[")[0], f"{run.ending}: {run.detail}"


def _ours(nodes: Iterable[str], suite: Suite) -> set[str]:
    owned = {test.node for test in suite.owned_tests()}
    return {node for node in nodes if node in owned}
