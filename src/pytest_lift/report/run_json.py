"""Outcome of a lift as JSON; the format is described in docs/run-json.md."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from pytest_lift.errors import LiftError
from pytest_lift.evolve.iteration import LiftOutcome
from pytest_lift.files.atomic import place_file
from pytest_lift.files.codec import encode
from pytest_lift.llm.values import added
from pytest_lift.mutation.mutation import Mutation, Verdict
from pytest_lift.sandbox.jail import Jail
from pytest_lift.scope.scope import Scope
from pytest_lift.source.program import Program
from pytest_lift.text.printable import redacted_data
from pytest_lift.trace.trace import Trace

VERSION = 1
MOST_FINDINGS = 200
MOST_SURVIVORS = 200
LONGEST_DIFF = 4000
"""Largest number of characters of one mutant's diff."""


IDENTIFYING = frozenset(
    {"id", "test", "tests", "requirement", "other", "file", "unknown", "emergent", "unlinked"}
)
"""Keys of identifiers, which are not redacted."""
SUMMARY = (
    *("version", "run", "outcome", "reason", "exit_code", "iterations", "seconds", "requirements"),
    *("tests", "passed", "failed", "skipped", "line_percent", "branch_percent"),
    "mutation_percent",
)
"""Keys that are stored with each run, for lists of runs."""


def outcome_as_json(
    outcome: LiftOutcome,
    *,
    run: str,
    agents: str,
    program: Program,
    jail: Jail,
    exit_code: int,
    warnings: Sequence[str],
    scope: Scope | None = None,
    resumed_after: int | None = None,
) -> dict[str, Any]:
    """Returns a plain mapping with the summary first; docs/run-json.md explains each key.

    If there was no iteration, nothing was measured and every figure is 0.
    """
    figures = outcome.measurement.figures
    if not outcome.iterations:
        figures = replace(figures, line_percent=0.0, branch_percent=0.0)
    usages = added(iteration.usage for iteration in outcome.iterations)
    return {
        "version": VERSION,
        "run": run,
        "outcome": outcome.ending,
        "reason": outcome.reason,
        "exit_code": exit_code,
        "resumed_after": resumed_after,
        "iterations": max(len(outcome.iterations) - 1, 0),
        "tests": figures.tests,
        "passed": figures.passed,
        "failed": figures.failed,
        "skipped": figures.skipped,
        "line_percent": figures.line_percent,
        "branch_percent": figures.branch_percent,
        "mutation_percent": figures.mutation_percent,
        "requirements": {
            "total": len(outcome.measurement.trace.requirements),
            "testable": figures.requirements,
            "touched": figures.touched,
            "verified": figures.verified,
            "contradicted": figures.contradicted,
            "unknown": figures.unknown,
            "sentences": figures.sentences,
            "covered": figures.covered,
        },
        "seconds": round(outcome.seconds, 2),
        "scope": encode(scope) | {"apart": len(scope.apart)} if scope else None,
        "agents": agents,
        "usage": {role: encode(usage) for role, usage in usages.items()},
        "program": {
            "names": list(program.names),
            "found_by": program.how,
            "carried": list(program.carried),
        },
        "jail": {
            "tier": jail.tier,
            "leaves_open": list(jail.open),
            "not_used": dict(jail.skipped),
        },
        "warnings": list(warnings),
        "history": [encode(iteration) for iteration in outcome.iterations],
        "mutation": _mutation(outcome.measurement.mutation),
        "trace": _trace(outcome.measurement.trace),
        "doubtful_requirements": [encode(one) for one in outcome.measurement.knowledge.doubts],
        "left_out": list(outcome.measurement.knowledge.left_out),
        "findings": [
            {k: v for k, v in encode(finding).items() if k != "evidence"}
            for finding in outcome.findings[:MOST_FINDINGS]
        ],
    }


def _mutation(mutation: Mutation | None) -> dict[str, Any] | None:
    if mutation is None:
        return None
    scored = mutation if mutation.has_score else None if mutation.earlier else mutation.estimate
    interval = scored.interval if scored else None
    return {
        "percent": round(scored.percent, 2) if scored else None,
        "earlier_suite": mutation.earlier,
        "complete": mutation.complete,
        "interval": [round(interval.low, 2), round(interval.high, 2)] if interval else None,
        "total": len(mutation.mutants),
        "measured": mutation.scored,
        "detected": len(mutation.detected),
        "counts": {verdict: mutation.counts[verdict] for verdict in get_args(Verdict)},
        "sampled": mutation.sampled,
        "notes": list(mutation.notes),
        "left_alone": dict(mutation.left_alone),
        "seconds": round(mutation.seconds, 2),
        "survivors": [
            {
                "file": one.file,
                "line": one.line,
                "symbol": one.symbol,
                "diff": one.diff[:LONGEST_DIFF],
            }
            for one in mutation.survivors[:MOST_SURVIVORS]
        ],
    }


def _trace(trace: Trace) -> dict[str, Any]:
    return {
        "requirements": [
            {
                "id": item.requirement.id,
                "title": item.requirement.title,
                "status": item.status,
                "reason": item.requirement.exempt,
                "contradictions": [
                    {k: v for k, v in encode(said).items() if k != "proof"}
                    for said in item.contradictions
                ],
                "acceptance": [encode(point) for point in item.points],
                "links": [
                    {k: v for k, v in encode(link).items() if k != "requirement"}
                    for link in item.links
                ],
            }
            for item in trace.requirements
        ],
        "unknown": {name: list(tests) for name, tests in trace.unknown.items()},
        "emergent": list(trace.emergent),
        "unlinked": list(trace.unlinked),
    }


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Writes `data` without secrets, by renaming a finished file, so that a reader never finds half
    a file.

    Raises LiftError.
    """
    text = (
        json.dumps(redacted_data(data, identifying=IDENTIFYING), indent=1, ensure_ascii=False)
        + "\n"
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Lone surrogates, from bytes in file names that are not UTF-8, cannot be encoded.
        place_file(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise LiftError(
            f"the outcome could not be written: {error.strerror}",
            where=str(path),
            todo="free some space, or make it writable; the suite itself is in place",
        ) from error
