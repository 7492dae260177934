"""Reports of sessions and of lifts, made from their measurements, with a verdict and next steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from pytest_lift.coverage.session_coverage import SessionCoverage
from pytest_lift.evolve.iteration import LiftOutcome
from pytest_lift.findings.finding import Finding
from pytest_lift.llm.values import added
from pytest_lift.report.facts import Report, Tone, Verdict
from pytest_lift.report.gathering import (
    Known,
    facts_of_tests,
    gap_files,
    iteration_facts,
    requirement_facts,
    role_costs,
)
from pytest_lift.report.mutant_facts import mutation_facts
from pytest_lift.run.events import CUT_SHORT, left_out, missing
from pytest_lift.run.result import Run
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import from_bytes
from pytest_lift.suite.suite import Suite
from pytest_lift.suite.test_file import parse_test_file
from pytest_lift.text.wording import acceptance, count, outcomes, some, verb
from pytest_lift.trace.statuses import BAD, Status
from pytest_lift.trace.trace import Trace
from pytest_lift.version import version

MOST_STEPS = 6
MOST_NAMED = 4
MOST_REASONS = 3


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
        measurement.knowledge,
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
        mutation, unlisted = mutation_facts(
            known.mutation, known.program, known.trace, known.told.worthless
        )
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
        doubts=known.told.doubts,
        left_out=known.told.left_out,
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


def verdict(run: Run, trace: Trace, findings: Sequence[Finding] = ()) -> Verdict:
    """Returns the verdict on the suite; `findings` add what a lift would do next.

    The tone is not ``good`` while there are next steps.
    """
    steps = [*_steps(run, trace), *(_step(one) for one in findings if _is_open(one))]
    tone = _tone(run, trace)
    return Verdict(
        "attention" if steps and tone == "good" else tone,
        _headline(run, trace),
        tuple(dict.fromkeys(steps))[:MOST_STEPS],
    )


def _tone(run: Run, trace: Trace) -> Tone:
    cut = run.cut_short or left_out(run, CUT_SHORT)
    failing = any(result.outcome in BAD for result in run.results.values())
    if failing or run.broken or cut or trace.counts["failing"] or trace.unknown:
        return "bad"
    if not run.results or trace.verified < trace.testable:
        return "attention"
    return "good"


def _headline(run: Run, trace: Trace) -> str:
    if not run.results:
        return "No test ran."
    tests = _tests(run)
    if not trace.requirements:
        parts = [*missing(run), tests]
        told = "; ".join(parts)
        return f"{told[0].upper()}{told[1:]}."
    known = count(trace.testable, "requirement")
    parts = [f"{trace.verified} of {known} {'is' if trace.testable == 1 else 'are'} verified"]
    if doubted := trace.counts["doubted"]:
        parts.append(f"{verb(doubted, 'are')} doubted")
    if trace.points:
        parts.append(f"{acceptance(len(trace.covered), len(trace.points))} covered")
    if suspected := trace.counts["suspected-defect"]:
        parts.append(f"{verb(suspected, 'are')} contradicted by the program")
    if trace.unknown:
        parts.append(
            f"{len(trace.unknown)} ids are unknown"
            if len(trace.unknown) > 1
            else "an id is unknown"
        )
    told = "; ".join([*missing(run), *parts, tests])
    return f"{told[0].upper()}{told[1:]}."


def _tests(run: Run) -> str:
    found = [result.outcome for result in run.results.values()]
    passed, skipped = found.count("passed"), found.count("skipped")
    return outcomes(len(found), passed, sum(one in BAD for one in found), skipped)


def _steps(run: Run, trace: Trace) -> Iterator[str]:
    for file in list(run.broken)[:MOST_NAMED]:
        yield f"Fix {file}: it cannot be collected"
    if names := some(trace.with_status("failing"), MOST_NAMED):
        yield f"Fix what fails: {names}"
    elif failing := [r.node for r in run.results.values() if r.outcome in BAD]:
        yield f"Fix what fails: {some(failing, MOST_NAMED)}"
    for name, tests in list(trace.unknown.items())[:MOST_NAMED]:
        yield f"No requirement has the id {name}, which {some(tests, MOST_NAMED)} names: correct it"
    if names := some(trace.with_status("suspected-defect"), MOST_NAMED):
        yield f"Decide where program and requirement differ, and correct one of them: {names}"
    if names := some(trace.with_status("known-failing"), MOST_NAMED):
        yield f"Fix what tests are marked xfail for, or decide that it stays so: {names}"
    if names := some(trace.with_status("not-run"), MOST_NAMED):
        yield f"Run the tests that did not run ({_why_not(trace, 'not-run')}): {names}"
    if names := some(trace.with_status("incomplete"), MOST_NAMED):
        yield f"Run the cases that were left out ({_why_not(trace, 'incomplete')}): {names}"
    if names := some([f"{link.requirement} in {link.test}" for link in trace.doubted], MOST_NAMED):
        yield f"Review tests that pass and do not show what they name: {names}"
    if names := some(trace.with_status("uncovered"), MOST_NAMED):
        yield f"Write a test for what has none: {names}"
    if names := some(trace.with_status("touched"), MOST_NAMED):
        yield f"Assert what the text states, where only observed behaviour is pinned: {names}"
    if names := some(trace.verified_in_part, MOST_NAMED):
        yield f"Cover the open acceptance sentences of what is verified in part: {names}"


def _why_not(trace: Trace, status: Status) -> str:
    """Returns the reasons why cases of requirements with `status` were skipped or did not run."""
    links = [link for item in trace.requirements if item.status == status for link in item.links]
    reasons = dict.fromkeys(link.left_out for link in links if link.left_out)
    return ", ".join(list(reasons)[:MOST_REASONS]) or "skipped"


def _is_open(finding: Finding) -> bool:
    """Whether a finding is testable and not already shown by the trace."""
    return finding.kind in (
        "uncovered-branch",
        "flaky",
        "weak-assertion",
        "missing-behaviour",
    ) and (finding.reach == "testable")


def _step(finding: Finding) -> str:
    place = f" ({finding.file}:{finding.line})" if finding.file else ""
    return f"{finding.what}{place}"
