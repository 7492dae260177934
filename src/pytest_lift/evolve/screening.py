"""Takes out of a candidate the tests that fail, crash, hang or depend on order or chance."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pytest_lift.flakiness.polluters import find_polluters
from pytest_lift.measure.last_gate import PLAIN
from pytest_lift.measure.measurement import (
    NOTHING_KNOWN,
    UNCOLLECTED,
    Knowledge,
    Measurement,
    absent_tests,
    bad_tests,
)
from pytest_lift.run.result import Run
from pytest_lift.suite.suite import Edit, Suite, path_of
from pytest_lift.trace.statuses import BAD

MOST_RUNS, MOST_VICTIMS = 24, 3
"""Runs of tests to find the one that makes another fail, and tests for which that is tried."""
ROUNDS = 4
"""Runs after which a candidate that still fails is given up."""

FLAKY = "flaky"
"""Prefix of the reason for which a test that does not always pass was taken out."""

BESIDE = "fails in another order, only together with the new tests"
"""Prefix of the reason for an accepted test that always passed without the candidate: a loss."""

NAMED = 3
"""Tests named when a candidate is given up."""


class PlainCheck(Protocol):
    """The user's own plain pytest, which has the last word."""

    def refused(
        self, suite: Suite, accepted: Suite | None, known_failures: frozenset[str]
    ) -> dict[str, str]:
        """Returns test function -> why it must go; empty where the suite passes."""


class ScreeningRuns(Protocol):
    """The runs of pytest that screening asks for."""

    @property
    def apart(self) -> frozenset[str]:
        """Tests that are not run."""

    @property
    def last_gate(self) -> PlainCheck | None: ...

    def measure(self, suite: Suite, knowledge: Knowledge) -> Measurement:
        """Returns the measurement of one run in the suite's own order."""

    def repeat(self, suite: Suite, seed: int) -> Run:
        """Returns one run in another order, backwards for a negative seed, with another hash."""

    def try_tests(self, suite: Suite, chosen: Sequence[str]) -> tuple[Run, object]:
        """Returns one run of some tests, in this order."""


@dataclass(frozen=True)
class ScreenedCandidate:
    """A candidate after screening."""

    first: Measurement
    """Measurement of the candidate as the generator left it, for the debugger."""
    measurement: Measurement
    """The last run; `stable` says whether it may be accepted."""
    stable: bool
    dropped: dict[str, str] = field(default_factory=dict)
    """Test function -> why it was taken out."""
    left: dict[str, str] = field(default_factory=dict)
    """Test function -> why it keeps the candidate from being stable; none of them is the tool's."""

    @property
    def failed(self) -> bool:
        """Whether there is something for an agent to correct.

        Tests of contradictions, and tests that fail in plain pytest only, are nothing to correct.
        """
        inside = {node for node, why in self.dropped.items() if not why.startswith(PLAIN)}
        return not self.stable or bool(inside - self.first.contradicting)

    @property
    def refused_by_plain_pytest(self) -> dict[str, str]:
        """Test function -> why the last gate took it out."""
        return {node: why for node, why in self.dropped.items() if why.startswith(PLAIN)}

    @property
    def failing(self) -> dict[str, str]:
        """Test function -> why it fails, for those that were taken out for failing."""
        bad = self.first.failing - self.first.contradicting
        return {node: why for node, why in self.dropped.items() if node in bad}

    @property
    def rejected_contradictions(self) -> frozenset[str]:
        """Tests of contradictions that do not fail as they say they do."""
        return frozenset(
            node
            for node in self.first.contradicting & self.dropped.keys()
            if not self.dropped[node].startswith(UNCOLLECTED)
        )

    @property
    def trouble(self) -> str:
        """Reason why it is not stable."""
        told = [f"{node} ({why})" for node, why in sorted(self.left.items())[:NAMED]]
        return ", ".join(told) or f"the run ended: {self.measurement.run.ending}"


