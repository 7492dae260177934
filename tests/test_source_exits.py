"""Functions that return something on one way out and None on another."""

from __future__ import annotations

import ast
import textwrap

import pytest

from pytest_lift.source.exits import returns_now_and_then


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return n", False),
        ("return None", False),
        ("if n:\n    return n", True),
        ("if n:\n    return n\nreturn None", True),
        ("if n:\n    return n\nelse:\n    raise ValueError", False),
        ("if n:\n    return\nreturn None", False),
        ("if n is None:\n    return n\nreturn n + 1", True),
        ("for one in n:\n    return one", True),
        ("while True:\n    return n", False),
        ("while True:\n    if n:\n        break\n    return n", True),
        ("while n:\n    return n", True),
        ("with n:\n    return n", False),
        ("try:\n    return n\nexcept ValueError:\n    raise", False),
        ("try:\n    return n\nexcept ValueError:\n    pass", True),
        ("try:\n    n()\nexcept ValueError:\n    return None\nelse:\n    return n", True),
        ("try:\n    n()\nfinally:\n    return n", False),
        ("def inner():\n    return 1\nn(inner)", False),
        ("if n:\n    return n\nyield 1", False),
    ],
)
def test_ways_out_of_a_function(body: str, told: bool) -> None:
    (node,) = ast.parse("def f(n):\n" + textwrap.indent(body, "    ")).body
    assert returns_now_and_then(node) is told


def test_a_class_returns_nothing() -> None:
    assert not returns_now_and_then(ast.parse("class A: pass").body[0])
    assert not returns_now_and_then(None)
