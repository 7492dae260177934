"""What a commit states, read of real git without running anything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from compared_project import REQUIREMENTS, TESTS, diff, git

from pytest_lift.commands.diff.commits import state_at


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "pytest.ini").write_text("[pytest]\nlift_requirements = reqs.yml\n")
    (tmp_path / "reqs.yml").write_text(REQUIREMENTS)
    (tmp_path / "tests/test_a.py").write_text(TESTS)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def test_a_folder_below_the_repository_is_a_project_of_its_own(project: Path) -> None:
    inner = project / "inner"
    (inner / "tests").mkdir(parents=True)
    (inner / "pytest.ini").write_text("[pytest]\nlift_requirements = ../reqs.yml\n")
    (inner / "tests/test_b.py").write_text(TESTS)
    git(project, "add", ".")
    git(project, "commit", "-qm", "second")
    assert state_at(inner, "HEAD").tests == {
        "tests/test_b.py::test_one",
        "tests/test_b.py::test_two",
    }


def test_requirements_beside_the_project_are_those_of_then(project: Path) -> None:
    inner = project / "inner"
    (inner / "tests").mkdir(parents=True)
    (inner / "pytest.ini").write_text("[pytest]\nlift_requirements = ../reqs.yml\n")
    (inner / "tests/test_b.py").write_text(TESTS)
    git(project, "add", ".")
    git(project, "commit", "-qm", "second")
    (project / "reqs.yml").write_text(REQUIREMENTS.replace("R-3", "R-4"))
    assert [*state_at(inner, "HEAD").requirements] == ["R-1", "R-2", "R-3"]
    result = diff(inner, "HEAD")
    assert "new requirements (1):\n  R-4" in result.stdout
    assert "requirements removed (1):\n  R-3" in result.stdout
    (inner / "pytest.ini").write_text(f"[pytest]\nlift_requirements = {project}/reqs.yml\n")
    git(project, "commit", "-qm", "an absolute path", "inner/pytest.ini")
    assert [*state_at(inner, "HEAD").requirements] == ["R-1", "R-2", "R-3"]


@pytest.mark.parametrize("absolute", [True, False])
def test_requirements_outside_of_the_repository_are_a_usage_error(
    tmp_path: Path, absolute: bool
) -> None:
    folder = tmp_path / "repository"
    folder.mkdir()
    (tmp_path / "reqs.yml").write_text(REQUIREMENTS)
    named = tmp_path / "reqs.yml" if absolute else "../reqs.yml"
    (folder / "pytest.ini").write_text(f"[pytest]\nlift_requirements = {named}\n")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    result = diff(folder, "HEAD")
    assert result.returncode == 4
    assert f"lift_requirements: {tmp_path / 'reqs.yml'} is outside " in result.stderr


def test_attributes_of_the_repository_hide_and_change_nothing(project: Path) -> None:
    text = "tests export-ignore\n*.py export-subst\n"
    (project / ".gitattributes").write_text(text)
    subst = TESTS + '\n@pytest.mark.req("$Format:%s$")\ndef test_three(): pass\n'
    (project / "tests/test_a.py").write_text(subst)
    git(project, "add", ".")
    git(project, "commit", "-qm", "R-3")
    found = state_at(project, "HEAD")
    assert len(found.tests) == 3
    assert found.unknown == {"$Format:%s$"}


def test_settings_around_the_private_folder_are_not_read(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Nor is a project taken for another that had no settings yet."""
    foreign = tmp_path_factory.mktemp("tmp")
    (foreign / "pytest.ini").write_text("[pytest]\npython_files = other_*.py\n[")
    git(project, "rm", "-q", "pytest.ini")
    git(project, "commit", "-qm", "none")
    (project / "pytest.ini").write_text("[pytest]\nlift_requirements = reqs.yml\n")
    environ = {**os.environ, "TMPDIR": str(foreign)}
    result = diff(project, "HEAD", environ=environ)
    assert (result.returncode, result.stderr) == (0, "")
    assert "new requirements (3)" in result.stdout
    assert "tests" not in result.stdout.replace("<- tests/", "")
    assert [path.name for path in foreign.iterdir()] == ["pytest.ini"]


def test_links_and_what_was_never_a_file_are_left_out(project: Path) -> None:
    (project / "tests/test_link.py").symlink_to("test_a.py")
    git(project, "add", ".")
    git(project, "commit", "-qm", "a link")
    assert len(state_at(project, "HEAD").tests) == 2


def test_a_mistake_of_then_is_told_with_its_place_of_then(project: Path) -> None:
    (project / "reqs.yml").write_text("r:\n  - {id: R-1}\n")
    git(project, "commit", "-qam", "broken")
    result = diff(project, "HEAD")
    assert result.returncode == 4
    assert f"HEAD: {project}/reqs.yml:2" in result.stderr


def test_a_file_that_is_no_report_may_have_the_name_of_a_branch(project: Path) -> None:
    git(project, "branch", "other")
    (project / "other").write_text("words")
    assert "nothing changed" in diff(project, "other").stdout
    (project / "words").write_text("words")
    result = diff(project, "words")
    assert (result.returncode, "not a report" in result.stderr) == (4, True)


def test_the_complaint_of_git_is_told(project: Path, tmp_path: Path) -> None:
    result = diff(project, "HEAD", environ={**os.environ, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})
    assert (result.returncode, "dubious ownership" in result.stderr) == (4, True)
    result = diff(project, "HEAD", environ={**os.environ, "PATH": str(project)})
    assert (result.returncode, "git is not installed" in result.stderr) == (4, True)
    assert "--base" not in result.stderr
