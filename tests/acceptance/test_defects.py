"""A defect of the lift, or of what plugs into it, is one sentence and a file: never a traceback."""

from __future__ import annotations

import pytest
from conftest import Project

BROKEN_LIST = """
    import pytest

    class Odd(list):
        def __iter__(self):
            raise RuntimeError("odd to the last")

    @pytest.mark.req(Odd())
    def test_odd():
        pass

    def test_even():
        pass
"""

REMOVES = """
import shutil
from pathlib import Path

from thing import double

def test_mine():
    shutil.rmtree(Path(__file__).parents[1] / ".lift")
    assert double(2) == 4
"""


def test_what_plugs_in_fails_at_the_start(project: Project) -> None:
    project.write({"conftest.py": "def pytest_lift_agents(settings):\n    return 1 / 0\n"})
    result = project.lift()
    assert result.status == 4, result.text
    assert "Traceback" not in result
    assert "INTERNALERROR" not in result
    assert "pytest-lift could not begin: an internal error" in result
    assert "ZeroDivisionError" in project.read(".lift/crash.txt")


@pytest.mark.parametrize(
    "option", ["--requirements=reqs.yml", pytest.param("--lift", marks=pytest.mark.slow)]
)
def test_what_listens_to_the_session_fails(project: Project, option: str) -> None:
    project.write({"tests/test_odd.py": BROKEN_LIST})
    plain = project.pytest("-p", "no:lift", "-W", "ignore")
    assert (plain.status, "2 passed" in plain) == (0, True)
    result = project.pytest(option)
    assert result.status == 3, result.text
    assert "2 passed" in result
    assert "Traceback" not in result
    assert "INTERNALERROR" not in result
    assert "pytest-lift has stopped: an internal error" in result
    assert "odd to the last" in project.read(".lift/crash.txt")


def test_a_test_that_removes_the_lift_folder(project: Project) -> None:
    """pytest-cov would end pytest with a traceback where its file has no folder any more."""
    project.write({"tests/test_mine.py": REMOVES}).script("")
    result = project.lift("--lift-iterations=0")
    assert result.status == 0, result.text
    assert "INTERNALERROR" not in result
    assert "one of your tests removed .lift: earlier runs cannot be restored any more" in result
    assert "your own session: 1 test passes" in result
