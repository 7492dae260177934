"""The gates of `--lift-fail-under` and `--lift-strict`, checked against a trace."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_lift.settings import Settings
from pytest_lift.trace.trace import Trace

MOST_NAMED = 5


def unmet(settings: Settings, trace: Trace) -> Iterator[str]:
    """Yields a message for each gate that is missed."""
    limit, percent = settings.fail_under, 100.0
    if trace.testable:
        percent = 100.0 * trace.verified / trace.testable
    if limit is not None and percent < limit:
        yield f"verified requirements {percent:.1f} %, wanted {limit:g} % (--lift-fail-under)"
    if settings.strict:
        yield from _strictly(trace)


def _strictly(trace: Trace) -> Iterator[str]:
    named = {
        "contradicted requirements": trace.with_status("suspected-defect"),
        "known-failing requirements": trace.with_status("known-failing"),
        "not-run requirements": trace.with_status("not-run"),
        "incomplete requirements": trace.with_status("incomplete"),
        "doubted links": [f"{link.requirement} in {link.test}" for link in trace.doubted],
        "uncovered requirements": trace.with_status("uncovered"),
        "unknown ids": list(trace.unknown),
    }
    for what, ids in named.items():
        if ids:
            more = ", ..." if len(ids) > MOST_NAMED else ""
            shown = ", ".join(ids[:MOST_NAMED])
            yield f"{what}: {len(ids)}, wanted 0 (--lift-strict): {shown}{more}"
