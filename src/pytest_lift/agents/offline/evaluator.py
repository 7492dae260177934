"""The offline evaluator: derives its verdict from the computed findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pytest_lift.agents.contract import Brief
from pytest_lift.findings.feedback import Feedback
from pytest_lift.findings.finding import GAIN, Finding, Kind

OPEN: frozenset[Kind] = frozenset(
    (
        "failing",
        "broken-file",
        "crashed",
        "timed-out",
        "out-of-memory",
        "denied-write",
        "needs-loopback",
        "flaky",
        "unknown-requirement",
        "requirement-untested",
        "requirement-partial",
        "uncovered-branch",
        "surviving-mutant",
    )
)
"""Kinds of findings that a complete suite does not have."""


def open_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Returns the findings that a complete suite does not have.

    Mutants that many calls do not reveal may remain.
    """
    found = [f for f in findings if f.kind in OPEN and f.reach == "testable"]
    return [f for f in found if f.kind != "surviving-mutant" or f.gain >= GAIN[f.kind]]


def evaluator(brief: Brief) -> Feedback:
    """Returns FINAL if nothing testable is left, else REWORK with what is left."""
    left = open_findings(brief.findings)
    if not left and brief.run is not None and brief.run.results:
        why = "Every testable branch is executed and every testable requirement is verified."
        why += " The mutants that survive are hard to kill." if brief.mutation else ""
        return Feedback("evaluator", "FINAL", brief.findings, why)
    return Feedback("evaluator", "REWORK", brief.findings, _reasons(left))


def _reasons(left: list[Finding]) -> str:
    counts = Counter(finding.kind for finding in left)
    if not counts:
        return "There are no tests yet."
    told = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
    best = left[0]
    return f"Open: {told}. The most rewarding next step: {best.what}: {best.todo or 'see below'}."
