"""Findings on what agents have told: notes on what is left untested, and doubtful requirements."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_lift.findings.finding import GAIN, Finding
from pytest_lift.measure.measurement import Knowledge


def knowledge_findings(knowledge: Knowledge) -> Iterator[Finding]:
    """Yields a finding for each doubt and for each note that is not settled."""
    for one in knowledge.doubts:
        yield Finding(
            "doubtful-requirement",
            one.told,
            requirement=one.requirement,
            evidence=one.why,
            todo="its author decides which of the two holds",
            gain=GAIN["doubtful-requirement"],
        )
    for text in knowledge.left_out:
        yield Finding("left-out", text)
