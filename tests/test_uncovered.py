"""Code that nothing executes: figures of files that were never imported."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail
from measured_coverage import MOD, TESTS, TWISTED
from small_project import SmallProject

from pytest_lift.coverage.uncovered import unexecuted


@pytest.fixture
def project(tmp_path: Path) -> SmallProject:
    return SmallProject(tmp_path).write({MOD: TWISTED, "tests/test_a.py": TESTS})


def test_where_nothing_ran_a_project_with_paths_of_its_own_is_still_measured(
    tmp_path: Path,
) -> None:
    """`[paths]` of coverage.py's configuration makes it report without branches then."""
    settings = "[tool.coverage.run]\nbranch = true\n[tool.coverage.paths]\nsource = ['src', '*/site-packages']\n"
    project = SmallProject(tmp_path).write(
        {"pyproject.toml": settings, "tests/test_none.py": "def test_none():\n    pass\n"}
    )
    found = project.measure()
    assert all(not file.executed for file in found.files.values())
    program = project.program()
    told = unexecuted(program.files, program, project.root, tmp_path, best_jail())
    assert {path: len(file.missing_branches) for path, file in told.items()} == {
        "src/pkg/__init__.py": 0,
        "src/pkg/mod.py": 4,
    }
