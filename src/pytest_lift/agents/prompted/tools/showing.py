"""What a run of some tests showed, in the few lines that a model needs to go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pytest_lift.agents.prompted.packets.sections import steady
from pytest_lift.coverage.coverage import Coverage
from pytest_lift.run.result import Failure, Run
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.reachability import gates
from pytest_lift.trace.statuses import BAD

MOST_FAILURES = 8
TRACEBACK = 900
"""Characters of one traceback, its end."""
MOST_GAPS = 40


def results_of(run: Run) -> str:
    """Counts, and what went wrong with its traceback; no times, which would never be the same."""
    counts = Counter(result.outcome for result in run.results.values())
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    lines = [told or "no test ran"]
    if run.ending not in ("passed", "failed"):
        lines.append(f"the run ended: {run.ending}: {run.detail}")
    for file, failure in run.broken.items():
        lines += [
            f"{file} cannot be collected: {failure.type}: {failure.message}",
            *_shown(failure),
        ]
    bad = [r for r in run.results.values() if r.outcome in BAD]
    for result in bad[:MOST_FAILURES]:
        lines.append(f"{result.outcome}: {result.node}")
        if result.failure is not None:
            lines += _shown(result.failure)
    if len(bad) > MOST_FAILURES:
        lines.append(f"and {len(bad) - MOST_FAILURES} more that fail")
    return steady("\n".join(lines))


def _shown(failure: Failure) -> Iterator[str]:
    text = failure.traceback.strip()
    text = text if len(text) <= TRACEBACK else f"...{text[-TRACEBACK:]}"
    yield from (f"    {line}" for line in text.splitlines())


def gaps_left(
    coverage: Coverage, before: Coverage | None, sources: Sequence[str], program: Program
) -> str:
    """Lines of `sources` that neither these tests nor the accepted ones execute, and decisions
    that only ever go one way; what cannot run here is left out."""
    rows: list[str] = []
    for path in sources:
        rows += _gaps_in(program.files[path], coverage, before)
    if not rows:
        return "every line and branch of the source in question is executed"
    more = [f"  and {len(rows) - MOST_GAPS} more"] if len(rows) > MOST_GAPS else []
    return "\n".join(["not executed by any test yet:", *rows[:MOST_GAPS], *more])


def _gaps_in(source: SourceFile, now: Coverage, before: Coverage | None) -> Iterator[str]:
    figures = now.files.get(source.path)
    if figures is None:
        return
    old = before.files.get(source.path) if before else None
    missing = figures.missing & old.missing if old else figures.missing
    branches = figures.missing_branches
    if old:
        branches = branches & old.missing_branches
    shut = gates(source.tree)
    text = source.text.splitlines()
    half = {a: b for a, b in sorted(branches) if a not in missing}
    for line in sorted({*missing, *half}):
        if line in shut or line > len(text) or abs(half.get(line, 0)) in shut:
            continue
        goes = half.get(line)
        never = f"  [never goes to {goes if goes > 0 else 'the end'}]" if goes else ""
        yield f"  {source.path}:{line}: {text[line - 1].strip()[:100]}{never}"
