"""Findings on what agents have told, and on tests that pin what they found to be contradicted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pytest_lift.expectations.opposed import opposes
from pytest_lift.findings.finding import GAIN, Finding
from pytest_lift.measure.measurement import Knowledge, Measurement
from pytest_lift.suite.suite import path_of
from pytest_lift.trace.texts import surrounded


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


@lru_cache(maxsize=8)
def pinning_findings(measurement: Measurement) -> tuple[Finding, ...]:
    """Returns a finding for each test, whoever wrote it, that was there before it was known that
    what it pins contradicts a requirement. Pure."""
    known = [
        said
        for item in measurement.trace.requirements
        for said in item.contradictions
        if not said.broken
    ]
    suite, found = measurement.suite, list[Finding]()
    for test in suite.tests() if known else ():
        source = surrounded(suite.source(test), suite.text(path_of(test.node)))
        for said in known:
            if opposes(said, source):
                found.append(
                    Finding(
                        "pins-contradiction",
                        f"{test.node} pins what contradicts {said.requirement}: {said.call}",
                        file=path_of(test.node),
                        line=test.line,
                        requirement=said.requirement,
                        tests=(test.node,),
                        todo="correct or remove it when the contradiction is settled",
                        gain=GAIN["pins-contradiction"],
                    )
                )
                break
    return tuple(found)
