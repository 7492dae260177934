"""What lands passes when the user types `pytest`, the plugin not loaded; else a line is offered."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

import pytest
from conftest import THING, Project, Result

FOUND = '''\
"""Tests of thing."""

import pytest

from thing import double, label


@pytest.mark.req("R-1")
def test_doubles():
    """Doubles a number."""
    assert double(21) == 42
'''
BESIDE = '''

@pytest.mark.req("R-2")
def test_greets():
    """Greets by the name that a script beside the program has."""
    import beside

    assert label(beside.NAME) == "a"
'''
ONE = "--lift-iterations=1"
PYPROJECT = '[project]\nname = "thing"\nversion = "1"\n'
LINE = 'pythonpath = ["src"]'


def typed(project: Project) -> Result:
    """The command `pytest`, nothing of this package in it."""
    environ = project.environment()
    del environ["PYTHONPATH"]
    for agents in project.root.glob("**/conftest.py"):
        agents.write_text("")  # they speak to the plugin
    done = subprocess.run(
        [str(Path(sysconfig.get_path("scripts")) / "pytest"), "-p", "no:lift", "tests"],
        cwd=project.root,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return Result(done.returncode, done.stdout)


@pytest.fixture
def src(project: Project) -> Project:
    """A src layout that is not installed; agents that need no conftest file at the top."""
    project.script({"tests/test_thing.py": FOUND})
    for name in ("thing.py", "setup.cfg"):
        (project.root / name).unlink()
    agents = project.read("conftest.py").replace(
        "Path(__file__).parent", "Path(__file__).parents[1]"
    )
    (project.root / "conftest.py").unlink()
    return project.write(
        {"pyproject.toml": PYPROJECT, "src/thing.py": THING, "tests/conftest.py": agents}
    )


@pytest.mark.slow
def test_nothing_lands_that_plain_pytest_cannot_import(src: Project) -> None:
    result = src.lift(ONE)
    assert result.status == 0, result.text
    first = result.text.partition("= lift =")[2].splitlines()[1:4]
    assert first[0].startswith(
        "a test in tests cannot import thing under plain pytest, so nothing lands until"
    )
    assert first[0].endswith("in pyproject.toml, [tool.pytest.ini_options]:")
    assert first[1:] == [f"    {LINE}", "--lift-write-config does so for you"]
    assert src.read("pyproject.toml") == PYPROJECT
    assert sorted(src.texts()) == ["tests/conftest.py"]
    src.git("init", "-q")
    src.git("apply", ".lift/lift.patch")
    assert typed(src).status == 2
    src.write({"pyproject.toml": f"{PYPROJECT}\n[tool.pytest.ini_options]\n{LINE}\n"})
    assert typed(src).status == 0  # the line and the patch keep what was promised


@pytest.mark.slow
def test_asked_for_the_lines_are_written_and_restored(src: Project) -> None:
    result = src.lift(ONE, "--lift-write-config")
    assert result.status == 0, result.text
    told = src.read("pyproject.toml")
    assert told.startswith(f"{PYPROJECT}\n[tool.pytest.ini_options]\n")
    assert LINE in told
    assert "req(id, ...): " in told
    assert '@pytest.mark.req("R-1")' in src.read("tests/test_thing.py")
    plain = typed(src)
    assert plain.status == 0, plain.text
    assert "warning" not in plain
    assert "wrote pyproject.toml" in src.command("restore")
    assert src.read("pyproject.toml") == PYPROJECT
    assert sorted(src.texts()) == ["tests/conftest.py"]


@pytest.mark.slow
def test_a_patch_brings_the_lines_that_it_needs(src: Project) -> None:
    result = src.lift(ONE, "--lift-write-config", "--lift-output=patch")
    assert result.status == 0, result.text
    assert "--lift-write-config adds to pyproject.toml" in result
    assert src.read("pyproject.toml") == PYPROJECT
    src.git("init", "-q")
    src.git("apply", ".lift/lift.patch")
    assert '@pytest.mark.req("R-1")' in src.read("tests/test_thing.py")
    plain = typed(src)
    assert plain.status == 0, plain.text
    assert "warning" not in plain


def test_what_does_not_pass_there_is_left_out_test_by_test(src: Project) -> None:
    """With a cause that a line mends, which is tried before it is told."""
    ini = f"{PYPROJECT}\n[tool.pytest.ini_options]\n{LINE}\n"
    src.write({"pyproject.toml": ini, "beside.py": 'NAME = "a"\n'})
    result = src.write({".script/1/tests/test_thing.py": FOUND + BESIDE}).lift(ONE)
    assert result.status == 0, result.text
    assert "test_doubles" in src.read("tests/test_thing.py")
    assert "test_greets" not in src.read("tests/test_thing.py")
    assert "left out tests/test_thing.py::test_greets: under plain pytest: " in result
    assert (
        "1 test did not land, under plain pytest beside cannot be imported; "
        'this fixes it, in pyproject.toml, [tool.pytest.ini_options]:\n    pythonpath = ["src", "."]\n'
    ) in result
    assert src.read("pyproject.toml") == ini
    assert typed(src).status == 0


@pytest.mark.slow
def test_what_was_refused_there_is_not_tried_again(src: Project) -> None:
    """Its name and its quotes are others the second time; a third time nobody is asked."""
    src.write({"pyproject.toml": f"{PYPROJECT}\n[tool.pytest.ini_options]\n{LINE}\n"})
    src.write({"beside.py": 'NAME = "a"\n'})
    again = BESIDE.replace("test_greets", "test_again").replace('"a"', "'a'")
    for number, text in enumerate((FOUND + BESIDE, FOUND + again, FOUND + again, FOUND), 1):
        src.write({f".script/{number}/tests/test_thing.py": text})
    result = src.lift("--lift-iterations=4")
    told = [line for line in result.text.splitlines() if "accepted" in line]
    assert "every change was refused before, unchanged" in told[1], result.text
    assert len(told) <= 3
    assert result.text.count("left out tests/test_thing.py::test_") == 1


@pytest.mark.slow
def test_a_configuration_that_nothing_needs_is_taken_back(src: Project) -> None:
    result = src.lift("--lift-iterations=0", "--lift-write-config")
    assert f"    {LINE}" in result
    assert src.read("pyproject.toml") == PYPROJECT
