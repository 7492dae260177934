"""A session of pytest in this process, for a project on disk: the start of a process would take ten
times as long as a session that is refused, or has a few quick tests."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
import yaml
from conftest import Project

from pytest_lift.report import writing
from pytest_lift.session import lift, prepare
from pytest_lift.testing import Result

KEPT = (yaml, writing, lift, prepare)
"""What sessions import late. What one of them imports is forgotten after it, and the next would
have half of it twice."""
Session = Callable[..., Result]
OUTSIDE = ("COV", "CI", "GITHUB", "LIFT_", "OPENAI_", "PYTEST_XDIST")
"""Variables of the developer, of the machine that tests and of its workers begin so."""


@pytest.fixture
def session_inside(
    project: Project, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> Session:
    """Begins a session in the project with these arguments."""
    for name in [*os.environ]:
        if name.startswith(OUTSIDE):
            monkeypatch.delenv(name)

    def session(*arguments: str) -> Result:
        monkeypatch.chdir(project.root)
        done = pytester.runpytest_inprocess(*arguments)
        return Result(int(done.ret), f"{done.stdout}\n{done.stderr}")

    return session
