"""The lift of an attack, in a process of its own that may be killed: runs what it is asked to run.

It does with a run what a lift does: reads the coverage, and copies the reports into the history.
Questions and answers are lines of JSON on stdin and stdout.
"""

from __future__ import annotations

import json
import shutil
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytest_lift.coverage.database import read_coverage
from pytest_lift.errors import LiftError
from pytest_lift.run.result import Run
from pytest_lift.run.run_suite import run_suite
from pytest_lift.run.workspace import Workspace
from pytest_lift.sandbox.jail import Jail, Limits, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.source.program import Program, read_program
from pytest_lift.store.history import History
from pytest_lift.suite.suite import Suite


class Lift:
    """One workspace, one tier; `answer` is one run and what the lift makes of it."""

    def __init__(self, workspace: Workspace, jail: Jail, received: Path) -> None:
        self._workspace = workspace
        self._jail = jail
        self._program: Program = read_program(workspace.root, ("pkg",), ("",), "")
        self._received = received

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        self._workspace.sync()
        shutil.rmtree(self._received / ".lift", ignore_errors=True)
        reports = self._workspace.scratch / "reports"
        shutil.rmtree(reports, ignore_errors=True)
        with self._workspace.guarded(apart=self._jail.writes) as touched:
            run = self._run(question, reports)
        complaints: list[str] = []
        covered = _tried(lambda: self._covered(run), complaints)
        _tried(lambda: self._store(reports), complaints)
        failures = {n: r.failure.message for n, r in run.results.items() if r.failure}
        return {
            "ending": run.ending,
            "detail": run.detail,
            "seconds": run.seconds,
            "outcomes": {node: result.outcome for node, result in run.results.items()},
            "failures": {n: text.splitlines()[0] if text else "" for n, text in failures.items()},
            "covered": covered,
            "complaints": complaints,
            "undone": [path for path in touched if path.endswith(".py")],
            "text": repr(run),
            "base": str(self._workspace.root.parent),
        }

    def _run(self, question: dict[str, Any], reports: Path) -> Run:
        return run_suite(
            self._workspace.root,
            self._program,
            test_root="tests",
            reports=reports,
            scratch=self._workspace.scratch,
            seconds=question["seconds"],
            selection=(question["node"],),
            measure=question["measure"],
            jail=self._jail,
        )

    def _covered(self, run: Run) -> int:
        """Lines and branches; 0 when nothing was measured, or nothing may be trusted."""
        if run.reports is None or run.ending in ("crashed", "timed-out"):
            return 0
        coverage = read_coverage(run.reports, self._program, self._workspace.root)
        return coverage.covered_statements + coverage.covered_branches

    def _store(self, reports: Path) -> None:
        run = History.open(self._received).start_run()
        run.archive(0, suite=Suite("tests"), reports=reports)


def _tried(action: Callable[[], Any], complaints: list[str]) -> Any:
    """What a lift tells its user is no crash of it; anything else is one."""
    try:
        return action()
    except LiftError:
        return 0
    except Exception:
        complaints.append(traceback.format_exc(limit=-1).strip().splitlines()[-1])
        return 0


def main() -> int:
    told = json.loads(sys.argv[1])
    project = Path(told["project"])
    jail = Jail("auto", reads=python_reads(project), limits=Limits(**told["limits"]))
    jail = choose(told["tier"], jail)
    with Workspace.create(project, ("pkg",), tests="tests") as workspace:
        lift = Lift(workspace, jail.inside(project, workspace.root), Path(told["received"]))
        print(json.dumps({"base": str(workspace.root.parent)}), flush=True)
        for line in sys.stdin:
            print(json.dumps(lift.answer(json.loads(line))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
