"""What agents judge beside tests: doubtful requirements, worthless mutants, settled notes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.tools import arguments as a
from pytest_lift.findings.finding import Finding
from pytest_lift.mutation.mutation import Mutant
from pytest_lift.mutation.worthless import judged_worthless
from pytest_lift.requirements.doubtful import DoubtfulRequirement, fault
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.worthless import WorthlessMutant


def doubt_of(
    told: a.ReportDoubtfulRequirement, requirements: Requirements
) -> tuple[DoubtfulRequirement, str]:
    """Returns the doubt, and why it does not count; empty if it does."""
    doubt = DoubtfulRequirement(
        told.requirement,
        told.quote.strip(),
        told.other or told.requirement,
        told.other_quote.strip(),
        " ".join(told.why.split()),
    )
    return doubt, fault(doubt, requirements)


def worthless_of(
    rows: Iterable[a.Worthless], brief: Brief
) -> tuple[tuple[WorthlessMutant, ...], list[str]]:
    """Returns the judgements that count, and what is wrong with the others."""
    found, faults = list[WorthlessMutant](), list[str]()
    for row in rows:
        mutants = [_mutant(finding, brief) for finding in _named(row.finding, brief.findings)]
        known = [one for one in mutants if one is not None]
        if not known:
            faults.append(f"no open finding on a mutant reads {row.finding!r}")
        for mutant in known:
            assert brief.mutation is not None
            judged = judged_worthless(mutant, brief.mutation.mutants.values(), row.why)
            if judged is None:
                faults.append(f"{row.finding!r} changes more than words of a message or log")
            else:
                found.append(judged)
    return tuple(found), faults


def _named(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """Returns the findings on survivors that a text quotes, with or without what stands around."""
    return [f for f in findings if f.kind == "surviving-mutant" and f.what in text]


def _mutant(finding: Finding, brief: Brief) -> Mutant | None:
    survivors = brief.mutation.survivors if brief.mutation is not None else ()
    return next(
        (one for one in survivors if (one.file, one.diff) == (finding.file, finding.evidence)), None
    )


def settled_notes(numbers: Iterable[int], brief: Brief) -> tuple[str, ...]:
    """Returns the notes of these numbers, counted from 1; others do not count."""
    known = dict(enumerate(brief.left_out, 1))
    return tuple(known[number] for number in numbers if number in known)
