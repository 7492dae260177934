"""A file with tests of the user's and of the tool's."""

from __future__ import annotations

from pytest_lift.suite.collection import Naming
from pytest_lift.suite.splice import merge_tests
from pytest_lift.suite.suite import Edit, Suite, suite_of
from pytest_lift.suite.test_file import parse_test_file

USER = '''"""The user's own."""
import pytest


@pytest.fixture
def number():
    return 3


def test_theirs(number):
    assert number == 3
'''
TOOL = "def test_ours():\n    assert True\n"


def mixed() -> Suite:
    """A user's test file with one test of the tool's at its end."""
    suite = suite_of("tests", {"tests/test_x.py": USER})
    return suite.apply(Edit({"tests/test_x.py": merge_tests(USER, [], TOOL)}))


def names(text: str, naming: Naming | None = None) -> list[str]:
    file = parse_test_file("tests/test_x.py", text, naming or Naming())
    return [test.node.removeprefix("tests/test_x.py::") for test in file.tests]
