"""A suite whose tests try to get out of a jail."""

from __future__ import annotations

from pathlib import Path

import quick_pytest
from small_project import SmallProject

from pytest_lift.run.result import Run
from pytest_lift.run.run_suite import run_suite
from pytest_lift.sandbox.jail import Jail


def run(project: SmallProject, jail: Jail, seconds: float = 30.0) -> Run:
    return run_suite(
        project.root,
        project.program(),
        test_root="tests",
        reports=project.reports,
        scratch=project.base / "scratch",
        seconds=seconds,
        measure=False,
        jail=jail,
        addopts=quick_pytest.OPTIONS,
    )


def processes_with(word: str) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word in path.read_text("utf-8", "replace"):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found
