"""Two states of a project held against each other: reports, runs and commits."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.compare.commits import state_at, state_of_files
from pytest_lift.compare.comparing import compare
from pytest_lift.compare.states import State, Stated

REQUIREMENTS = "r:\n" + "".join(
    f"  - {{id: R-{n}, title: t{n}, description: d, acceptance: a}}\n" for n in (1, 2, 3)
)
TESTS = """
import pytest

@pytest.mark.req("R-1")
def test_one(): pass

@pytest.mark.req("R-2")
def test_two(): pass
"""


def git(folder: Path, *arguments: str) -> str:
    named = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    command = ["git", *named, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


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


def diff(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = "import sys; from pytest_lift.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "diff", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_commit_and_the_working_tree_are_compared_without_running_anything(
    project: Path,
) -> None:
    text = TESTS.replace('"R-2"', '"R-3"') + '\n@pytest.mark.req("R-8")\ndef test_new(): pass\n'
    (project / "tests/test_a.py").write_text(f"raise SystemExit\n{text}")
    result = diff(project, "HEAD")
    assert result.returncode == 0, result.stderr
    assert "from HEAD to the working tree" in result.stdout
    assert "requirements gained (1):\n  R-3" in result.stdout
    assert "requirements lost (1):\n  R-2" in result.stdout
    assert "links lost (1):\n  R-2 <- tests/test_a.py::test_two" in result.stdout
    assert "unknown ids, new (1):\n  R-8" in result.stdout
    assert "tests added (1):\n  tests/test_a.py::test_new" in result.stdout
    assert diff(project, "HEAD", "--strict").returncode == 1


def test_the_json_form_has_a_version_and_the_markdown_form_quotes(project: Path) -> None:
    (project / "tests/test_a.py").unlink()
    found = json.loads(diff(project, "HEAD", "--format", "json").stdout)
    assert (found["version"], found["lost"]) == (1, ["R-1", "R-2"])
    assert (
        "- `R-1 <- tests/test_a.py::test_one`" in diff(project, "HEAD", "--format=markdown").stdout
    )


def test_nothing_changed_is_said(project: Path) -> None:
    assert "nothing changed" in diff(project, "HEAD", "HEAD").stdout


def test_a_name_that_means_nothing_is_a_usage_error(project: Path) -> None:
    result = diff(project, "no-such-thing")
    assert result.returncode == 4
    assert "'no-such-thing' is neither a run, nor a report, nor a commit" in result.stderr
    assert "Traceback" not in result.stderr


def test_reports_are_compared_by_status(project: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    for name in ("a.json", "b.json"):
        subprocess.run([*command, f"--lift-report=json:{name}"], cwd=project, check=False)
        broken = TESTS.replace("def test_two(): pass", "def test_two(): assert 0")
        (project / "tests/test_a.py").write_text(broken)
    result = diff(project, "a.json", "b.json")
    assert "requirements lost (1):\n  R-2" in result.stdout
    assert "R-2 (t2): verified -> failing" in result.stdout
    assert "links" not in result.stdout


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


IDS = st.sampled_from("ABCD")
STATES = st.builds(
    State,
    st.just("x"),
    st.dictionaries(
        IDS,
        st.builds(
            Stated,
            st.just("t"),
            st.sampled_from(["1", "2"]),
            st.booleans(),
            st.frozensets(st.sampled_from(["t::a", "t::b"])),
        ),
    ),
    st.frozensets(st.sampled_from(["t::a", "t::b"])),
)


@given(STATES, STATES)
def test_forth_and_back_are_mirror_images(one: State, two: State) -> None:
    forth, back = compare(one, two), compare(two, one)
    assert (forth.added, forth.removed) == (back.removed, back.added)
    assert (forth.links_gained, forth.links_lost) == (back.links_lost, back.links_gained)
    assert (forth.tests_added, forth.reworded) == (back.tests_removed, back.reworded)
    assert compare(one, one).same


def test_a_project_without_requirements_has_a_state(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    found = state_of_files(tmp_path, "x")
    assert found.tests == {"test_a.py::test_one", "test_a.py::test_two"}
    assert not found.requirements
