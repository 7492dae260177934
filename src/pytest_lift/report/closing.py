"""Closing lines of a lift: the figures, the cost, why it ended, and what to look at next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from pytest_lift.evolve.iteration import LiftOutcome
from pytest_lift.findings.finding import Finding
from pytest_lift.findings.obstacles import obstacle_lines
from pytest_lift.llm.values import Usage, added
from pytest_lift.measure.measurement import Figures, Measurement
from pytest_lift.mutation.mutation import Mutation
from pytest_lift.run.result import INSTEAD, Failure, confine
from pytest_lift.suite.suite import path_of
from pytest_lift.text.wording import ENDINGS, acceptance, count, outcomes, shortened, verb
from pytest_lift.trace.statuses import BAD

NEXT_STEPS = 5
MOST_DEFECTS = 12
LONGEST = 160
_NO_MODULE = re.compile(r"No module named '([\w.]+)'")


def detected(figures: Figures) -> str:
    """Returns ``73.4%``, with ``~`` before the score of a sample; empty if mutants were not
    measured."""
    if figures.mutation_percent is None:
        return ""
    sampled = figures.sampled
    return f"{'~' if sampled else ''}{figures.mutation_percent:.1f}%"


def spending(usage: Mapping[str, Usage]) -> str:
    """Returns the usage and cost of all model calls in one line, the total first."""
    total = sum(usage.values(), Usage())
    parts = [f"{role} {one.calls}" for role, one in usage.items() if one.calls]
    told = f"model: {count(total.calls, 'call')} ({', '.join(parts)})"
    told += f", {_thousands(total.prompt_tokens)} in"
    if total.cached_tokens:
        told += f" ({_thousands(total.cached_tokens)} cached)"
    told += f", {_thousands(total.completion_tokens)} out, {total.seconds:.0f} s"
    return told + (f", cost {total.cost:.4g}" if total.cost else "")


def _thousands(tokens: int) -> str:
    return f"{tokens / 1000:.1f}k tokens" if tokens >= 1000 else count(tokens, "token")


def sentence(measurement: Measurement) -> str:
    """Returns the figures of a suite in one line."""
    figures = measurement.figures
    told = outcomes(figures.tests, figures.passed, figures.failed, figures.skipped)
    told += f", {figures.line_percent:.1f}% lines, {figures.branch_percent:.1f}% branches"
    if share := detected(figures):
        told += f", {share} of mutants detected"
    if figures.requirements:
        told += f", {figures.verified} of {count(figures.requirements, 'requirement')} verified"
    if figures.sentences:
        told += f" ({acceptance(figures.covered, figures.sentences)} covered)"
    if figures.contradicted:
        told += f", {figures.contradicted} contradicted by the program"
    return f"{told}; scope {measurement.scope}" if measurement.scope else told


def closing_lines(
    outcome: LiftOutcome,
    *,
    where: str,
    kept: Mapping[str, str],
    unmet: Sequence[str],
    failing: Sequence[str],
) -> list[str]:
    """Returns lines on the outcome and the next steps; `where` names the places of the suite and
    the reports."""
    reason = one_reason(outcome.measurement)
    lines = [*([reason] if reason else []), *where.split("\n")]
    usage = added([iteration.usage for iteration in outcome.iterations])
    if usage:
        lines.append(spending(usage))
    if outcome.measurement.mutation is not None:
        lines.append(_mutants(outcome.measurement.mutation))
    if outcome.reason or outcome.ending in ENDINGS:
        lines += f"ended because: {outcome.reason or ENDINGS[outcome.ending]}".split("\n")
    lines += [f"threshold missed: {text}" for text in unmet]
    lines += [f"your version of {path} stays: {why}" for path, why in kept.items()]
    lines += [f"failed before the lift and still fails: {node}" for node in failing[:NEXT_STEPS]]
    defects = [f for f in outcome.findings if f.kind == "suspected-defect"]
    if defects:
        lines.append(
            f"suspected defects ({len(defects)}), for you to decide: is the program wrong, or "
            "the requirement?"
        )
        lines += _by_requirement(defects)
    doubts = [f for f in outcome.findings if f.kind == "doubtful-requirement"]
    if doubts:
        lines.append(f"doubtful requirements ({len(doubts)}), for their authors: which one holds?")
        lines += _listed(doubts[:MOST_DEFECTS])
    notes = outcome.measurement.knowledge.left_out
    if notes:
        lines.append(f"left untested on purpose ({len(notes)}), see the report:")
        lines += [f"  - {shortened(text, LONGEST)}" for text in notes[-NEXT_STEPS:]]
    if obstacles := obstacle_lines(outcome.findings):
        number = sum(f.kind == "not-tested" for f in outcome.findings)
        lines += [f"could not be tested ({number}), and why:", *obstacles]
    todo = [f for f in outcome.findings if f.reach == "testable" and f.gain >= 1]
    settled = ("suspected-defect", "doubtful-requirement")
    todo = [f for f in todo if f.kind not in settled][:NEXT_STEPS]
    if todo:
        lines += ["to look at next:", *_listed(todo)]
    return lines


def _mutants(mutation: Mutation) -> str:
    if not mutation.complete:
        wanted = mutation.sample or frozenset()
        ran = len(wanted & mutation.verdicts.keys())
        if mutation.estimate is None:
            told = f"only {ran:,} of {len(wanted):,} could be run in the time for mutants"
            return f"mutants: no score, {told}"
        return f"{_mutants(mutation.estimate)}; no time for {len(wanted) - ran:,} of the sample"
    if not mutation.scored:
        return "mutants: no score, since there is nothing to mutate"
    told = f"mutants: {len(mutation.detected):,} of {mutation.scored:,} detected"
    if mutation.earlier:
        told = f"mutants: not measured with the last tests; {mutation.earlier}: {told[9:]}"
    if mutation.interval is not None:
        low, high = mutation.interval.low, mutation.interval.high
        told += f" (a sample of {len(mutation.mutants):,}: {low:.1f} to {high:.1f}% of all)"
    counts = mutation.counts
    survived, untested = verb(counts["survived"], "survive"), verb(counts["untested"], "are")
    return f"{told}, {survived}, {untested} executed by no test"


def _by_requirement(defects: Sequence[Finding]) -> list[str]:
    """Returns a line on the first defect of each requirement: others often have the same cause."""
    grouped: dict[str, list[Finding]] = {}
    for finding in defects:
        grouped.setdefault(finding.requirement, []).append(finding)
    lines = []
    for found in list(grouped.values())[:MOST_DEFECTS]:
        (line,) = _listed(found[:1])
        lines.append(line + (f" and {len(found) - 1} more of its kind" if len(found) > 1 else ""))
    if len(grouped) > MOST_DEFECTS:
        more = len(grouped) - MOST_DEFECTS
        lines.append(f"  and of {count(more, 'requirement')} more: see run.json")
    return lines


def _listed(findings: Sequence[Finding]) -> list[str]:
    return [f"  - {f.what}" + (f" ({f.file}:{f.line})" if f.file else "") for f in findings]


def one_reason(measurement: Measurement) -> str:
    """Returns the reason in a sentence. Empty if a test of the user's passes, if none fails, or
    if there are several reasons. Tests that the tool wrote are ignored."""
    owned = {test.node for test in measurement.suite.owned_tests()}
    theirs = [r for r in measurement.run.results.values() if r.function not in owned]
    if any(result.outcome == "passed" for result in theirs):
        return ""
    bad = [result.failure for result in theirs if result.outcome in BAD]
    written = {path_of(node) for node in owned}
    broken = [failure for path, failure in measurement.run.broken.items() if path not in written]
    failures = [failure for failure in (*bad, *broken) if failure is not None]
    if not failures or len({(failure.type, _first_line(failure)) for failure in failures}) > 1:
        return ""
    places = list(_counted(bad, broken))
    return f"no test of yours passes, for one reason: {_told(failures[0])} ({', '.join(places)})"


def _first_line(failure: Failure) -> str:
    return next(iter(failure.message.strip().splitlines()), "")


def _told(failure: Failure) -> str:
    message = _first_line(failure)
    told = f"{failure.type}: {message}" if message else failure.type
    told = told if len(told) <= LONGEST else f"{told[: LONGEST - 4]} ..."
    if failure.file:
        told += f", at {failure.file}:{failure.line}"
    if missing := _NO_MODULE.search(message):
        told += f"; install {missing[1].partition('.')[0]} here, or put its folder on the path"
    elif limit := confine(failure):
        told += f"; {INSTEAD[limit]}"
    return told


def _counted(bad: Sequence[object], broken: Sequence[object]) -> Iterator[str]:
    if broken:
        yield f"{len(broken)} file{'s' * (len(broken) > 1)} cannot be collected"
    if bad:
        yield f"{len(bad)} test{'s' * (len(bad) > 1)} fail{'s' * (len(bad) == 1)}"
