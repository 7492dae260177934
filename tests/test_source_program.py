"""Which files of a package are the program: none that hold its tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

FILTERS = "def is_odd(number):\n    return number % 2 == 1\n"
CASES = "import unittest\n\nclass TestShout(unittest.TestCase):\n    pass\n"


@pytest.mark.parametrize(
    ("path", "text", "is_program"),
    [
        ("shout/tests.py", CASES, False),
        ("shout/test.py", CASES, False),
        ("shout/tests.py", FILTERS, True),
        ("shout/checks.py", CASES, True),
        ("shout/tests/words.py", FILTERS, False),
        ("shout/inner/test_words.py", FILTERS, False),
        ("shout/conftest.py", FILTERS, False),
    ],
)
def test_tests_inside_a_package_are_no_program(
    tmp_path: Path, path: str, text: str, is_program: bool
) -> None:
    program = write_program(tmp_path, {"shout/__init__.py": "", path: text})
    assert (path in program.files) is is_program
