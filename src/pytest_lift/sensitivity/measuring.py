"""Measures how much each test can notice: by its text, and by runs with stubs."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pytest_lift.assertions.assertions import Assertions, read_assertions
from pytest_lift.coverage.coverage import Entry
from pytest_lift.marks.claims import DEFAULT, Claims
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.run.result import Run
from pytest_lift.sandbox.jail import Jail
from pytest_lift.sensitivity.probing import Place, ProbeRequest, SeenRow, probe
from pytest_lift.sensitivity.verdicts import (
    EnteredFunction,
    Level,
    ProbedRow,
    Reached,
    Verdict,
    judge,
    level_of,
)
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Suite, TestKey
from pytest_lift.suite.test_file import TestFunction
from pytest_lift.trace.grounding.subjects import Grounding
from pytest_lift.trace.statuses import BAD


@dataclass(frozen=True)
class Strength:
    """Faults that a test function can notice, and the level at which it tests."""

    test: str
    """Node of the test function, without parameters."""
    verdict: Verdict
    reason: str
    assertions: Assertions | None
    """None for a test whose text is not in the suite (an inherited one)."""
    entries: tuple[EnteredFunction, ...] = ()
    """Functions of the program that it calls itself, over all its rows."""
    level: Level | None = None
    level_evidence: tuple[str, ...] = ()
    unaffected: bool | None = None
    """Whether every row passes both with what was stubbed returning nothing and raising; None
    where that was not tried. With `stub_only`: True means that it does not verify it."""


def measure_strength(
    suite: Suite,
    program: Program,
    copy: Path,
    scratch: Path,
    jail: Jail,
    *,
    addopts: Sequence[str] = (),
    claims: Claims = DEFAULT,
    chosen: Sequence[str] = (),
    stub_only: Mapping[str, Sequence[Place]] | None = None,
    seconds: float = 600.0,
) -> Mapping[str, Strength]:
    """Returns test function -> its strength; `suite` has been written to `copy`.

    `chosen` (node ids or paths; empty: all) says what is probed. For the tests that `stub_only`
    names just these functions and classes of the program are stubbed, whatever else they call;
    their verdicts then speak of these only. Raises what `run_suite` raises.
    """
    assertions = read_assertions(suite, program.names)
    scripts = _scripts(copy)
    idle = [node for node, one in assertions.items() if one.idle]
    request = ProbeRequest(
        program,
        copy,
        scratch,
        jail,
        suite.root,
        chosen,
        idle,
        stub_only or {},
        scripts.values(),
        addopts,
        claims,
    )
    rows: dict[str, list[SeenRow]] = {}
    for node, one in probe(request, seconds).items():
        rows.setdefault(node.partition("[")[0], []).append(one)
    named = frozenset(program.names), frozenset(scripts)
    return {
        test: _strength(test, of_test, assertions.get(test), *named)
        for test, of_test in rows.items()
    }


def _strength(
    test: str,
    rows: Sequence[SeenRow],
    assertions: Assertions | None,
    names: frozenset[str],
    scripts: frozenset[str],
) -> Strength:
    probed = [row.probed for row in rows]
    judgement = judge(probed, assertions)
    entries = dict.fromkeys(entry for row in probed for entry in row.entries)
    level, evidence = level_of(_together([row.reached for row in rows]), names, scripts)
    return Strength(
        test,
        judgement.verdict,
        judgement.reason,
        assertions,
        tuple(entries),
        level,
        evidence,
        _unaffected(probed),
    )


def _unaffected(rows: Sequence[ProbedRow]) -> bool | None:
    tried = [row.unaffected for row in rows if row.unaffected is not None]
    return all(tried) if tried else None


def _together(rows: Sequence[Reached]) -> Reached:
    return Reached(
        tuple(dict.fromkeys(one for row in rows for one in row.modules)),
        tuple(dict.fromkeys(one for row in rows for one in row.entries)),
        tuple(dict.fromkeys(one for row in rows for one in row.processes)),
        tuple(dict.fromkeys(one for row in rows for one in row.sockets)),
        tuple(dict.fromkeys(one for row in rows for one in row.mains)),
    )


def _scripts(copy: Path) -> dict[str, str]:
    """Returns console script -> ``module:function``, as pyproject.toml names them."""
    try:
        project = tomllib.loads((copy / "pyproject.toml").read_text("utf-8")).get("project", {})
        scripts = project.get("scripts", {})
        return {str(name): str(target).split("[")[0] for name, target in scripts.items()}
    except (OSError, ValueError, AttributeError):
        return {}


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
