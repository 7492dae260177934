"""What cannot work is refused with a reason, before anything is written."""

from __future__ import annotations

import pytest
from conftest import Project
from scripted_session import FOUND, ONE, USERS
from session_inside import Session, session_inside

__all__ = ["session_inside"]


@pytest.fixture
def lifted(project: Project) -> Project:
    """One test of the user's, and agents that add one more."""
    return project.write({"tests/test_mine.py": USERS}).script(FOUND)


def test_a_file_in_the_place_of_the_lift_folder(lifted: Project) -> None:
    result = lifted.write({".lift": "mine"}).lift(ONE)
    assert result.status == 4
    assert "Traceback" not in result
    assert "nothing can be kept there" in result
    assert lifted.read(".lift") == "mine"


@pytest.mark.slow
def test_from_another_working_directory(lifted: Project) -> None:
    lifted.write({"pytest.ini": "[pytest]\nlift_requirements = reqs.yml\n", "docs/x.txt": ""})
    result = lifted.lift(ONE, "../tests", requirements=False, cwd="docs")
    assert result.status == 0, result.text
    assert "test_doubles" in lifted.read("tests/test_thing.py")
    assert lifted.outcome["requirements"]["total"] == 2
    assert not (lifted.root / "docs/.lift").exists()


@pytest.mark.parametrize(
    "ignored", ["../tests/bad", pytest.param("{root}/tests/bad", marks=pytest.mark.slow)]
)
def test_paths_and_values_are_taken_as_typed(lifted: Project, ignored: str) -> None:
    bad = {"tests/bad/test_bad.py": "def test_bad():\n    assert 1 == 2\n", "docs/x.txt": ""}
    lifted.write({"pytest.ini": "[pytest]\n", **bad})
    ignore = f"--ignore={ignored.format(root=lifted.root)}"
    result = lifted.lift("--lift-iterations=0", ignore, "../tests", cwd="docs")
    assert (result.status, lifted.outcome["tests"]) == (0, 1), result.text


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--collect-only",), "--lift and --collect-only exclude each other: a lift needs"),
        (("--pdb",), "--lift and --pdb exclude each other"),
        (("--no-cov",), "--lift and --no-cov exclude each other"),
        (("-p", "no:cov"), "--lift and -p no:cov exclude each other"),
        (("--lift-min-line=ten",), "--lift-min-line: 'ten' is not a number"),
        (("--lift-min-branch=101",), "--lift-min-branch: 101 is not a percentage"),
        (("--lift-iterations=-1",), "--lift-iterations: '-1' is not a whole number"),
        (("--lift-source=nosuch",), "no program to test was found; tried --lift-source: nosuch"),
        (("--lift-tests=..",), "is not a folder below the project"),
        (("--requirements=nosuch.yml",), "nosuch.yml"),
        (("--lift-tests=thing.py",), "is not a folder below the project"),
        (("--lift-json=.git",), ".git cannot be a file"),
        (("--lift-json=thing.py/out.json",), "out.json cannot be a file"),
    ],
)
def test_what_cannot_work_is_a_usage_error(
    project: Project, session_inside: Session, options: tuple[str, ...], told: str
) -> None:
    (project.root / ".git").mkdir()
    result = session_inside("--lift", *options)
    assert result.status == 4
    assert told in result
    assert "Traceback" not in result
    assert not (project.root / ".lift/history").exists()


def test_a_model_without_a_key_is_a_usage_error(project: Project) -> None:
    result = project.lift("--lift-model=gpt", requirements=False)
    assert result.status == 4
    assert "API key for api.openai.com" in result
    assert "Traceback" not in result
    assert not (project.root / ".lift/history").exists()
