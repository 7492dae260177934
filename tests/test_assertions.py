"""What kinds of assertions a test has, which of them cannot fail, and whose values they look at."""

from __future__ import annotations

import pytest
from asserted_functions import read

from pytest_lift.assertions.assertions import Assertions, read_assertions
from pytest_lift.suite.suite import suite_of


@pytest.mark.parametrize(
    "body",
    [
        "assert True",
        "x = f()\nassert x == x",
        "assert f(1) == f(1)",
        "assert f(1).a == f(1).a and f(2) == f(2)",
        "assert f(1) == pytest.approx(f(1))",
        "self.assertEqual(f(1), f(1))",
        "assert (f() == 1, 'a message')",
        "assert f() == 1 or True",
        "assert len(f()) >= 0",
        "assert isinstance(f(), object)",
        "try:\n    assert f() == 1\nexcept AssertionError:\n    pass",
        "return\nassert f() == 1",
        "assert_nothing(f())",
    ],
)
def test_what_cannot_fail_is_listed_as_such(body: str) -> None:
    found = read(body)
    assert found.listed
    assert not found.any_can_fail


@pytest.mark.parametrize("body", ["f()", "look(f())", "json.dumps(f())"])
def test_nothing_asserted(body: str) -> None:
    assert read(body) == Assertions()


def test_a_suite_is_read_by_node() -> None:
    texts = {"tests/test_a.py": "def test_x():\n    assert 1 == 2\n", "tests/bad.py": "def ("}
    assert list(read_assertions(suite_of("tests", texts), ("pkg",))) == ["tests/test_a.py::test_x"]
