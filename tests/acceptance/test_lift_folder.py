"""What a lift keeps in `.lift/` is never collected, whatever the project's settings say."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from conftest import Project

from pytest_lift.store.history import History
from pytest_lift.suite.suite import suite_of

TEST = "def test_kept():\n    '''\n    >>> 1\n    2\n    '''\n    assert 0\n"
INI = "[pytest]\nnorecursedirs = nothing\npython_files = *.py\naddopts = --doctest-modules\n"
MINE = "import unittest\n\nclass TestMine(unittest.TestCase):\n    def test_mine(self): pass\n"
HISTORY = ".lift/history/20260101-120000"
BEFORE = (f"{HISTORY}/000/tests/test_thing.py", f"{HISTORY}/001/accepted/conftest.py")
"""As an earlier version kept them."""


@pytest.fixture
def lifted(project: Project) -> Project:
    """A project whose settings let pytest look into every folder, with a run that was stored."""
    project.write({"pytest.ini": INI, "test_mine.py": MINE, "tests/test_theirs.py": MINE})
    files = {"tests/test_thing.py": TEST, "tests/sub/conftest.py": "assert 0\n"}
    run = History.open(project.root).start_run()
    run.archive(0, suite=suite_of("tests", files))
    run.archive(1, suite=suite_of("tests", files), feedback={"fixes.md": "no"})
    run.mark("last-passing", 1)
    return project


@pytest.mark.parametrize("arguments", [("-p", "no:lift"), ()], ids=["no plugin", "plugin"])
def test_pytest_collects_nothing_of_it(lifted: Project, arguments: tuple[str, ...]) -> None:
    result = lifted.pytest(*arguments)
    assert result.status == 0, result.text
    assert ".lift" not in result


def test_what_is_stored_is_read_as_before(lifted: Project) -> None:
    history = History.open(lifted.root)
    assert history.run_named(history.runs()[0]).suite_at(1)["tests/test_thing.py"] == TEST
    assert not [*(lifted.root / ".lift").rglob("*.py")]


def test_what_an_earlier_version_left_is_not_collected_either(lifted: Project) -> None:
    lifted.write(dict.fromkeys(BEFORE, TEST))
    lifted.write({f"{HISTORY}/000/suite.json": '{"test_root": "tests"}'})
    result = lifted.pytest()
    assert result.status == 0, result.text
    history = History.open(lifted.root)
    assert lifted.pytest("-p", "no:lift").status == 0  # once a lift or `restore` has begun
    assert history.run_named("20260101-120000").suite_at(0) == {"tests/test_thing.py": TEST}


def test_unittest_discovers_nothing_of_it(lifted: Project) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "unittest", "discover", "-v"],
        cwd=lifted.root,
        env={**os.environ, "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "test_kept" not in done.stderr
    assert "test_mine" in done.stderr
