"""What a lift publishes of settings: taken back where nothing landed, told in a patch."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from settings_change import AFTER, BEFORE, text

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.evolve.publisher import Publisher
from pytest_lift.measure.measurement import Measurement
from pytest_lift.project.ini_files import lines_for
from pytest_lift.run.result import Run
from pytest_lift.store.history import History
from pytest_lift.suite.suite import Edit, Suite, suite_of
from pytest_lift.trace.trace import Trace


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_bytes(BEFORE.encode())
    return tmp_path


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
