"""Reports of sessions and of lifts, made from their measurements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from pytest_lift.coverage.session_coverage import SessionCoverage
from pytest_lift.evolve.iteration import LiftOutcome
from pytest_lift.findings.finding import Finding
from pytest_lift.llm.values import added
from pytest_lift.report.facts import Report
from pytest_lift.report.gathering import (
    Known,
    facts_of_tests,
    gap_files,
    iteration_facts,
    mutation_facts,
    requirement_facts,
    role_costs,
)
from pytest_lift.report.verdicts import verdict
from pytest_lift.run.result import Run
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import from_bytes
from pytest_lift.suite.suite import Suite
from pytest_lift.suite.test_file import parse_test_file
from pytest_lift.trace.trace import Trace
from pytest_lift.version import version


def session_report(
    root: Path,
    suite: Suite,
    run: Run,
    trace: Trace,
    program: Program | None,
    measured: SessionCoverage | None,
    warnings: Iterable[str] = (),
) -> Report:
    """Returns the report of an ordinary pytest session."""
    coverage = measured.coverage if measured else None
    known = Known(with_every_file(root, suite, run), run, trace, program, coverage)
    report = _report(root, known, (), warnings)
    branch = report.branch_percent if measured and measured.branches else None
    return replace(report, seconds=run.seconds, branch_percent=branch)


def lift_report(
    root: Path,
    outcome: LiftOutcome,
    program: Program,
    *,
    run: str,
    agents: str,
    jail: str,
    scope: str = "",
    warnings: Iterable[str] = (),
) -> Report:
    """Returns the report of a lift, with its iterations."""
    measurement = outcome.measurement
    suite = with_every_file(root, measurement.suite, measurement.run)
    known = Known(
        suite,
        measurement.run,
        measurement.trace,
        program,
        measurement.coverage,
        outcome.iterations,
        measurement.mutation,
    )
    return replace(
        _report(root, known, outcome.findings, (*_limits(scope), *warnings)),
        run=run,
        ending=outcome.ending,
        agents=agents,
        jail=jail,
        scope=scope,
        seconds=round(outcome.seconds, 2),
        iterations=iteration_facts(outcome.iterations),
        costs=role_costs(added(one.usage for one in outcome.iterations)),
    )


def _limits(scope: str) -> Iterator[str]:
    if scope:
        yield f"Only {scope} was lifted: every figure is of it, and of the tests that concern it."


def _report(
    root: Path, known: Known, findings: Sequence[Finding], warnings: Iterable[str]
) -> Report:
    gaps, capped = gap_files(known)
    measured, mutation = known.coverage, None
    if known.mutation is not None and known.program is not None:
        mutation, unlisted = mutation_facts(known.mutation, known.program, known.trace)
        capped += unlisted
    return Report(
        project=root.name,
        made=datetime.now().astimezone().isoformat(timespec="seconds"),
        tool=f"pytest-lift {version()}",
        verdict=verdict(known.run, known.trace, findings),
        requirements=requirement_facts(known),
        tests=facts_of_tests(known),
        unknown=tuple(known.trace.unknown.items()),
        line_percent=round(measured.line_percent, 2) if measured else None,
        branch_percent=round(measured.branch_percent, 2) if measured else None,
        mutation_percent=mutation.percent if mutation and mutation.has_score else None,
        mutation=mutation,
        gap_files=gaps,
        warnings=tuple(warnings),
        capped=capped,
    )


def with_every_file(root: Path, suite: Suite, run: Run) -> Suite:
    """Returns `suite` together with the test files of `run` that are outside its root. Files
    that cannot be read are left out."""
    names = {result.node.partition("::")[0] for result in run.rows}
    found = dict(suite.files)
    for name in sorted(names - suite.files.keys()):
        try:
            text = from_bytes((root / name).read_bytes())
        except OSError:
            continue
        if name.endswith(".py"):
            found[name] = parse_test_file(name, text, suite.naming)
    return replace(suite, files=found)
