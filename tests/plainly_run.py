"""A project run by plain pytest in the copy."""

from __future__ import annotations

from pathlib import Path

from plain_project import benched

from pytest_lift.run.plain_pytest import PlainCommand
from pytest_lift.run.result import Run


def run(root: Path, typed: PlainCommand | None = None, **told: str) -> Run:
    with benched(root, typed) as (measurer, suite):
        return measurer.run_plainly(suite, overrides=told)


def outcomes(run: Run) -> dict[str, str]:
    return {node: result.outcome for node, result in run.results.items()}


PASSED = {"tests/test_a.py::test_sign": "passed"}
