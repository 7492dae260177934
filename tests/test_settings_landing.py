"""pytest's configuration file changed for a run: taken back with it, and by nobody else's word."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.errors import LandingError
from pytest_lift.evolve.publisher import Publisher
from pytest_lift.measure.measurement import Measurement
from pytest_lift.project.ini_editing import lines_for
from pytest_lift.run.result import Run
from pytest_lift.store.history import History, restore
from pytest_lift.store.journal import JOURNAL
from pytest_lift.store.landing import land_settings, recover
from pytest_lift.suite.suite import Edit, Suite, suite_of
from pytest_lift.trace.trace import Trace

BEFORE, AFTER = "[pytest]\r\n", "[pytest]\r\npythonpath = src\r\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_bytes(BEFORE.encode())
    return tmp_path


def changed(
    project: Path, name: str, before: str | None, after: str, *, stored: bool = True
) -> str:
    """Change it in a new run, which then stores its first iteration."""
    run = History.open(project).start_run()
    run.keep_settings(name, before, after)
    assert land_settings(project, project / ".lift", name, before, after, run.id) == ""
    if stored:
        run.archive(0, suite=suite_of("tests", {}))
    return run.id


def text(project: Path, name: str = "pytest.ini") -> str:
    return (project / name).read_bytes().decode()


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


def measurement(suite: Suite) -> Measurement:
    return Measurement(suite, Run("passed"), Coverage(), Trace(()))


NEW = Edit({"tests/test_new.py": "def test_new():\n    assert 1\n"})


@pytest.mark.parametrize("landed", [True, False])
def test_a_lift_that_landed_nothing_takes_it_back(project: Path, landed: bool) -> None:
    """What the user wrote meanwhile has not landed."""
    run, found = History.open(project).start_run(), suite_of("tests", {})
    publisher = Publisher(project, None, run, found)  # type: ignore[arg-type]
    edit = lines_for(project, project / "pytest.ini", {"pythonpath": ("src",)})
    assert publisher.configure(edit) == ""
    assert text(project) == AFTER
    if landed:
        publisher.accept(measurement(found.apply(NEW)))
    else:
        (project / "tests").mkdir()
        (project / "tests/test_mine.py").write_text("def test_mine(): pass\n")
        assert publisher.changed_by_the_user() is not None
    publisher.take_back_unused()
    assert text(project) == (AFTER if landed else BEFORE)
    assert run.kept_settings() == ("pytest.ini", BEFORE, AFTER)


def test_a_lift_writes_nothing_over_what_the_user_has_changed(project: Path) -> None:
    run = History.open(project).start_run()
    publisher = Publisher(project, None, run, suite_of("tests", {}))  # type: ignore[arg-type]
    edit = lines_for(project, project / "pytest.ini", {"pythonpath": ("src",)})
    (project / "pytest.ini").write_text("mine")
    assert publisher.configure(edit) == "it was changed meanwhile"
    publisher.take_back_unused()
    assert text(project) == "mine"


@pytest.mark.parametrize("there", [True, False], ids=["changed", "new"])
def test_a_patch_holds_what_its_tests_need(project: Path, there: bool) -> None:
    if not there:
        (project / "pytest.ini").unlink()
    run, found = History.open(project).start_run(), suite_of("tests", {})
    ini = project / "pytest.ini" if there else None
    edit = lines_for(project, ini, {"pythonpath": ("src",)})
    publisher = Publisher(project, None, run, found, landing=False, settings=edit)  # type: ignore[arg-type]
    assert publisher.patch_text == ""  # no tests need it
    publisher.accept(measurement(found.apply(NEW)))
    assert not (project / "tests").exists()
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    apply = ["git", "-c", "core.autocrlf=false", "apply", "-"]
    subprocess.run(apply, cwd=project, input=publisher.patch_text.encode(), check=True)
    assert text(project) == (AFTER if there else "[pytest]\npythonpath = src\n")
    assert text(project, "tests/test_new.py") == NEW.files["tests/test_new.py"]
