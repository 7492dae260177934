"""Tests that stand in the way of mutants are left out at once, and said so."""

from __future__ import annotations

from pathlib import Path

import pytest
from attempted_setting import READS_SOURCES, setting
from mutated_project import SEEN, MutatedProject

from pytest_lift.mutation.inside.controls import CONTROL


def test_what_fails_however_it_is_run_is_left_out_at_once(tmp_path: Path) -> None:
    project = MutatedProject(tmp_path).shop()
    project.write({"tests/test_source.py": READS_SOURCES, "tests/test_seen.py": SEEN})
    mutation = project.measure(told_lines=True)
    ran = (project.mutator.mutated / "run").read_text().splitlines()
    found = setting(project)
    assert mutation.detected
    assert found.left_out == {"tests/test_source.py::test_source"}
    assert (found.configuration.isolation, found.free_order) == ("fork", True)
    assert ran.count(CONTROL) == 1  # and then the mutants, in the same run
    assert not any("test_source" in node for nodes in mutation.killers.values() for node in nodes)
    assert any("tests/test_source.py::test_source" in note for note in mutation.notes)


@pytest.mark.parametrize("told_lines", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_file_that_cannot_be_imported_stands_in_nobodys_way(
    told_lines: bool, tmp_path: Path
) -> None:
    project = MutatedProject(tmp_path).shop()
    project.write({"tests/test_broken.py": "import nothing_of_this_name\n"})
    assert project.measure("tests/test_broken.py", told_lines=told_lines).detected
