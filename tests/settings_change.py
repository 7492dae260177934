"""A change of pytest's configuration file, before and after."""

from __future__ import annotations

from pathlib import Path

from pytest_lift.store.history import History
from pytest_lift.store.landing import land_settings
from pytest_lift.suite.suite import suite_of

BEFORE, AFTER = "[pytest]\r\n", "[pytest]\r\npythonpath = src\r\n"


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
