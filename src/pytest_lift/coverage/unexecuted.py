"""Coverage figures of files that were never executed: every statement and branch is missing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from pytest_lift.coverage.coverage import FileCoverage, read_files
from pytest_lift.files import untrusted
from pytest_lift.sandbox.child import Places, run_child
from pytest_lift.sandbox.jail import Jail
from pytest_lift.source.program import Program

SECONDS = 120.0

REPORT = """
import sys
from coverage import Coverage
from coverage.exceptions import NoDataError

data, report, config, *paths = sys.argv[1:]
tool = Coverage(data_file=data, branch=True, config_file=config or True)
tool.get_data().add_arcs({path: [] for path in paths})
tool.get_data().touch_files(paths)
tool.set_option("report:ignore_errors", True)
tool.set_option("paths", {})  # with any, data without an executed line loses its branches
# What a run would not have measured is no part of the figures either.
omitted = [*(tool.get_option("run:omit") or []), *(tool.get_option("report:omit") or [])]
tool.set_option("report:omit", omitted or None)
try:
    tool.json_report(outfile=report)
except NoDataError:
    pass
"""
"""Script that runs in the copy, so that the project's own coverage configuration (omit, exclude)
applies."""


def unexecuted(
    paths: Iterable[str], program: Program, copy: Path, scratch: Path, jail: Jail
) -> dict[str, FileCoverage]:
    """Returns path -> figures of files that nothing executed; `paths` are relative to `copy`.

    Files that the project's coverage configuration omits are left out.
    """
    folder = scratch / "unexecuted"
    untrusted.remove(folder)
    folder.mkdir()
    report, data = folder / "report.json", folder / "coverage.db"
    files = [str(copy / path) for path in paths]
    run_child(
        [sys.executable, "-c", REPORT, str(data), str(report), program.coverage.told or "", *files],
        cwd=copy,
        env=jail.environment(folder, {}),
        seconds=SECONDS,
        jail=jail,
        places=Places(reads=(copy,), writes=(folder,)),
    )
    return read_files(report, program, copy) if os.path.lexists(report) else {}
