"""Examples for authors of plugins: of their files alone, without settings from around."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.testing import Example


def test_an_example_has_no_settings_of_the_process_that_runs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PYTEST_ADDOPTS", "LIFT_MODEL", "CI"):
        monkeypatch.setenv(name, "x")
    assert not {"PYTEST_ADDOPTS", "LIFT_MODEL", "CI"} & Example(tmp_path).environment().keys()


def test_a_brief_is_of_the_files(tmp_path: Path) -> None:
    example = Example(tmp_path).write({"pkg/__init__.py": "", "pkg/mod.py": "ONE = 1\n"})
    brief = example.write({"tests/test_a.py": "def test_a():\n    assert 1\n"}).brief(mode="refine")
    assert (brief.mode, list(brief.program.paths)) == ("refine", ["pkg"])
    assert [test.node for test in brief.suite.tests()] == ["tests/test_a.py::test_a"]
