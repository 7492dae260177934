"""Finds the tests of a suite that show a contradiction: the tool's own tests with its mark."""

from __future__ import annotations

import ast

from pytest_lift.expectations.printing import (
    is_contradiction,
)
from pytest_lift.options import CONTRADICTS
from pytest_lift.source.syntax import parse
from pytest_lift.suite.suite import Suite, TestFunction


def contradiction_tests(suite: Suite) -> dict[str, TestFunction]:
    """Returns the tool's own tests that carry the mark, by node id."""
    return {
        test.node: test
        for test in suite.owned_tests()
        if CONTRADICTS in suite.source(test) and is_contradiction(node_of(suite, test))
    }


def node_of(suite: Suite, test: TestFunction) -> ast.stmt:
    try:
        return parse(suite.source(test)).body[0]
    except (SyntaxError, IndexError):  # a method with lines indented less than its `def`
        return ast.Pass()
