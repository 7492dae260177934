"""coverage.py's database, which a test may have rewritten: an error with its place."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from measured_coverage import MOD, TESTS, TWISTED, Measured
from small_project import SmallProject

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.coverage.database import read_coverage
from pytest_lift.errors import LiftError


@pytest.fixture
def project(tmp_path: Path) -> SmallProject:
    return SmallProject(tmp_path).write({MOD: TWISTED, "tests/test_a.py": TESTS})


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[SmallProject, Coverage]:
    """One measured run that many tests look at."""
    project = SmallProject(tmp_path_factory.mktemp("measured"))
    project.write({MOD: TWISTED, "tests/test_a.py": TESTS})
    return project, project.measure()


@pytest.fixture
def reports(measured: Measured, tmp_path: Path) -> Path:
    """A copy of the reports of the measured project, which a test may damage."""
    return shutil.copytree(measured[0].reports, tmp_path / "copied")


def test_a_missing_or_garbled_database_is_an_error_with_its_place(
    measured: Measured, reports: Path
) -> None:
    project, data = measured[0], reports / "coverage.db"
    for damage in (lambda: data.write_bytes(b"no database" * 100), data.unlink):
        damage()
        with pytest.raises(LiftError, match="cannot be read") as caught:
            read_coverage(reports, project.program(), project.root)
        assert caught.value.where == str(data)


def test_reading_leaves_the_data_as_it_was(measured: Measured) -> None:
    project, _ = measured
    data = project.reports / "coverage.db"
    before = data.read_bytes()
    read_coverage(project.reports, project.program(), project.root)
    assert data.read_bytes() == before
    with sqlite3.connect(data) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    assert not {"test", "wanted"} & tables


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE context; CREATE VIEW context (id, context) AS WITH RECURSIVE n(a) AS"
        " (SELECT 1 UNION ALL SELECT a + 1 FROM n) SELECT a, 'x|run' FROM n",
        "CREATE TRIGGER t AFTER INSERT ON arc BEGIN DELETE FROM file; END",
        "DROP TABLE arc",
        "INSERT INTO context VALUES (99, x'ff')",
        "INSERT INTO file VALUES (99, x'00')",
        "INSERT INTO arc SELECT file_id, context_id, 'x', 1 FROM arc LIMIT 1",
        "INSERT INTO arc SELECT file_id, context_id, 9223372036854775807, 1 FROM arc LIMIT 1",
    ],
)
def test_a_database_that_a_test_rewrote_is_an_error(
    measured: Measured, reports: Path, change: str
) -> None:
    """What a run leaves is not trusted: no view is run, no odd value is let in."""
    project, coverage = measured
    assert read_coverage(reports, project.program(), project.root) == coverage
    data = reports / "coverage.db"
    with sqlite3.connect(data) as connection:
        connection.executescript(change)
    connection.close()
    with pytest.raises(LiftError, match="cannot be read"):
        read_coverage(reports, project.program(), project.root)
