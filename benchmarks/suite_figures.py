"""What one suite of a small project is worth, run in the jail: the figures of MultiFileTest.

*Executable* is a suite that can be collected; *correct* is the share of its tests that pass, those
of files that cannot be collected counting as tests that do not. A test's *unique contribution* is
the share of the program's branches that it takes and no other test does.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from sdists import KEPT

from pytest_lift.coverage.database import read_coverage
from pytest_lift.run.result import Run
from pytest_lift.run.run_suite import run_suite
from pytest_lift.run.workspace import Workspace
from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import suite_of

TESTS = "tests"
SECONDS = 300.0
MOST_OUTPUT = 6000


@dataclass(frozen=True)
class SuiteFigures:
    """Figures of one suite; percentages from 0 to 100."""

    executable: bool = False
    tests: int = 0
    passed: int = 0
    line_percent: float = 0.0
    branch_percent: float = 0.0
    unique_percent: float = 0.0
    """Mean of the tests."""
    mutation_percent: float | None = None
    ending: str = ""

    @property
    def correct_percent(self) -> float:
        return 100 * self.passed / self.tests if self.tests else 0.0


@dataclass(frozen=True)
class MeasuredSuite:
    """The figures, and what a model is told where something failed."""

    figures: SuiteFigures
    trouble: str = ""


def measured(root: Path, program: Program, texts: Mapping[str, str]) -> MeasuredSuite:
    """Runs test files (path -> text) on a private copy of the project `root`."""
    if not texts:
        return MeasuredSuite(SuiteFigures(ending="no tests"))
    suite = suite_of(TESTS, texts)
    jail = choose("auto", Jail("auto", reads=python_reads(root)))
    with Workspace.create(root, program.paths, tests=TESTS) as workspace:
        workspace.write_suite(suite)
        reports = workspace.scratch / "reports"
        run = run_suite(
            workspace.root, program, test_root=TESTS, reports=reports,
            scratch=workspace.scratch, seconds=SECONDS, jail=jail,
        )  # fmt: skip
        return MeasuredSuite(_figures(run, program, workspace.root, texts), _trouble(run))


def _figures(run: Run, program: Program, copy: Path, texts: Mapping[str, str]) -> SuiteFigures:
    seen = {result.node.partition("::")[0] for result in run.results.values()}
    unread = suite_of(TESTS, {path: text for path, text in texts.items() if path not in seen})
    outcomes = Counter(result.outcome for result in run.results.values())
    figures = SuiteFigures(
        executable=bool(run.results) and not run.broken and run.cut_short is None,
        tests=len(run.results) + max(len([*unread.tests()]), len(run.broken)),
        passed=outcomes["passed"] + outcomes["xfailed"],
        ending=run.ending,
    )
    if run.reports is None or run.cut_short is not None:
        return figures
    coverage = read_coverage(run.reports, program, copy)
    taken = Counter(branch for branches in coverage.by_test.values() for branch in branches)
    alone = sum(1 for times in taken.values() if times == 1)
    share = alone / max(coverage.branches, 1) / max(len(run.results), 1)
    return SuiteFigures(
        **{
            **asdict(figures),
            "line_percent": round(coverage.line_percent, 1),
            "branch_percent": round(coverage.branch_percent, 1),
            "unique_percent": round(100 * share, 2),
        }
    )


def _trouble(run: Run) -> str:
    """What pytest says of failures, as a person would paste it."""
    told = [f"{file}: {one.type}: {one.message}" for file, one in run.broken.items()]
    failed = (one for one in run.results.values() if one.failure is not None)
    told += [f"{one.node}: {one.failure.type}: {one.failure.message}" for one in failed]  # type: ignore[union-attr]
    if run.cut_short is not None:
        told.append(f"{run.ending}: {run.detail}")
    return "\n".join(told)[:MOST_OUTPUT]


def mutants(root: Path, texts: Mapping[str, str], minutes: float) -> float | None:
    """Per cent of the mutants that a suite detects; None where they could not be measured."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / root.name
        subprocess.run(["cp", "-r", str(root), str(copy)], check=True)
        for path, text in texts.items():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_text(text, "utf-8")
        command = [sys.executable, "-m", "pytest", "--lift", "--lift-iterations=0", "-q"]
        command += ["--lift-output=patch", f"--lift-mutation-minutes={minutes}"]
        subprocess.run(command, cwd=copy, env=KEPT, capture_output=True, check=False)
        try:
            told = json.loads((copy / ".lift/run.json").read_text("utf-8"))["mutation_percent"]
        except (OSError, ValueError, KeyError):
            return None
        return round(told, 1) if isinstance(told, int | float) else None
