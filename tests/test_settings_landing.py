"""pytest's configuration file changed for a run: taken back with it, and by nobody else's word."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import pytest
from settings_change import AFTER, BEFORE, changed, text

from pytest_lift.errors import LandingError
from pytest_lift.store.history import History, restore
from pytest_lift.store.journal import JOURNAL
from pytest_lift.store.landing import land_settings, recover
from pytest_lift.suite.suite import suite_of


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_bytes(BEFORE.encode())
    return tmp_path


@pytest.mark.parametrize("stored", [True, False], ids=["stored", "killed at once"])
def test_it_is_restored(project: Path, stored: bool) -> None:
    run = changed(project, "pytest.ini", BEFORE, AFTER, stored=stored)
    assert text(project) == AFTER
    assert restore(project).lines() == (
        "wrote pytest.ini",
        f"the tests are as they were before run {run}",
    )
    assert text(project) == BEFORE


def test_a_file_that_the_run_made_goes(project: Path) -> None:
    changed(project, "pyproject.toml", None, "[tool.pytest.ini_options]\n")
    assert restore(project).removed == ("pyproject.toml",)
    assert not (project / "pyproject.toml").exists()


def test_what_the_user_changed_since_stays_unless_forced(project: Path) -> None:
    changed(project, "pytest.ini", BEFORE, AFTER)
    (project / "pytest.ini").write_text("[pytest]\naddopts = -q\n")
    restored = restore(project)
    assert restored.kept == {"pytest.ini": "you changed it since"}
    last = f"the rest is as it was before run {restored.run}; --force overwrites what stayed"
    assert restored.lines()[-1] == last
    assert text(project) == "[pytest]\naddopts = -q\n"
    assert restore(project, force=True).written == ("pytest.ini",)
    assert text(project) == BEFORE


def test_what_later_runs_added_goes_too(project: Path) -> None:
    first = changed(project, "pytest.ini", BEFORE, AFTER)
    changed(project, "pytest.ini", AFTER, f"{AFTER}markers = x\r\n")
    restore(project, first)
    assert text(project) == BEFORE


def test_several_files_go_back(project: Path) -> None:
    first = changed(project, "pytest.ini", BEFORE, AFTER)
    changed(project, "pyproject.toml", None, "[tool.pytest.ini_options]\n")
    restored = restore(project, first)
    assert (restored.written, restored.removed) == (("pytest.ini",), ("pyproject.toml",))
    assert text(project) == BEFORE
    assert not (project / "pyproject.toml").exists()


def test_nothing_is_written_over_what_the_user_changed_meanwhile(project: Path) -> None:
    (project / "pytest.ini").write_text("mine")
    why = land_settings(project, project / ".lift", "pytest.ini", BEFORE, AFTER, "r")
    assert why == "it was changed meanwhile"
    assert text(project) == "mine"


def test_a_change_that_was_cut_short_is_finished(project: Path) -> None:
    child = os.fork()
    if child == 0:
        place = str(project / "pytest.ini")

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            if event == "os.rename" and str(arguments[1]) == place:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        changed(project, "pytest.ini", BEFORE, AFTER)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert text(project) == BEFORE
    assert recover(project, project / ".lift")
    assert text(project) == AFTER
    restore(project)
    assert text(project) == BEFORE


@pytest.mark.parametrize(
    "path", ["setup.py", ".git/hooks/pre-commit", "tests/pytest.ini", "../pytest.ini"]
)
def test_a_foreign_journal_reaches_no_other_file(project: Path, path: str) -> None:
    """One that says that it is about the configuration, as it may come with a clone."""
    step = {"path": path, "old": None, "new": None, "between": None}
    data = {"version": 1, "run": "r", "test_root": "", "steps": [step], "contents": {}}
    (project / ".lift").mkdir()
    (project / ".lift" / JOURNAL).write_text(json.dumps(data))
    with pytest.raises(LandingError, match="cannot be understood"):
        recover(project, project / ".lift")


@pytest.mark.parametrize("name", ["setup.py", "../pytest.ini", "tests/conftest.py"])
def test_a_foreign_note_of_a_run_reaches_no_other_file(project: Path, name: str) -> None:
    run = History.open(project).start_run()
    run.archive(0, suite=suite_of("tests", {}))
    run.keep_settings(name, "bad", "x")
    restore(project, force=True)
    assert not (project / name).exists() or name == "../pytest.ini"


# By a lift
