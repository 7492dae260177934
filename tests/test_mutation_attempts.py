"""Tests that need their own order are kept and run in it."""

from __future__ import annotations

from pathlib import Path

from attempted_setting import READS_SOURCES, setting
from mutated_project import MutatedProject

NEEDS_THE_ONE_BEFORE = """
from shop.prices import total
SEEN = []

def test_first():
    SEEN.append(total(1, 2))

def test_second():
    assert SEEN == [total(1, 2)]
"""


def test_what_needs_its_own_order_is_kept_and_run_in_it(tmp_path: Path) -> None:
    project = MutatedProject(tmp_path).shop()
    project.write(
        {"tests/test_source.py": READS_SOURCES, "tests/test_order.py": NEEDS_THE_ONE_BEFORE}
    )
    mutation = project.measure(told_lines=True)
    found = setting(project)
    assert mutation.detected
    assert found.left_out == {"tests/test_source.py::test_source"}
    assert not found.free_order
