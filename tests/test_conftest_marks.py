"""Marks that conftest files register, read from their text."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.marks.conftest_marks import LARGEST, lines_in, marker_lines

CALL = "def pytest_configure(config):\n    config.addinivalue_line({})\n"


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ('"markers", "slow: takes long"', ["slow: takes long"]),
        ('name="markers", line="slow"', ["slow"]),
        ('"filterwarnings", "ignore"', []),
        ('"markers", LINE', []),
        ('"markers", 3', []),
        ('"markers"', []),
        ('"markers", "slow", "more"', []),
    ],
)
def test_lines_that_are_written_out(arguments: str, lines: list[str]) -> None:
    assert [*lines_in(CALL.format(arguments))] == lines


def test_other_calls_and_broken_files_have_none() -> None:
    assert [*lines_in("addinivalue_line('markers', 'x')\n")] == []
    assert [*lines_in("config.add('markers', 'addinivalue_line')\n")] == []
    assert [*lines_in("addinivalue_line(\n")] == []


def test_those_in_and_above_the_tests_count_and_no_others(tmp_path: Path) -> None:
    for place in (".", "tests", "tests/unit", "other"):
        (tmp_path / place).mkdir(exist_ok=True)
        name = place.replace("/", "_").strip(".") or "top"
        text = CALL.format(f'"markers", "{name}"') + CALL.format('"markers", "same"')
        (tmp_path / place / "conftest.py").write_text(text)
    assert marker_lines(tmp_path, ["tests/unit"]) == ("top", "same", "tests_unit", "tests")
    assert marker_lines(tmp_path, []) == ("top", "same")


def test_a_file_that_is_too_large_or_leads_outside_is_passed_over(tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    text = CALL.format('"markers", "slow"')
    (root / "conftest.py").write_text(text + "#" * LARGEST)
    (tmp_path / "conftest.py").write_text(text)
    (root / "tests/conftest.py").symlink_to(tmp_path / "conftest.py")
    assert marker_lines(root, ["tests"]) == ()
