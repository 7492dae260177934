"""What pytest-cov measured in the user's own session, as far as they asked it to."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from pytest_lift.coverage.coverage import JSON_FILE, Coverage, read_coverage
from pytest_lift.coverage.database import DATA_FILE
from pytest_lift.errors import LiftError
from pytest_lift.source.program import Program


@dataclass(frozen=True)
class SessionCoverage:
    """Coverage of a session that was not ours."""

    coverage: Coverage
    branches: bool
    """Whether branches were measured (``--cov-branch``)."""


def own_coverage(
    config: pytest.Config, root: Path, program: Program
) -> tuple[SessionCoverage | None, str]:
    """What was measured, or nothing and why it cannot be read; there is no reason to be told
    without ``--cov``, or where nothing of `program` was measured.

    Which test executes what is known with ``--cov-branch --cov-context=test`` only.
    """
    from coverage import CoverageData
    from coverage.exceptions import CoverageException, NoDataError

    tool = _tool(config)
    if tool is None:
        return None, ""
    with tempfile.TemporaryDirectory(prefix="pytest-lift-") as made:
        folder = Path(made)
        try:
            # The file may be gone by now: what is measured in parts is put together elsewhere.
            copied = CoverageData(str(folder / DATA_FILE))
            copied.update(tool.get_data())
            if hasattr(copied, "close"):  # since coverage 7.7; before, all is written by now
                copied.close()
            tool.json_report(outfile=str(folder / JSON_FILE), show_contexts=False)
            branches = bool(tool.get_data().has_arcs())
            if not branches:
                _without_branches(folder / JSON_FILE)
            coverage = read_coverage(folder, program, root)
            if not branches:  # which functions a test entered is told by arcs alone
                coverage = replace(coverage, by_test={}, functions_by_test={})
            return SessionCoverage(coverage, branches), ""
        except NoDataError:
            return None, ""
        except (CoverageException, LiftError, OSError, ValueError) as error:
            return None, f"what pytest-cov measured cannot be read: {error}"


def _tool(config: pytest.Config) -> Any:
    """The `coverage.Coverage` of pytest-cov."""
    plugin: Any = config.pluginmanager.getplugin("_cov")
    return getattr(getattr(plugin, "cov_controller", None), "cov", None)


def _without_branches(path: Path) -> None:
    """As a report with branches says it where a file has none."""
    data = json.loads(path.read_bytes())
    for row in data["files"].values():
        row |= {"executed_branches": [], "missing_branches": []}
        row["summary"]["covered_branches"] = 0
    path.write_text(json.dumps(data), "utf-8")
