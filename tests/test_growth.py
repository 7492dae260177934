"""Analyses of a test file grow as the file does: what it says of all its tests is read once.

Calls are counted, not seconds: they are the same on any machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from pytest_lift.assertions.assertions import read_assertions
from pytest_lift.suite.suite import Suite, suite_of

HEAD = """
import pytest
from mod import Thing, double

@pytest.fixture
def thing():
    return Thing(1)

def checked(x):
    assert double(x) == 2 * x
    return x

class TestThings:
    def setup_method(self):
        self.thing = Thing(2)
"""
METHOD = """
    def test_value_{i}(self):
        assert self.thing.value == {i}
"""
FUNCTION = """

@pytest.mark.emergent("seen")
def test_double_{i}(thing):
    assert checked({i}) == thing.value
"""


def calls(work: Callable[[Suite], object], tests: int) -> int:
    """Calls of Python functions in `work` on a new suite of so many methods and functions."""
    text = HEAD + "".join(METHOD.format(i=i) for i in range(tests))
    text += "".join(FUNCTION.format(i=i) for i in range(tests))
    suite = suite_of("tests", {"tests/test_mod.py": text})
    count = 0

    def note(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work(suite)
    finally:
        sys.setprofile(before)
    return count


def test_what_tests_assert_is_found_in_one_reading_of_their_file() -> None:
    few, many = (calls(lambda suite: read_assertions(suite, ("mod",)), n) for n in (10, 40))
    assert 2 < many / few < 4.4


def test_the_texts_of_tests_are_cut_from_lines_that_are_split_once() -> None:
    suite = suite_of("tests", {"tests/test_mod.py": HEAD + METHOD.format(i=1)})
    texts = [suite.source(test) for test in suite.tests()]
    assert texts == ["def test_value_1(self):\n    assert self.thing.value == 1\n"]
    few, many = (calls(lambda s: [s.source(t) for t in s.tests()], n) for n in (10, 40))
    assert 2 < many / few < 4.4
