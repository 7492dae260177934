"""A small real project on disk, and real runs of its suite."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

import quick_pytest
from jails import best_jail

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.coverage.database import read_coverage
from pytest_lift.run.result import Run
from pytest_lift.run.run_suite import run_suite
from pytest_lift.source.program import Program, read_program

MODULE = """\
def sign(x):
    if x > 0:
        return 1
    if x < 0:
        return -1
    return 0
"""


@dataclass
class SmallProject:
    """`src=True`: the package is ``src/pkg``, else ``pkg``; its module is ``pkg.mod``."""

    base: Path
    src: bool = True

    @property
    def root(self) -> Path:
        return self.base / "project"

    @property
    def reports(self) -> Path:
        return self.base / "reports"

    @property
    def package(self) -> str:
        return "src/pkg" if self.src else "pkg"

    def write(self, files: dict[str, str]) -> SmallProject:
        """Add `files` (indented as may be); a package is there at any rate."""
        known = {f"{self.package}/__init__.py": "", f"{self.package}/mod.py": MODULE}
        for name, text in {**known, **files}.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if name in files or not path.exists():
                path.write_text(dedent(text), encoding="utf-8")
        return self

    def program(self) -> Program:
        roots = ("src",) if self.src else ("",)
        return read_program(self.root, (self.package,), roots, "")

    def run(self, **options: Any) -> Run:
        told = {"test_root": "tests", "seconds": 60.0, "measure": False, **options}
        told.setdefault("jail", best_jail())
        told.setdefault("addopts", quick_pytest.OPTIONS)
        scratch = self.base / "scratch"
        return run_suite(self.root, self.program(), reports=self.reports, scratch=scratch, **told)

    def run_until(self, node: str, **options: Any) -> Run:
        """A run that is stopped while `node` hangs. A machine that does other things may be
        stopped before it gets there: then it has more time."""
        for seconds in (1.5, 6.0, 24.0, 60.0):
            run = self.run(seconds=seconds, **options)
            if run.running == node or run.ending != "timed-out":
                break
        return run

    def measure(self, **options: Any) -> Coverage:
        run = self.run(measure=True, **options)
        assert run.reports == self.reports, run.output
        return read_coverage(self.reports, self.program(), self.root)
