"""Classes that pytest collects where a test imports them are no targets."""

from __future__ import annotations

from pathlib import Path

from offline_program import write_program

from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

CASES = """
    import unittest

    class DocCase(unittest.TestCase):
        def __init__(self, text):
            self.text = text

        def short(self):
            return self.text[:3]

        @staticmethod
        def longest():
            return 3

    class FileCase(DocCase):
        pass

    class Example:
        def short(self):
            return "abc"
"""


def test_test_cases_of_a_program_are_no_targets(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"cases.py": CASES})
    found = {target.symbol for target in find_targets(program, Resolver(program))}
    assert found == {"Example", "Example.short"}