def screen(
    candidate: Suite,
    measurer: ScreeningRuns,
    *,
    known_failures: frozenset[str],
    seed: int,
    knowledge: Knowledge = NOTHING_KNOWN,
    known: Collection[str] = (),
    accepted: Suite | None = None,
    may_gain: Callable[[Measurement], bool] = lambda measurement: True,
) -> ScreenedCandidate:
    """Measures `candidate`, drops the tool's own tests that fail, and repeats the rest backwards,
    so that any two tests have run in both orders.

    `known_failures` are tests that failed or were deselected, and files that could not be
    collected, before the lift began. `known` are the test functions of the accepted suite: every
    other test must be written out as a function and name known requirements only, which shows in
    the run and not in the source. Users' tests are never dropped: if one fails newly, the result is
    not stable. One that fails in another order without the tool's tests, too, is no reason to
    refuse them; where one of the tool's tests makes it fail, that one is dropped. So is a new test
    that makes an accepted one fail. An accepted test is called flaky only if it is flaky in
    `accepted`, too: the suite without the new tests and changes (None: without the new tests). The
    user's own plain pytest comes last. A candidate that passes and certainly gains nothing, as
    `may_gain` says, is not run again.
    """
    first = measurement = measurer.measure(candidate, knowledge)
    dropped: dict[str, str] = {}
    bad: dict[str, str] = {}
    for _ in range(ROUNDS):
        bad = dict(bad_tests(measurement.run, measurement.suite, known_failures)) | dict(
            _undeclared(measurement, known)
        )
        bad |= dict(
            absent_tests(measurement.run, measurement.suite, measurer.apart | known_failures)
        )
        if not bad and measurement.run.cut_short is None:
            if not may_gain(measurement):
                return ScreenedCandidate(first, measurement, True, dropped)
            bad = _flickering(measurement, measurer, known_failures, seed, known, accepted)
            if not bad and measurer.last_gate is not None:
                bad = measurer.last_gate.refused(measurement.suite, accepted, known_failures)
            if not bad:
                return ScreenedCandidate(first, measurement, True, dropped)
        smaller = _without(bad, measurement.suite)
        if smaller.files == measurement.suite.files:
            break
        dropped |= {
            node: why for node, why in bad.items() if _is_gone(node, measurement.suite, smaller)
        }
        measurement = measurer.measure(smaller, knowledge)
        bad = {}
    return ScreenedCandidate(first, measurement, False, dropped, bad)


def _undeclared(measurement: Measurement, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yields new tests that the gate could not judge: inherited, assigned, or with a computed
    mark."""
    for result in measurement.run.results.values():
        stands = measurement.suite.function(result.function) is not None
        if result.written and not stands and result.function not in known:
            yield result.function, "is not written out as a function of its own"
    for name, nodes in measurement.trace.unknown.items():
        for node in nodes:
            if node not in known:
                yield node, f"names the unknown requirement {name!r}"


def _flickering(
    measurement: Measurement,
    measurer: ScreeningRuns,
    known_failures: frozenset[str],
    seed: int,
    known: Collection[str],
    accepted: Suite | None,
) -> dict[str, str]:
    """Returns tests that pass in order but fail backwards, with another hash seed; for a test
    that others make fail, those others."""
    owned = {test.node for test in measurement.suite.owned_tests()}
    if not owned:
        return {}
    backwards = ~seed
    again = measurer.repeat(measurement.suite, backwards)
    bad = dict(bad_tests(again, measurement.suite, known_failures))
    if bad.keys() - owned:
        users = measurement.suite.without(owned)
        anyway = dict(bad_tests(measurer.repeat(users, backwards), users, known_failures))
        bad = {node: why for node, why in bad.items() if node not in anyway}
    new = owned.difference(known)
    for node in sorted(bad, key=lambda node: (node in new, node))[:MOST_VICTIMS]:
        # A new test may be written to fail after an accepted one: that one is not to blame.
        suspects = (new if node in owned else owned) - {node}
        if others := _polluting(node, measurement, again, measurer) & suspects:
            return dict.fromkeys(others, f"{FLAKY}: it makes the later test {node} fail")
    steady = bad.keys() & (owned - new)
    if steady:
        before = measurement.suite.without(new) if accepted is None else accepted
        steady -= dict(bad_tests(measurer.repeat(before, backwards), before, known_failures)).keys()
    return {n: f"{BESIDE if n in steady else FLAKY}: {why}" for n, why in bad.items()}


def _polluting(
    node: str, measurement: Measurement, again: Run, measurer: ScreeningRuns
) -> frozenset[str]:
    """Returns the test functions that make this one fail when it comes later in this order."""
    rows = (r.node for r in again.results.values() if r.function == node and r.outcome in BAD)
    victim = next(rows, None)
    if victim is None:
        return frozenset()
    found = find_polluters(
        lambda nodes: measurer.try_tests(measurement.suite, nodes)[0],
        again.collected,
        victim,
        most_runs=MOST_RUNS,
    )
    others = found.others if found.kind == "polluted" else ()
    return frozenset(other.partition("[")[0] for other in others)


def _without(nodes: Collection[str], suite: Suite) -> Suite:
    """Returns `suite` without those of `nodes` that are the tool's; for a node that no text
    defines, without the tool's file that creates it."""
    owned = {test.node for test in suite.owned_tests()}
    hidden = {path_of(node) for node in nodes if suite.function(node) is None}
    gone: dict[str, str | None] = {path: None for path in hidden if suite.is_owned_file(path)}
    return suite.without(owned.intersection(nodes)).apply(Edit(gone))


def _is_gone(node: str, before: Suite, after: Suite) -> bool:
    if before.function(node) is not None:
        return after.function(node) is None
    return path_of(node) in before.files and path_of(node) not in after.files
