"""The offline debugger: names a remedy for every broken finding by rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.remedies import remedies
from pytest_lift.findings.feedback import Feedback


def debugger(brief: Brief) -> Feedback:
    """Returns FIX; the `todo` of each broken finding is replaced by its remedy, other findings
    stay."""
    mended = {id(finding): remedy for finding, remedy in remedies(brief)}
    findings = tuple(
        replace(finding, todo=mended[id(finding)].words) if id(finding) in mended else finding
        for finding in brief.findings
    )
    counts = Counter(remedy.action for remedy in mended.values())
    told = ", ".join(f"{count} x {action}" for action, count in counts.most_common())
    summary = f"{len(mended)} causes found. Remedies: {told}." if mended else "Nothing is broken."
    return Feedback("debugger", "FIX", findings, summary)
