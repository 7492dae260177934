"""What helpers, fixtures and inherited methods assert for a test."""

from __future__ import annotations

import pytest
from asserted_functions import HEAD, read

from pytest_lift.assertions.assertions import assertions_of
from pytest_lift.source.syntax import parse
from pytest_lift.suite.test_file import DEFAULT_NAMING


@pytest.mark.parametrize(("name", "elsewhere"), [("subTest", False), ("make_sure", True)])
def test_methods_of_unittest_are_known_not_to_assert(name: str, elsewhere: bool) -> None:
    mixed = HEAD.replace("(unittest.TestCase)", "(support.Case, unittest.TestCase)")
    tree = parse(f"{mixed}        with self.{name}(f()):\n            f()\n")
    assert assertions_of(tree, ("pkg",), DEFAULT_NAMING)["TestIt::test_it"].elsewhere is elsewhere


@pytest.mark.parametrize(
    "body", ["check(f())", "support.verify(f())", "def inner():\n    check(f())\ninner()"]
)
def test_what_others_assert_counts(body: str) -> None:
    found = read(body)
    assert found.elsewhere
    assert found.any_can_fail
    assert found.looks_at == "program"
