"""Coverage of one run of a suite, in which files that never ran count as missing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.coverage.database import read_coverage
from pytest_lift.coverage.uncovered import unexecuted
from pytest_lift.run.result import Run
from pytest_lift.run.workspace import Workspace
from pytest_lift.sandbox.jail import Jail
from pytest_lift.scope.scope import Scope
from pytest_lift.source.program import Program


@dataclass
class RunCoverage:
    """Reads the coverage of runs in one copy; remembers what is in files that never ran."""

    workspace: Workspace
    jail: Jail
    _never_ran: dict[tuple[str, ...], dict[str, FileCoverage]] = field(default_factory=dict)

    def of(self, run: Run, program: Program, scope: Scope | None) -> Coverage:
        """Returns the coverage; files that never ran, and every file of a run that broke off, count
        as missing."""
        coverage = Coverage()
        if run.reports is not None and run.cut_short is None:
            coverage = read_coverage(run.reports, program, self.workspace.root)
        wanted = program.files.keys() & (scope.files if scope else frozenset())
        absent = (wanted or program.files.keys()) - coverage.files.keys()
        absent -= program.unmeasured
        if not absent:
            return coverage
        nothing = self._unexecuted(tuple(sorted(absent)), program)
        return replace(coverage, files={**nothing, **coverage.files})

    def forget(self) -> None:
        """Forgets the files: their sources changed."""
        self._never_ran.clear()

    def _unexecuted(self, paths: tuple[str, ...], program: Program) -> dict[str, FileCoverage]:
        if paths not in self._never_ran:
            root, scratch = self.workspace.root, self.workspace.scratch
            self._never_ran[paths] = unexecuted(paths, program, root, scratch, self.jail)
        return self._never_ran[paths]
