"""The project's own formatter is used where it is set up, and only on the tool's own files."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail

from pytest_lift.formatting import formatted, formatter
from pytest_lift.suite import Edit, Suite, suite_of
from pytest_lift.workspace import Workspace

UGLY = "def test_a( ):\n    assert   f( 1 )==2\n"
PRETTY = "def test_a():\n    assert f(1) == 2\n"


def candidate() -> tuple[Suite, Suite]:
    before = suite_of("tests", {"tests/test_mine.py": UGLY})
    return before, before.apply(Edit({"tests/test_new.py": UGLY}))


def test_the_tools_own_file_is_formatted_and_stays_owned(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\nline-length = 90\n")
    before, after = candidate()
    with Workspace.create(tmp_path) as workspace:
        result = formatted(after, before, workspace, best_jail())
    assert result.files["tests/test_new.py"].text == PRETTY
    assert result.files["tests/test_mine.py"].text == UGLY
    assert [test.node for test in result.owned_tests()] == ["tests/test_new.py::test_a"]


@pytest.mark.parametrize("text", ["", "[tool.other]\n", "[tool.ruff\n"])
def test_without_a_set_up_formatter_nothing_changes(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert formatter(tmp_path) is None
    before, after = candidate()
    with Workspace.create(tmp_path) as workspace:
        assert formatted(after, before, workspace, best_jail()) is after


def test_a_formatter_that_fails_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "ruff.toml").write_text("no-such-setting = 1\n")
    before, after = candidate()
    with Workspace.create(tmp_path) as workspace:
        assert (
            formatted(after, before, workspace, best_jail()).files["tests/test_new.py"].text == UGLY
        )
