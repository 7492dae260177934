"""Warnings and marks of the project's own are in nobody's way when mutants run."""

from __future__ import annotations

from pathlib import Path

from attempted_setting import setting
from mutated_project import MutatedProject

ASSERTION_TOLD = """
import pytest

from shop.prices import label

def test_words():
    with pytest.raises(AssertionError, match="assert 'a' == 'b'"):
        assert label("a") == "b"
"""


def test_warnings_may_be_errors_where_pytest_has_all_its_ways(tmp_path: Path) -> None:
    settings = '[tool.pytest.ini_options]\nfilterwarnings = ["error"]\n'
    project = MutatedProject(tmp_path).shop().write({"pyproject.toml": settings})
    project.write({"tests/test_words.py": ASSERTION_TOLD})
    assert project.measure().detected


def test_marks_of_plugins_that_are_left_out_are_known(tmp_path: Path) -> None:
    project = MutatedProject(tmp_path).shop()
    project.write(
        {
            "setup.cfg": "[tool:pytest]\nfilterwarnings = error\n",
            "tests/conftest.py": "import pytest\n\ndef pytest_collection_modifyitems(items):\n"
            "    for item in items[:1]:\n        item.add_marker(pytest.mark.no_cover)\n",
        }
    )
    mutation = project.measure(told_lines=True)
    assert mutation.detected
    assert setting(project).fast
