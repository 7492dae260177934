"""Iterations of a lift, the changes that they made, and the outcome of all, as values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pytest_lift.findings.feedback import Verdict
from pytest_lift.findings.finding import Finding
from pytest_lift.llm.values import Usage
from pytest_lift.measure.measurement import Figures, Measurement
from pytest_lift.suite.suite import Repair, Suite
from pytest_lift.trace.statuses import Status
from pytest_lift.trace.trace import Trace


@dataclass(frozen=True)
class Changes:
    """Changes of the suite and of statuses by an accepted iteration."""

    added: tuple[str, ...] = ()
    """Tests that were not there before: nodes without parameters."""
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    statuses: Mapping[str, Status] = field(default_factory=dict)
    """Requirement id -> its status, where it is another than before."""


def changes(
    before: Suite | None, after: Suite, earlier: Iterable[Iteration], trace: Trace
) -> Changes:
    """Returns the changes from the accepted suite `before` (None: nothing was accepted yet) to
    `after`."""
    old = {test.node: test.digest for test in before.tests()} if before is not None else {}
    new = {test.node: test.digest for test in after.tests()}
    known: dict[str, Status] = {}
    for iteration in earlier:
        known.update(iteration.changes.statuses)
    return Changes(
        tuple(node for node in new if node not in old) if before is not None else (),
        tuple(node for node in new if node in old and new[node] != old[node]),
        tuple(node for node in old if node not in new),
        {
            item.requirement.id: item.status
            for item in trace.requirements
            if known.get(item.requirement.id) != item.status
        },
    )


@dataclass(frozen=True)
class Iteration:
    """Record of one iteration; number 0 is the suite as found."""

    number: int
    mode: str
    """``baseline``, what the generator was asked for, ``resumed``, ``minimise`` or ``mutants``."""
    figures: Figures
    """Figures of the suite that was tried, accepted or not."""
    accepted: bool
    why: str
    verdict: Verdict | None = None
    dropped: Mapping[str, str] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Phase -> seconds of wall time."""
    usage: Mapping[str, Usage] = field(default_factory=dict)
    """Role -> what its calls of a model have cost; empty where no model is asked."""
    exhausted: str = ""
    """Description of the budget that was used up."""
    unasked: tuple[str, ...] = ()
    """Questions that no model could be asked, with the reasons."""
    repairs: tuple[Repair, ...] = ()
    """Mechanical repairs of what was proposed, by name of their rule."""
    repeats: bool = False
    """Whether nothing was proposed and the next generator would get the same brief."""
    changes: Changes = Changes()
    """Empty where it was not accepted."""
    elapsed: float = 0.0
    """Seconds since the lift began, at the end of the iteration; what an earlier part of a
    resumed run took is included."""

    @property
    def spent(self) -> Usage:
        """Total usage of all roles."""
        return sum(self.usage.values(), Usage())


@dataclass(frozen=True)
class LiftOutcome:
    """Ending of a lift, with its results."""

    ending: str
    """final, threshold, plateau, iterations, budget, interrupted, failed, or a plugin's word."""
    reason: str
    measurement: Measurement
    iterations: tuple[Iteration, ...]
    findings: tuple[Finding, ...]
    seconds: float
