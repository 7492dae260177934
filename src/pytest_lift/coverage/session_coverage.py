"""Coverage that pytest-cov measured in the user's own session."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from pytest_lift.coverage.coverage import JSON_FILE, Coverage
from pytest_lift.coverage.database import DATA_FILE, read_coverage
from pytest_lift.errors import LiftError
from pytest_lift.run.inside.coverage import controller
from pytest_lift.source.program import Program


@dataclass(frozen=True)
class SessionCoverage:
    """Coverage of a session that pytest-lift did not run itself."""

    coverage: Coverage
    branches: bool
    """Whether branches were measured (``--cov-branch``)."""


def own_coverage(
    config: pytest.Config, root: Path, program: Program
) -> tuple[SessionCoverage | None, str]:
    """Returns the session's coverage, or None and why it cannot be read.

    The reason is empty without ``--cov`` and if nothing of `program` was measured. Branches and
    functions by test are known with ``--cov-branch --cov-context=test`` only.
    """
    from coverage import CoverageData
    from coverage.exceptions import CoverageException, NoDataError

    tool = getattr(controller(config), "cov", None)
    if tool is None:
        return None, ""
    with tempfile.TemporaryDirectory(prefix="pytest-lift-") as made:
        folder = Path(made)
        try:
            # The data file may be gone by now: parallel data is combined into another one.
            copied = CoverageData(str(folder / DATA_FILE))
            copied.update(tool.get_data())
            if hasattr(copied, "close"):  # since coverage 7.7; earlier, all is written by now
                copied.close()
            tool.json_report(outfile=str(folder / JSON_FILE), show_contexts=False)
            branches = bool(tool.get_data().has_arcs())
            if not branches:
                _without_branches(folder / JSON_FILE)
            coverage = read_coverage(folder, program, root)
            if not branches:  # only arcs show which functions a test entered
                coverage = replace(coverage, by_test={}, functions_by_test={})
            return SessionCoverage(coverage, branches), ""
        except NoDataError:
            return None, ""
        except (CoverageException, LiftError, OSError, ValueError) as error:
            return None, f"what pytest-cov measured cannot be read: {error}"


def _without_branches(path: Path) -> None:
    """Adds the branch fields of a report with branches, all empty."""
    data = json.loads(path.read_bytes())
    for row in data["files"].values():
        row |= {"executed_branches": [], "missing_branches": []}
        row["summary"]["covered_branches"] = 0
    path.write_text(json.dumps(data), "utf-8")
