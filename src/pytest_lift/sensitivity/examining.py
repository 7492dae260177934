"""Each test probed once for each of its texts: its strength is kept between measurements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pytest_lift.coverage.coverage import Entry
from pytest_lift.marks.claims import DEFAULT, Claims
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.run.result import Run
from pytest_lift.sandbox.jail import Jail
from pytest_lift.sensitivity.measuring import Strength, measure_strength
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Suite, TestFunction, TestKey
from pytest_lift.trace.grounding import Grounding
from pytest_lift.trace.statuses import BAD


@dataclass
class Examiner:
    """Probes tests in a private copy, in the jail."""

    copy: Path
    scratch: Path
    jail: Jail
    requirements: Requirements
    addopts: Sequence[str] = ()
    claims: Claims = DEFAULT
    _known: dict[TestKey, Strength] = field(default_factory=dict)
    _program: Program | None = None

    def examine(
        self, suite: Suite, run: Run, program: Program, seconds: float
    ) -> Mapping[str, Strength]:
        """Returns test function -> strength, of those that passed in `run` and could be probed in
        time.

        `suite` stands in the copy. The functions that a test's requirements name are what it is
        probed with; a test that passes without them does not verify them.
        """
        if program is not self._program:
            self._known.clear()
            self._program = program
        passing = _passing(suite, run)
        keys = suite.keys(passing)
        new = [node for node, key in keys.items() if key not in self._known]
        if new and seconds > 0:
            found = measure_strength(
                suite,
                program,
                self.copy,
                self.scratch,
                self.jail,
                addopts=self.addopts,
                claims=self.claims,
                chosen=new if len(new) < len(passing) else (),
                stub_only=self._claimed(suite, new, program),
                seconds=seconds,
            )
            self._known |= {keys[node]: one for node, one in found.items() if node in keys}
        return {node: self._known[key] for node, key in keys.items() if key in self._known}

    def _claimed(
        self, suite: Suite, nodes: Iterable[str], program: Program
    ) -> dict[str, tuple[Entry, ...]]:
        """Returns generated test -> functions that its requirements are about, where they name
        any."""
        grounding = Grounding(program)
        found: dict[str, tuple[Entry, ...]] = {}
        for node in nodes:
            test = suite.function(node)
            if test is None or not suite.is_owned(test):
                continue
            known = (self.requirements.by_id.get(name) for name in test.requirements)
            about = (one for item in known if item for one in grounding.subjects(item, "beside"))
            if places := {one.entry for one in about if one.is_function}:
                found[node] = tuple(sorted(places))
        return found


def unproven(strength: Mapping[str, Strength]) -> frozenset[str]:
    """Returns tests that pass although what they should verify returns nothing and raises, and
    tests that call it without looking at the result."""
    blind = ("vacuous", "over-mocked")
    return frozenset(n for n, one in strength.items() if one.unaffected or one.verdict in blind)


def _passing(suite: Suite, run: Run) -> list[TestFunction]:
    bad = {result.function for result in run.results.values() if result.outcome in BAD}
    passed = {result.function for result in run.results.values() if result.outcome == "passed"}
    return [test for test in suite.tests() if test.node in passed - bad]
