"""Which test executes which line, from a run of the suite as a lift makes it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pytest_lift.coverage.coverage import Lines
from pytest_lift.coverage.database import read_coverage, read_lines
from pytest_lift.run.run_suite import run_suite
from pytest_lift.sandbox.jail import Jail
from pytest_lift.source.program import Program

LONGEST = 900.0
"""Seconds."""


def known_lines(
    copy: Path,
    scratch: Path,
    program: Program,
    test_root: str,
    addopts: Sequence[str],
    jail: Jail,
    selection: Sequence[str] = (),
) -> Lines:
    """Nothing where that run fails: mutmut finds out by itself then."""
    reports = scratch / "reports"
    run = run_suite(
        copy, program, test_root=test_root, selection=selection, reports=reports,
        scratch=scratch / "lines", seconds=LONGEST, addopts=addopts, jail=jail,
    )  # fmt: skip
    if run.reports is None:
        print(f"  note: which test executes what is not known: {run.detail}")
        return Lines()
    return read_lines(reports, read_coverage(reports, program, copy), copy, run.results)
