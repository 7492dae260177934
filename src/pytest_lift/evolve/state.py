"""The state of a lift: everything an iteration begins with and hands to the next one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pytest_lift.agents.contract import Mode
from pytest_lift.evolve.resume import (
    Standing,
    hashes,
    program_fingerprint,
    requirements_fingerprint,
)
from pytest_lift.findings.feedback import Feedback
from pytest_lift.findings.finding import Finding
from pytest_lift.gate.refused_tests import RefusedTests
from pytest_lift.measure.measurement import Knowledge, Measurement
from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.source.program import Obstacle
from pytest_lift.suite.suite import Edit, Repair, Suite


@dataclass(frozen=True)
class State:
    """The accepted suite with its measurement, the suite being worked on, and the feedback."""

    accepted: Measurement
    """It carries the knowledge (expectations, link grades) that it was traced with."""
    working: Suite
    """Starting point of the next generator: the accepted suite, or a candidate to be corrected."""
    mode: Mode = "initial"
    feedback: Feedback | None = None
    findings: tuple[Finding, ...] = ()
    known_failures: frozenset[str] = frozenset()
    """Tests that failed, or were not run, at the start; they are left alone."""
    rejected_contradictions: frozenset[str] = frozenset()
    """Tests of contradictions that did not fail as they said; they are not tried again."""
    refused: RefusedTests = field(default_factory=RefusedTests)
    corrections: int = 0
    """Attempts in a row to correct a failing candidate."""
    lost: frozenset[str] = frozenset()
    """Things that the last refused candidate would have lost."""
    repairs: tuple[Repair, ...] = ()
    """Mechanical repairs of the last proposal."""
    obstacles: tuple[Obstacle, ...] = ()
    """What the generators of this run could not test, the latest reason of each."""

    @property
    def knowledge(self) -> Knowledge:
        return self.accepted.knowledge

    @property
    def refusals(self) -> list[Finding]:
        """Findings about refused edits; they cannot be computed from the accepted suite."""
        return [finding for finding in self.findings if finding.kind == "refused"]

    def having_tried(self, edit: Edit) -> State:
        """Returns the state after a generator, with its notes and what it could not test."""
        obstacles = {(one.path, one.symbol): one for one in self.obstacles}
        obstacles |= {(one.path, one.symbol): one for one in edit.obstacles or ()}
        known = self.knowledge.with_notes(edit.left_out, edit.settled)
        known = known.with_doubts(edit.doubts).with_worthless(edit.worthless)
        return replace(
            self.knowing(known),
            repairs=edit.repairs or (),
            obstacles=tuple(obstacles.values()),
        )

    def knowing(self, knowledge: Knowledge) -> State:
        """Returns the state with more knowledge of a kind that the trace does not depend on."""
        return replace(self, accepted=replace(self.accepted, knowledge=knowledge))

    def restarted(self, found: Measurement) -> State:
        """Returns the state in which `found` is what the user has made of tests or sources."""
        has_own_tests = any(True for _ in found.suite.owned_tests())
        return replace(
            self,
            accepted=found,
            working=found.suite,
            mode="refine" if has_own_tests else "initial",
            feedback=None,
            known_failures=self.known_failures | found.broken | found.absent,
            rejected_contradictions=frozenset(),
            refused=RefusedTests(),
            lost=frozenset(),
        )

    def standing(self, on_disk: Suite, measurer: SuiteMeasurer, seed: int) -> Standing:
        """Returns the stored form, from which a later lift goes on."""
        findings = self.findings if self.mode == "correct" else self.refusals
        return Standing(
            accepted=self.accepted.suite,
            working=self.working,
            mode=self.mode,
            on_disk=hashes(on_disk),
            program=program_fingerprint(measurer.program),
            requirements=requirements_fingerprint(measurer.requirements),
            seed=seed,
            corrections=self.corrections,
            known_failures=self.known_failures,
            findings=tuple(findings),
            expectations=self.knowledge.expectations,
            link_grades=tuple(self.knowledge.link_grades.values()),
            doubts=self.knowledge.doubts,
            left_out=self.knowledge.left_out,
            feedback=self.feedback,
            scope=measurer.scope,
        )
